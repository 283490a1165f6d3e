package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	exechttp "github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/executor/webhook"
	"github.com/abl-lsp/abl-lsp/tool"
)

const longTools = `TOOLS:
  quick(id: string) -> object
    description: "🛫"
    type: http
    endpoint: "API/things/{id}"
    method: GET
  order(id: string) -> object
    type: async_webhook
    endpoint: "API/order"
    method: POST
    confirmation:
      require: never
  private_order() -> object
    type: async_webhook
    endpoint: "API/order"
    method: POST
    store_result: false
    confirmation:
      require: never
  compute(id: string) -> object
    type: http
    endpoint: "API/compute/{id}"
    method: GET
    hints:
      latency: slow
  refused() -> object
    type: http
    endpoint: "API/refused"
    method: GET
    hints:
      latency: slow
  drop(id: string) -> object
    type: http
    endpoint: "API/things/{id}"
    method: DELETE
    permissions: [things:drop:{{id}}]
    hints:
      latency: slow
  private_drop(id: string) -> object
    type: http
    endpoint: "API/things/{id}"
    method: DELETE
    store_result: false
    hints:
      latency: slow
`

// taskVersions are the versions of the protocol in which tasks are tested.
var taskVersions = []string{"2025-11-25", firstRoundsVersion}

// taskFixture is a server of tools that take long, with the service that these call.
type taskFixture struct {
	*serverFixture
	callbacks chan string // the callback URLs of orders
	computing atomic.Int32
	most      atomic.Int32  // the most computations at once
	release   chan struct{} // computations end when it is closed
	end       func()        // ends the server's process
}

// newTaskFixture starts a server whose state is in a folder.
func newTaskFixture(t *testing.T, dir string) *taskFixture {
	f := &taskFixture{serverFixture: newServerFixture(t), callbacks: make(chan string, 200), release: make(chan struct{}), end: func() {}}
	f.api.Config.Handler = http.HandlerFunc(f.answerLong)
	f.restart(dir)
	t.Cleanup(func() { f.end() })
	return f
}

// restart replaces the server by a new one, as a process does that ends and is started again.
func (f *taskFixture) restart(dir string) {
	f.end()
	store := state.New(dir)
	ex := executor.New(executor.Options{
		Runners: map[tool.Kind]executor.Runner{
			tool.KindHTTP:         exechttp.New(rest.Options{}),
			tool.KindAsyncWebhook: webhook.New(webhook.Options{State: store}),
		},
		LookupEnv: func(string) (string, bool) { return "", false },
	})
	f.server = New(Options{Run: ex.Run, Version: "1", State: store, Resumer: ex, ApplyAnswers: func(req *executor.Request) {
		req.Trusted, req.AllowHosts = true, []string{"127.0.0.1"}
	}})
	f.end = sync.OnceFunc(func() {
		f.server.Close()
		_ = ex.Close()
	})
	f.set(longTools)
}

func (f *taskFixture) answerLong(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/order":
		var order struct{ CallbackURL string }
		if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
			f.t.Error(err)
		}
		w.WriteHeader(http.StatusAccepted)
		f.callbacks <- order.CallbackURL
	case strings.HasPrefix(r.URL.Path, "/compute/"):
		n := f.computing.Add(1)
		for most := f.most.Load(); n > most && !f.most.CompareAndSwap(most, n); most = f.most.Load() {
		}
		defer f.computing.Add(-1)
		select {
		case <-f.release:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"id":%q}`, strings.TrimPrefix(r.URL.Path, "/compute/"))
		case <-r.Context().Done():
		}
	case r.URL.Path == "/refused":
		http.Error(w, "not today 🛫", http.StatusTeapot)
	default:
		f.answer(w, r)
	}
}

// send posts the result of an order, as soon as the server listens for it.
func (f *taskFixture) send(callback, body string) {
	f.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		resp, err := http.Post(callback, "application/json", strings.NewReader(body))
		if err == nil {
			resp.Body.Close()
			return
		}
		if time.Now().After(end) {
			f.t.Fatal(err)
		}
	}
}

// taskClient is a client of the library that announces the extension, of which the library itself
// knows nothing.
type taskClient struct {
	*sdk.ClientSession
	t    *testing.T
	mu   sync.Mutex
	last json.RawMessage // the last result as it was sent
}

// recorder keeps the results that arrive.
type recorder struct {
	sdk.Transport
	client *taskClient
}

func (r recorder) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := r.Transport.Connect(ctx)
	return recording{c, r.client}, err
}

type recording struct {
	sdk.Connection
	client *taskClient
}

func (r recording) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := r.Connection.Read(ctx)
	if answer, ok := m.(*jsonrpc.Response); ok {
		r.client.mu.Lock()
		r.client.last = answer.Result
		r.client.mu.Unlock()
	}
	return m, err
}

// taskRouting sends the id of a task in the header Mcp-Name.
type taskRouting struct{}

func (taskRouting) RoundTrip(r *http.Request) (*http.Response, error) {
	var m struct{ Params taskParams }
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		if json.NewDecoder(body).Decode(&m) == nil && m.Params.ID != "" {
			r = r.Clone(r.Context())
			r.Header.Set(nameHeader, m.Params.ID)
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// taskMessage is what the tests read of all messages of the extension.
type taskMessage struct {
	sdk.ResultBase
	ResultType     string     `json:"resultType"`
	TaskID         string     `json:"taskId"`
	Status         taskStatus `json:"status"`
	StatusMessage  string     `json:"statusMessage"`
	CreatedAt      time.Time  `json:"createdAt"`
	TTLMs          *int64     `json:"ttlMs"`
	PollIntervalMs int64      `json:"pollIntervalMs"`
	InputRequests  map[string]struct {
		Method string `json:"method"`
		Params struct {
			Message string `json:"message"`
		} `json:"params"`
	} `json:"inputRequests"`
	Result *sdk.CallToolResult `json:"result"`
	Error  *jsonrpc.Error      `json:"error"`
}

// connectTasks connects a client that announces the extension.
func (f *taskFixture) connectTasks(endpoint, version string, extensions ...string) *taskClient {
	f.t.Helper()
	capabilities := &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}}}
	for _, name := range extensions {
		capabilities.AddExtension(name, nil)
	}
	c := &taskClient{t: f.t}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{Capabilities: capabilities})
	for _, method := range []string{methodTasksGet, methodTasksUpdate, methodTasksCancel} {
		if err := sdk.AddSendingCustomMethod[*updateParams, *taskMessage](client, method); err != nil {
			f.t.Fatal(err)
		}
	}
	transport := f.pipes()
	if endpoint != "" {
		transport = &sdk.StreamableClientTransport{Endpoint: endpoint, HTTPClient: &http.Client{Transport: taskRouting{}}}
	}
	session, err := client.Connect(f.t.Context(), recorder{transport, c}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = session.Close() })
	c.ClientSession = session
	return c
}

type updateParams struct {
	sdk.ParamsBase
	TaskID         string         `json:"taskId"`
	InputResponses map[string]any `json:"inputResponses,omitempty"`
}

// start calls a tool, and returns the task that it becomes.
func (c *taskClient) start(name string, args any) taskMessage {
	c.t.Helper()
	if _, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: name, Arguments: args}); err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var m taskMessage
	if err := json.Unmarshal(c.last, &m); err != nil {
		c.t.Fatalf("%v: %s", err, c.last)
	}
	return m
}

func (c *taskClient) ask(method string, p *updateParams) (*taskMessage, error) {
	return sdk.CallCustomMethod[*updateParams, *taskMessage](c.t.Context(), c.ClientSession, method, p)
}

func (c *taskClient) get(id string) *taskMessage {
	c.t.Helper()
	m, err := c.ask(methodTasksGet, &updateParams{TaskID: id})
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}

// await asks for a task until it has a status.
func (c *taskClient) await(id string, status taskStatus) *taskMessage {
	c.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		m := c.get(id)
		if m.Status == status {
			return m
		}
		if m.Status.isEnd() {
			c.t.Fatalf("%s: %s %+v", status, m.Status, m.Error)
		}
	}
	c.t.Fatalf("it is not %s", status)
	return nil
}

// codeOf returns the code of a protocol error.
func codeOf(err error) int64 {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return e.Code
	}
	return 0
}

// pipes connects a client to the server by pipes.
func (f *taskFixture) pipes() sdk.Transport {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	server := f.server
	go func() {
		ended <- server.Serve(context.Background(), toServer, fromServer)
		fromServer.Close()
	}()
	f.t.Cleanup(func() {
		fromClient.Close()
		if err := <-ended; err != nil {
			f.t.Errorf("the server ended with %v", err)
		}
	})
	return &sdk.IOTransport{Reader: toClient, Writer: fromClient}
}

// TestTaskResultLater checks that a client that announces the extension gets a task at once and the
// result later, on pipes and over HTTP, in each version of the protocol, and that other tools and
// other clients get results at once.
func TestTaskResultLater(t *testing.T) {
	for _, version := range taskVersions {
		for _, transport := range []string{"pipes", "http"} {
			t.Run(transport+" "+version, func(t *testing.T) {
				f := newTaskFixture(t, t.TempDir())
				endpoint := ""
				if transport == "http" {
					endpoint = f.serving()
				}
				c := f.connectTasks(endpoint, version, tasksExtension)
				made := c.start("order", map[string]any{"id": "7"})
				if made.ResultType != "task" || made.Status != taskWorking || made.TaskID == "" || made.PollIntervalMs <= 0 || made.TTLMs != nil || made.CreatedAt.IsZero() {
					t.Fatalf("%s", c.last)
				}
				callback := <-f.callbacks
				if m := c.await(made.TaskID, taskWorking); m.ResultType != resultComplete || m.Result != nil {
					t.Errorf("%+v", m)
				}
				f.send(callback, `{"price":10.50,"said":"🛫"}`)
				m := c.await(made.TaskID, taskCompleted)
				if text := textOf(m.Result); text != `{"price":10.50,"said":"🛫"}` || m.Result.IsError || m.TTLMs == nil || *m.TTLMs < taskRetention.Milliseconds() {
					t.Errorf("%s %+v", text, m)
				}
				if m := c.start("quick", map[string]any{"id": "7"}); m.TaskID != "" {
					t.Errorf("%s", c.last)
				}
				other := f.connectTasks(endpoint, version)
				go func() { f.send(<-f.callbacks, `{}`) }()
				if m := other.start("order", map[string]any{"id": "7"}); m.TaskID != "" {
					t.Errorf("%s", other.last)
				}
				if _, err := other.ask(methodTasksGet, &updateParams{TaskID: made.TaskID}); codeOf(err) != sdk.CodeMissingRequiredClientCapabilities {
					t.Error(err)
				}
				if _, err := c.ask(methodTasksGet, &updateParams{TaskID: "none"}); codeOf(err) != jsonrpc.CodeInvalidParams {
					t.Error(err)
				}
			})
		}
	}
}

// TestTaskFailure checks that the failure of a tool is the result of its task.
func TestTaskFailure(t *testing.T) {
	f := newTaskFixture(t, t.TempDir())
	c := f.connectTasks("", firstRoundsVersion, tasksExtension)
	m := c.await(c.start("refused", nil).TaskID, taskCompleted)
	if !m.Result.IsError || !strings.Contains(textOf(m.Result), "not today 🛫") {
		t.Errorf("%+v", m.Result)
	}
}

// TestTaskCancel checks that a cancelled task ends with its call, and that a task can be cancelled
// again.
func TestTaskCancel(t *testing.T) {
	f := newTaskFixture(t, t.TempDir())
	c := f.connectTasks("", firstRoundsVersion, tasksExtension)
	id := c.start("compute", map[string]any{"id": "1"}).TaskID
	f.awaitComputing(1)
	for range 2 {
		ack, err := c.ask(methodTasksCancel, &updateParams{TaskID: id})
		if err != nil || ack.ResultType != resultComplete || ack.TaskID != "" {
			t.Fatal(ack, err)
		}
	}
	if m := c.get(id); m.Status != taskCancelled || m.TTLMs == nil {
		t.Errorf("%+v", m)
	}
	f.awaitComputing(0)
}

// awaitComputing waits until that many computations run.
func (f *taskFixture) awaitComputing(n int32) {
	f.t.Helper()
	for end := time.Now().Add(patience); f.computing.Load() != n; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("%d computations, want %d", f.computing.Load(), n)
		}
	}
}

// TestTaskQuestions checks that a task asks the person while it runs, all questions at once, and
// goes on with the answers.
func TestTaskQuestions(t *testing.T) {
	accept, decline := map[string]any{"action": "accept"}, map[string]any{"action": "decline"}
	for _, version := range taskVersions {
		t.Run(version, func(t *testing.T) {
			f := newTaskFixture(t, t.TempDir())
			c := f.connectTasks("", version, tasksExtension)
			answer := func(id string, responses map[string]any) {
				t.Helper()
				if ack, err := c.ask(methodTasksUpdate, &updateParams{TaskID: id, InputResponses: responses}); err != nil || ack.ResultType != resultComplete {
					t.Fatal(ack, err)
				}
			}
			id := c.start("drop", map[string]any{"id": "7"}).TaskID
			asked := c.await(id, taskInputRequired).InputRequests
			if len(asked) == 0 {
				t.Fatal("nothing is asked")
			}
			answer(id, map[string]any{"unknown": map[string]any{"odd": true}})
			seen := map[string]bool{}
			for m := c.get(id); !m.Status.isEnd(); m = c.get(id) {
				for key, q := range m.InputRequests {
					if q.Method != "elicitation/create" || !strings.Contains(q.Params.Message, "7") || seen[key] {
						t.Errorf("%s %+v", key, q)
					}
					seen[key] = true
					answer(id, map[string]any{key: accept})
				}
			}
			if m := c.get(id); m.Status != taskCompleted || m.Result.IsError {
				t.Errorf("%+v", m)
			}
			if got := f.asked(); len(got) != 1 || !strings.HasPrefix(got[0], "DELETE /things/7") {
				t.Errorf("%q", got)
			}
			id = c.start("drop", map[string]any{"id": "8"}).TaskID
			for m := c.await(id, taskInputRequired); !m.Status.isEnd(); m = c.get(id) {
				for key := range m.InputRequests {
					answer(id, map[string]any{key: decline})
				}
			}
			if m := c.get(id); !m.Result.IsError || !strings.HasPrefix(textOf(m.Result), "denied: ") {
				t.Errorf("%+v", m)
			}
			id = c.start("drop", map[string]any{"id": "9"}).TaskID
			for key := range c.await(id, taskInputRequired).InputRequests {
				_, err := c.ask(methodTasksUpdate, &updateParams{TaskID: id, InputResponses: map[string]any{key: map[string]any{}}})
				if codeOf(err) != jsonrpc.CodeInvalidParams {
					t.Error(err)
				}
			}
			if got := f.asked(); len(got) != 1 {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestTaskOfOtherReplica cancels tasks and answers their questions through a server that does not run
// them.
func TestTaskOfOtherReplica(t *testing.T) {
	dir := t.TempDir()
	f, other := newTaskFixture(t, dir), newTaskFixture(t, dir)
	c, far := f.connectTasks("", firstRoundsVersion, tasksExtension), other.connectTasks("", firstRoundsVersion, tasksExtension)
	t.Run("cancel", func(t *testing.T) {
		id := c.start("compute", map[string]any{"id": "1"}).TaskID
		f.awaitComputing(1)
		if m := far.get(id); m.Status != taskWorking {
			t.Errorf("%+v", m)
		}
		for range 2 {
			if ack, err := far.ask(methodTasksCancel, &updateParams{TaskID: id}); err != nil || ack.ResultType != resultComplete {
				t.Fatal(ack, err)
			}
		}
		far.await(id, taskCancelled)
		f.awaitComputing(0)
	})
	for _, name := range []string{"drop", "private_drop"} {
		t.Run(name, func(t *testing.T) {
			before := len(f.asked())
			id := c.start(name, map[string]any{"id": "7"}).TaskID
			far.await(id, taskInputRequired)
			for m := c.get(id); !m.Status.isEnd(); m = c.get(id) {
				shown := far.get(id).InputRequests
				for key, q := range m.InputRequests {
					if _, ok := shown[key]; ok != (name == "drop") && !far.get(id).Status.isEnd() {
						t.Errorf("the other server shows %+v of %s", shown, q.Params.Message)
					}
					if _, err := far.ask(methodTasksUpdate, &updateParams{TaskID: id, InputResponses: map[string]any{key: map[string]any{}}}); codeOf(err) != jsonrpc.CodeInvalidParams {
						t.Error(err)
					}
					responses := map[string]any{key: map[string]any{"action": "accept"}, "unknown": map[string]any{"odd": true}}
					if ack, err := far.ask(methodTasksUpdate, &updateParams{TaskID: id, InputResponses: responses}); err != nil || ack.ResultType != resultComplete {
						t.Fatal(ack, err)
					}
					for now := m; now.InputRequests[key].Method != ""; now = c.get(id) { // until the answer has arrived
						time.Sleep(10 * time.Millisecond)
					}
				}
			}
			if m := c.get(id); m.Status != taskCompleted || m.Result.IsError {
				t.Errorf("%+v", m)
			}
			if got := f.asked()[before:]; len(got) != 1 || !strings.HasPrefix(got[0], "DELETE /things/7") {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestTaskRestart checks what a client gets after the server was started again: a result that had
// come, one that comes now, and an honest error for the others.
func TestTaskRestart(t *testing.T) {
	dir := t.TempDir()
	f := newTaskFixture(t, dir)
	c := f.connectTasks("", firstRoundsVersion, tasksExtension)
	done := c.start("order", map[string]any{"id": "1"}).TaskID
	f.send(<-f.callbacks, `{"n":1}`)
	c.await(done, taskCompleted)
	unkept := c.start("private_order", nil).TaskID
	f.send(<-f.callbacks, `{"n":2}`)
	if m := c.await(unkept, taskCompleted); textOf(m.Result) != `{"n":2}` {
		t.Errorf("%+v", m)
	}
	waiting := c.start("order", map[string]any{"id": "3"}).TaskID
	callback := <-f.callbacks
	lost := c.start("compute", map[string]any{"id": "4"}).TaskID
	f.awaitComputing(1)
	asking := c.start("drop", map[string]any{"id": "5"}).TaskID
	c.await(asking, taskInputRequired)

	f.restart(dir)
	c = f.connectTasks("", firstRoundsVersion, tasksExtension)
	if m := c.get(done); m.Status != taskCompleted || textOf(m.Result) != `{"n":1}` {
		t.Errorf("%+v", m)
	}
	c.await(waiting, taskWorking)
	f.send(callback, `{"n":3}`)
	if m := c.await(waiting, taskCompleted); textOf(m.Result) != `{"n":3}` {
		t.Errorf("%+v", m)
	}
	for id, want := range map[string]string{
		unkept: "does not allow it to be stored", lost: "its result is lost; whether the call had an effect is not known", asking: "waited for an answer",
	} {
		m := c.await(id, taskFailed)
		if m.Error == nil || m.Error.Code != jsonrpc.CodeInternalError || !strings.Contains(m.Error.Message, want) || m.StatusMessage != m.Error.Message {
			t.Errorf("%+v, want %s", m.Error, want)
		}
	}
}

// TestTaskExpiry checks that an ended task is kept for its time and no longer, and that a question
// without an answer ends its call.
func TestTaskExpiry(t *testing.T) {
	dir := t.TempDir()
	f := newTaskFixture(t, dir)
	f.server.tasks.retention = 300 * time.Millisecond
	c := f.connectTasks("", firstRoundsVersion, tasksExtension)
	id := c.start("refused", nil).TaskID
	m := c.await(id, taskCompleted)
	if *m.TTLMs < 300 {
		t.Error(*m.TTLMs)
	}
	f.awaitUnknown(c, id)
	if all, err := f.server.tasks.store.all(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if m := c.await(c.start("drop", map[string]any{"id": "7"}).TaskID, taskCompleted); !m.Result.IsError || !strings.Contains(textOf(m.Result), "nobody has answered") {
		t.Errorf("%+v", m)
	}
	id = c.start("refused", nil).TaskID
	c.await(id, taskCompleted)
	f.restart(dir)
	f.awaitUnknown(f.connectTasks("", firstRoundsVersion, tasksExtension), id)
}

// awaitUnknown waits until a task is forgotten.
func (f *taskFixture) awaitUnknown(c *taskClient, id string) {
	f.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if _, err := c.ask(methodTasksGet, &updateParams{TaskID: id}); codeOf(err) == jsonrpc.CodeInvalidParams {
			return
		}
	}
	f.t.Fatal("the task is still known")
}

// TestManyTasks checks that a hundred tasks at once are all answered, and that only some of their
// calls run at the same time.
func TestManyTasks(t *testing.T) {
	f := newTaskFixture(t, t.TempDir())
	c := f.connectTasks("", firstRoundsVersion, tasksExtension)
	ids := map[string]string{}
	for i := range 50 {
		n := fmt.Sprint(i)
		ids[c.start("compute", map[string]any{"id": n}).TaskID] = n
		ids[c.start("order", map[string]any{"id": n}).TaskID] = "order"
	}
	f.awaitComputing(maxRunning)
	for range 50 { // orders wait elsewhere
		f.send(<-f.callbacks, `{"id":"order"}`)
	}
	close(f.release)
	for id, want := range ids {
		if m := c.await(id, taskCompleted); textOf(m.Result) != fmt.Sprintf(`{"id":%q}`, want) {
			t.Errorf("%s: %+v", want, m)
		}
	}
	if most := f.most.Load(); most != maxRunning {
		t.Errorf("%d at once", most)
	}
}

// TestTaskCaller checks that only the caller of a task may ask about it.
func TestTaskCaller(t *testing.T) {
	f := newTaskFixture(t, t.TempDir())
	c := f.connectTasks("", firstRoundsVersion, tasksExtension)
	id := c.start("compute", map[string]any{"id": "1"}).TaskID
	f.server.tasks.find(id).record.Caller = "bob"
	for _, who := range []string{"", "eve", "bob"} {
		ctx := withRequester(t.Context(), requester{owner: who})
		_, err := f.server.tasks.get(ctx, nil, &taskParams{ID: id})
		if (err == nil) != (who == "bob") {
			t.Errorf("%q: %v", who, err)
		}
	}
}

// TestTaskResultSizes checks that the results that are kept are bounded: a result that is too much is
// lost with an error that says so, and while there is no room, calls are answered without a task.
func TestTaskResultSizes(t *testing.T) {
	f := newTaskFixture(t, t.TempDir())
	c := f.connectTasks("", firstRoundsVersion, tasksExtension)
	f.server.tasks.limit = 10
	close(f.release)
	m := c.start("compute", map[string]any{"id": "1"})
	for end := time.Now().Add(patience); !c.get(m.TaskID).Status.isEnd(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not end")
		}
	}
	if got := c.get(m.TaskID); got.Status != taskFailed || !strings.Contains(got.Error.Message, "at most 10 bytes") {
		t.Errorf("%+v", got)
	}
	f.server.tasks.limit = 1000
	kept := c.start("compute", map[string]any{"id": "2"}).TaskID
	c.await(kept, taskCompleted)
	f.server.tasks.limit = 20
	if m := c.start("compute", map[string]any{"id": "3"}); m.TaskID != "" {
		t.Errorf("%+v", m)
	}
	f.server.tasks.forget(kept)
	f.server.tasks.limit = 1000
	if m := c.start("compute", map[string]any{"id": "4"}); m.TaskID == "" {
		t.Error("there is room again")
	}
}
