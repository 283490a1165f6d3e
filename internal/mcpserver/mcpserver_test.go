package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	exechttp "github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

const patience = 30 * time.Second // for what must come; it ends sooner where it comes

// versions are the versions of the protocol in which a server asks the person in different ways.
var versions = []string{"2025-06-18", firstRoundsVersion}

// serverFixture is a server of tools with the API that these call.
type serverFixture struct {
	tools   []invoke.Tool // that are served
	t       *testing.T
	server  *Server
	api     *httptest.Server
	entered chan struct{} // of /slow
	left    chan struct{}

	mu   sync.Mutex
	sent []string // what the API was asked
}

const tools = `TOOLS:
  get_thing(id: string, tenant: string, price?: number) -> {id: string, price: number}
    description: "One thing, 東京 🛫"
    type: http
    endpoint: "API/things/{id}"
    method: GET
    parameters:
      tenant:
        hidden: true
        default: acme
  make_thing(name: string) -> object
    type: http
    endpoint: "API/things"
    method: POST
  drop_thing(id: string) -> object
    type: http
    endpoint: "API/things/{id}"
    method: DELETE
    permissions: [things:drop:{{id}}]
  slow() -> object
    type: http
    endpoint: "API/slow"
    method: GET
  words() -> string
    type: http
    endpoint: "API/words"
    method: GET
    streaming: true
  private() -> object
    type: http
    endpoint: "API/private"
    method: GET
    headers: {Authorization: "Bearer {{secrets.MCP_TEST_TOKEN}}"}
  never() -> object
    risk_level: blocked
    type: http
    endpoint: "API/never"
    method: GET
`

func newServerFixture(t *testing.T) *serverFixture {
	d := &serverFixture{t: t, entered: make(chan struct{}, 1), left: make(chan struct{}, 1)}
	d.api = httptest.NewServer(http.HandlerFunc(d.answer))
	t.Cleanup(d.api.Close)
	ex := executor.New(executor.Options{
		Runners:   map[tool.Kind]executor.Runner{tool.KindHTTP: exechttp.New(rest.Options{})},
		LookupEnv: func(string) (string, bool) { return "", false },
	})
	t.Cleanup(func() { _ = ex.Close() })
	d.server = New(Options{Run: ex.Run, Version: "1", DescribeTool: func(t *tool.Tool) string { return "described: " + t.Name }, ApplyAnswers: func(req *executor.Request) {
		req.Trusted, req.AllowHosts = true, []string{"127.0.0.1"}
	}})
	d.set(tools)
	return d
}

// answer handles the requests to the API.
func (d *serverFixture) answer(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	d.mu.Lock()
	d.sent = append(d.sent, strings.TrimSpace(r.Method+" "+r.URL.RequestURI()+" "+string(body)))
	d.mu.Unlock()
	switch r.URL.Path {
	case "/slow":
		d.entered <- struct{}{}
		<-r.Context().Done()
		d.left <- struct{}{}
	case "/words":
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: one 🛫\n\ndata: two\n\n")
	default:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"7","price":10.50}`)
	}
}

func (d *serverFixture) asked() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.sent)
}

// set makes the server offer the tools of an ABL text.
func (d *serverFixture) set(text string) (notOffered []string) {
	path := "/project/a.tools.abl"
	w := model.Workspace{}.With(path, syntax.Parse(strings.ReplaceAll(text, "API", d.api.URL)))
	d.tools = invoke.All(w, path, func(string) []model.Diagnostic { return nil })
	return d.server.Set(d.tools, nil)
}

// connect returns a client that is connected over a pair of pipes.
func (d *serverFixture) connect(version string, o *sdk.ClientOptions) *sdk.ClientSession {
	d.t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- d.server.Serve(context.Background(), toServer, fromServer)
		fromServer.Close()
	}()
	session := d.join(&sdk.IOTransport{Reader: toClient, Writer: fromClient}, version, o)
	d.t.Cleanup(func() {
		session.Close()
		fromClient.Close()
		if err := <-ended; err != nil {
			d.t.Errorf("the server ended with %v", err)
		}
	})
	return session
}

func (d *serverFixture) join(t sdk.Transport, version string, o *sdk.ClientOptions) *sdk.ClientSession {
	d.t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(d.t.Context(), t, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		d.t.Fatal(err)
	}
	return session
}

// call calls a tool. It returns the text that a model reads, and the whole result.
func (d *serverFixture) call(s *sdk.ClientSession, name, args string) (text string, r *sdk.CallToolResult) {
	d.t.Helper()
	r, err := s.CallTool(d.t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(args)})
	if err != nil {
		d.t.Fatal(err)
	}
	return textOf(r), r
}

func textOf(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

func TestList(t *testing.T) {
	d := newServerFixture(t)
	list, err := d.connect("", nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	byName := map[string]*sdk.Tool{}
	for _, l := range list.Tools {
		names, byName[l.Name] = append(names, l.Name), l
	}
	if got := strings.Join(names, " "); got != "drop_thing get_thing make_thing private slow words" {
		t.Error(got)
	}
	found := byName["get_thing"]
	input, _ := json.Marshal(found.InputSchema)
	output, _ := json.Marshal(found.OutputSchema)
	if found.Description != "One thing, 東京 🛫" || !strings.Contains(string(input), `"id":`) || strings.Contains(string(input), "tenant") || !strings.Contains(string(output), `"price":`) {
		t.Errorf("%+v %s %s", found, input, output)
	}
	if !found.Annotations.ReadOnlyHint || byName["make_thing"].Annotations.ReadOnlyHint || !*byName["drop_thing"].Annotations.DestructiveHint {
		t.Errorf("%+v", found.Annotations)
	}
	if byName["words"].OutputSchema != nil {
		t.Error("a text has no schema of an object")
	}
	if notOffered := d.set(tools); len(notOffered) != 1 || !strings.HasPrefix(notOffered[0], "never: ") {
		t.Errorf("%q", notOffered)
	}
}

func TestCall(t *testing.T) {
	d := newServerFixture(t)
	s := d.connect("", nil)
	text, r := d.call(s, "get_thing", `{"id":"7"}`)
	if r.IsError || text != `{"id":"7","price":10.50}` || fmt.Sprint(r.StructuredContent) != "map[id:7 price:10.5]" {
		t.Errorf("%s %+v", text, r)
	}
	if got := d.asked(); !slices.Equal(got, []string{"GET /things/7?tenant=acme"}) {
		t.Errorf("%q", got)
	}
	if text, r := d.call(s, "get_thing", `{}`); !r.IsError || !strings.HasPrefix(text, "needs: ") || !strings.Contains(text, "id") {
		t.Error(text)
	}
	if text, r := d.call(s, "get_thing", `{"id":"7","price":"x"}`); !r.IsError || !strings.HasPrefix(text, "arguments: price") {
		t.Error(text)
	}
	if text, r := d.call(s, "private", `{}`); !r.IsError || !strings.Contains(text, "MCP_TEST_TOKEN") || !strings.Contains(text, "abl-lsp secrets set") {
		t.Error(text)
	}
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "never"}); err == nil {
		t.Error("a tool is called that is not listed")
	}
}

// TestModelContext checks that a model sees only the part of a result that the tool allows, in the
// answer and in the schema, and that the run keeps the whole result.
func TestModelContext(t *testing.T) {
	d := newServerFixture(t)
	d.set(strings.ReplaceAll(`TOOLS:
  cut(id: string) -> {id: string, price: number, owner?: string}
    description: "One thing 🛫"
    type: http
    endpoint: "API/things/{id}"
    method: GET
    model_context:
      fields: [id, owner]
  told(id: string) -> {id: string, price: number}
    description: "One thing 🛫"
    type: http
    endpoint: "API/things/{id}"
    method: GET
    MODEL_CONTEXT:
      TEMPLATE: |
        {{result.id}} costs {{ result.price }}, {{result.owner}}
`, "API", d.api.URL))
	var kept []string
	run := d.server.opts.Run
	d.server.opts.Run = func(ctx context.Context, r executor.Request) executor.Envelope {
		e := run(ctx, r)
		kept = append(kept, string(e.Value))
		return e
	}
	s := d.connect("", nil)
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list.Tools {
		output, _ := json.Marshal(l.OutputSchema)
		want := "null"
		if l.Name == "cut" {
			want = `{"properties":{"id":{"type":"string"},"owner":{"anyOf":[{"type":"string"},{"const":"unavailable"}]}},"required":["id","owner"],"type":"object"}`
		}
		if got := strings.Replace(string(output), `"$schema":"https://json-schema.org/draft/2020-12/schema",`, "", 1); got != want {
			t.Errorf("%s: %s", l.Name, got)
		}
	}
	if text, r := d.call(s, "cut", `{"id":"7"}`); text != `{"id":"7","owner":"unavailable"}` || fmt.Sprint(r.StructuredContent) != "map[id:7 owner:unavailable]" {
		t.Errorf("%s %+v", text, r)
	}
	if text, r := d.call(s, "told", `{"id":"7"}`); strings.TrimSpace(text) != "7 costs 10.50, unavailable" || r.StructuredContent != nil {
		t.Errorf("%s %+v", text, r)
	}
	if whole := `{"id":"7","price":10.50}`; !slices.Equal(kept, []string{whole, whole}) {
		t.Errorf("%q", kept)
	}
}

// TestCut checks that a model is told when a result was cut off, and that warnings reach the
// program.
func TestCut(t *testing.T) {
	d := newServerFixture(t)
	d.server.opts.Run = func(context.Context, executor.Request) executor.Envelope {
		return executor.Envelope{OK: true, Value: json.RawMessage(`[1]`), Truncated: &executor.Truncation{Kept: 1, Total: new(int64(7))}, Warnings: []string{"🛫"}}
	}
	_, r := d.call(d.connect("", nil), "get_thing", `{"id":"7"}`)
	if len(r.Content) != 2 || fmt.Sprint(r.Meta[warningsKey]) != "[🛫]" {
		t.Fatalf("%+v", r)
	}
	note := r.Content[1].(*sdk.TextContent)
	if raw, _ := json.Marshal(note.Meta); note.Text != "This is not all: the answer was cut off after 1 of 7." || string(raw) != `{"abl-lsp/truncated":{"kept":1,"total":7}}` {
		t.Errorf("%s %s", note.Text, raw)
	}
}

// TestTwoClients checks that two clients which call at the same time are each asked about their own
// call.
func TestTwoClients(t *testing.T) {
	d := newServerFixture(t)
	endpoint := d.serving()
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			name := fmt.Sprintf("thing %d 🛫", i)
			s := d.join(&sdk.StreamableClientTransport{Endpoint: endpoint}, versions[i%2], &sdk.ClientOptions{
				ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					if !strings.Contains(r.Params.Message, name) {
						t.Errorf("%s is asked %s", name, r.Params.Message)
					}
					return &sdk.ElicitResult{Action: map[bool]string{true: "accept", false: "decline"}[i < 3]}, nil
				},
			})
			defer s.Close()
			r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "make_thing", Arguments: map[string]any{"name": name}})
			if err != nil || r.IsError != (i >= 3) {
				t.Errorf("%s: %+v %v", name, r, err)
			}
		})
	}
	all.Wait()
	if got := d.asked(); len(got) != 3 {
		t.Errorf("%q", got)
	}
}

// TestBroken checks that a client learns why a broken tool is not listed, when it connects and when
// it calls the tool. If a working tool has the same name, that one is called.
func TestBroken(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			d := newServerFixture(t)
			broken := func(name string) BrokenTool {
				return BrokenTool{name, executor.RefusedEnvelope(nil, executor.Errorf(executor.KindDefinition, "x", "a.abl:7: no method 🛫"))}
			}
			d.server.Set(d.tools, []BrokenTool{broken("bad"), broken("get_thing")})
			s := d.connect(version, nil)
			if got := s.InitializeResult().Instructions; !strings.Contains(got, "left out") || !strings.Contains(got, "bad: a.abl:7: no method 🛫") {
				t.Errorf("%q", got)
			}
			if text, r := d.call(s, "bad", `{}`); !r.IsError || text != "definition: a.abl:7: no method 🛫" {
				t.Error(text)
			}
			if text, r := d.call(s, "get_thing", `{"id":"7"}`); r.IsError {
				t.Error(text)
			}
		})
	}
}

// TestInstructions checks that the instructions about broken tools are short, with one line for
// each.
func TestInstructions(t *testing.T) {
	d := newServerFixture(t)
	var broken []BrokenTool
	for i := range 100 {
		fault := executor.Errorf(executor.KindDefinition, "x", "a.abl:7: no\nmethod\x1b[2J 🛫 %s", strings.Repeat("x", 10_000))
		broken = append(broken, BrokenTool{fmt.Sprint("bad", i), executor.RefusedEnvelope(nil, fault)})
	}
	d.server.Set(nil, broken)
	got := d.connect("", nil).InitializeResult().Instructions
	lines := strings.Split(got, "\n")
	if len(lines) != 22 || !strings.HasPrefix(lines[1], "bad0: a.abl:7: no method [2J 🛫 xxx") || lines[21] != "and 80 others" || len(got) > 10_000 {
		t.Errorf("%d lines, %d bytes: %.200q … %q", len(lines), len(got), got, lines[len(lines)-1])
	}
}

// TestPipe checks that requests before the end of the input are answered. A question that the
// client can no longer answer ends with an error.
func TestPipe(t *testing.T) {
	d := newServerFixture(t)
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":"🛫","method":"tools/call","params":{"name":"get_thing","arguments":{"id":"7"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"make_thing","arguments":{"name":"x"}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/list"}`,
	}, "\n")
	var out bytes.Buffer
	if err := d.server.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Error(err)
	}
	for _, want := range []string{`"id":1,`, `"id":"🛫",`, `"id":3,`, `"id":4,`, `10.50`, `the client has gone`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, out.String())
		}
	}
	if got := d.asked(); !slices.Equal(got, []string{"GET /things/7?tenant=acme"}) {
		t.Errorf("%q", got)
	}
}

// TestMalformed checks that a malformed message gets an error, and that later messages are
// answered.
func TestMalformed(t *testing.T) {
	d := newServerFixture(t)
	call := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get_thing","arguments":{"id":"7"}}}`, id)
	}
	in := strings.Join([]string{
		`🛫 what?`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":`,
		``, "\t\r",
		call(2) + call(3),
		`"` + strings.Repeat("x", maxLine) + `"`,
		`{"jsonrpc":"1.0","id":4,"method":"ping"}`,
		`[]`, `42`, `null`,
		call(5) + "\r",
		`{"jsonrpc":"2.0"`,
	}, "\n")
	var out bytes.Buffer
	if err := d.server.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Error(err)
	}
	for want, times := range map[string]int{
		`"id":null,"error":{"code":-32700,`: 4, `"id":null,"error":{"code":-32600,`: 5, `"id":1,`: 1, `"id":5,"result"`: 1,
	} {
		if got := strings.Count(out.String(), want); got != times {
			t.Errorf("%s stands %d times, want %d: %s", want, got, times, out.String())
		}
	}
}

// TestLostStream checks that a failure to read the input is an error.
func TestLostStream(t *testing.T) {
	d := newServerFixture(t)
	lost := iotest.ErrReader(errors.New("the line is cut"))
	if err := d.server.Serve(t.Context(), lost, io.Discard); err == nil || !strings.Contains(err.Error(), "the line is cut") {
		t.Error(err)
	}
}

// TestStopped checks that the server ends without waiting for a call when its context is cancelled.
func TestStopped(t *testing.T) {
	d := newServerFixture(t)
	ctx, stop := context.WithCancel(t.Context())
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}}`
	go func() {
		<-d.entered
		stop()
	}()
	if err := d.server.Serve(ctx, strings.NewReader(in), io.Discard); err != nil {
		t.Error(err)
	}
	<-d.left
}

// TestDeadClient checks that the calls of a client end when the client dies and closes its pipes.
func TestDeadClient(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not say that nobody reads a pipe")
	}
	d := newServerFixture(t)
	heard, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}}`
	ended := make(chan error, 1)
	go func() { ended <- d.server.Serve(t.Context(), strings.NewReader(in), out) }()
	<-d.entered
	select {
	case err := <-ended:
		t.Errorf("the end of what the client says ends the call as well: %v", err)
	case <-time.After(3 * hangUpInterval):
	}
	heard.Close()
	for what, done := range map[string]func() error{
		"the request": func() error { <-d.left; return nil },
		"the server":  func() error { return <-ended },
	} {
		result := make(chan error, 1)
		go func() { result <- done() }()
		select {
		case err := <-result:
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(patience):
			t.Errorf("%s goes on", what)
		}
	}
}

// TestConfirm checks that a tool with side effects runs only after the person has confirmed, in
// each version of the protocol.
func TestConfirm(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			d := newServerFixture(t)
			var questions []string
			answers := []string{"accept", "accept", "accept", "decline", "accept", "decline"}
			s := d.connect(version, &sdk.ClientOptions{ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				questions = append(questions, r.Params.Message)
				action := answers[len(questions)-1]
				return &sdk.ElicitResult{Action: action}, nil
			}})
			if text, r := d.call(s, "make_thing", `{"name":"🛫"}`); r.IsError || len(questions) != 1 || !strings.Contains(questions[0], `make_thing(name: "🛫")`) {
				t.Errorf("%s %q", text, questions)
			}
			if text, r := d.call(s, "drop_thing", `{"id":"1"}`); r.IsError || len(questions) != 3 || questions[1] != "May drop_thing drop 1 (things)?" {
				t.Errorf("%s %q", text, questions)
			}
			if text, r := d.call(s, "make_thing", `{"name":"no"}`); !r.IsError || text != "denied: the person has said no to make_thing" {
				t.Errorf("%s %q", text, questions)
			}
			if text, r := d.call(s, "drop_thing", `{"id":"2"}`); !r.IsError || len(questions) != 6 || !strings.HasPrefix(text, "denied: ") {
				t.Errorf("%s %q", text, questions)
			}
			want := []string{`POST /things {"name":"🛫"}`, "DELETE /things/1"}
			if got := d.asked(); !slices.Equal(got, want) {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestDeclinedPermission checks that a call fails as denied, without a request to the API, if the
// person declines.
func TestDeclinedPermission(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			d := newServerFixture(t)
			s := d.connect(version, &sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				return &sdk.ElicitResult{Action: "decline"}, nil
			}})
			if text, r := d.call(s, "drop_thing", `{"id":"1"}`); !r.IsError || !strings.HasPrefix(text, "denied: ") || len(d.asked()) > 0 {
				t.Error(text)
			}
		})
	}
}

// TestClientCannotAsk checks that a client which cannot ask the person is told what to do, and
// that no request is sent.
func TestClientCannotAsk(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			d := newServerFixture(t)
			s := d.connect(version, nil)
			if text, r := d.call(s, "make_thing", `{"name":"x"}`); !r.IsError || !strings.HasPrefix(text, "needs: ") || !strings.Contains(text, "--yes") {
				t.Error(text)
			}
			if text, r := d.call(s, "drop_thing", `{"id":"x"}`); !r.IsError || !strings.Contains(text, "things:drop:x") || !strings.Contains(text, "abl.yaml") {
				t.Error(text)
			}
			if got := d.asked(); len(got) > 0 {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestForgedState checks that a client cannot confirm a call that the server did not ask about.
func TestForgedState(t *testing.T) {
	d := newServerFixture(t)
	s := d.connect(firstRoundsVersion, &sdk.ClientOptions{
		MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
		ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return &sdk.ElicitResult{Action: "accept"}, nil
		},
	})
	yes := sdk.InputResponseMap{"confirm": &sdk.ElicitResult{Action: "accept"}}
	call := func(args, state string) (*sdk.CallToolResult, error) {
		return s.CallTool(t.Context(), &sdk.CallToolParams{Name: "make_thing", Arguments: json.RawMessage(args), InputResponses: yes, RequestState: state})
	}
	first, err := call(`{"name":"a"}`, "")
	if err != nil || !first.NeedsInput() {
		t.Fatalf("%+v %v", first, err)
	}
	for name, forged := range map[string]struct{ args, state string }{
		"the state of another call": {`{"name":"b"}`, first.RequestState},
		"a made-up state":           {`{"name":"a"}`, "e30.e30"},
		"one letter more":           {`{"name":"a"}`, first.RequestState + "A"},
		"a word":                    {`{"name":"a"}`, "x"},
	} {
		t.Run(name, func(t *testing.T) {
			if r, err := call(forged.args, forged.state); err == nil {
				t.Errorf("%+v: %+v", forged, r)
			}
		})
	}
	if len(d.asked()) > 0 {
		t.Error("it was called")
	}
	if r, err := call(`{"name":"a"}`, first.RequestState); err != nil || r.IsError || len(d.asked()) != 1 {
		t.Errorf("%+v %v", r, err)
	}
}

// TestCancel checks that cancelling a call also ends its request to the API.
func TestCancel(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			d := newServerFixture(t)
			s := d.connect(version, nil)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-d.entered
				cancel()
			}()
			if _, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "slow"}); err == nil {
				t.Error("no error")
			}
			select {
			case <-d.left:
			case <-time.After(patience):
				t.Error("the request goes on")
			}
		})
	}
}

// TestProgress checks that a client gets the progress of a call while it runs, over HTTP too: the
// call continues only after the client got it.
func TestProgress(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			d := newServerFixture(t)
			heard := make(chan string, 10)
			d.server.opts.Run = func(ctx context.Context, req executor.Request) executor.Envelope {
				req.Report(executor.Progress{Message: "looking 🛫"})
				req.Report(executor.Progress{Chunk: "one"})
				for range 2 {
					select {
					case <-heard:
					case <-ctx.Done():
					case <-time.After(patience):
					}
				}
				return executor.Envelope{OK: true, Value: json.RawMessage(`"heard"`)}
			}
			var all []string
			o := &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
				all = append(all, fmt.Sprintf("%v %s", r.Params.Progress, r.Params.Message))
				heard <- r.Params.Message
			}}
			for name, s := range map[string]*sdk.ClientSession{
				"stdio": d.connect(version, o), "http": d.join(&sdk.StreamableClientTransport{Endpoint: d.serving()}, version, o),
			} {
				t.Run(name, func(t *testing.T) {
					all = nil
					params := &sdk.CallToolParams{Name: "words"}
					params.SetProgressToken("🛫 " + name)
					r, err := s.CallTool(t.Context(), params)
					if err != nil || textOf(r) != "heard" || !slices.Equal(all, []string{"1 looking 🛫", "2 one"}) {
						t.Errorf("%s %s: %+v %v %q", version, name, r, err, all)
					}
					s.Close()
				})
			}
		})
	}
}

// TestChange checks that clients are notified when the tools change, and that calls use the current
// tools.
func TestChange(t *testing.T) {
	d := newServerFixture(t)
	changed := make(chan struct{}, 10)
	s := d.connect("2025-06-18", &sdk.ClientOptions{ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { changed <- struct{}{} }})
	d.set(strings.Replace(tools, "get_thing(", "fetch_thing(", 1))
	select {
	case <-changed:
	case <-time.After(patience):
		t.Fatal("nothing is told")
	}
	if text, r := d.call(s, "fetch_thing", `{"id":"7"}`); r.IsError {
		t.Error(text)
	}
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_thing"}); err == nil {
		t.Error("a tool is called that is gone")
	}
}

// TestIdentify: tokens of whoever calls come in the headers that are called after their
// services.
func TestIdentify(t *testing.T) {
	req := executor.Request{AuthTokens: map[string]string{"once": "for all"}}
	req.Environment.AuthServices = map[string]tool.AuthService{"my-google-auth": {}, "staff": {}}
	r := &sdk.CallToolRequest{}
	addIdentityTokens(&req, r.Extra)
	if req.AuthTokens["once"] != "for all" {
		t.Errorf("%v", req.AuthTokens)
	}
	r.Extra = &sdk.RequestExtra{Header: http.Header{}}
	r.Extra.Header.Set("my-google-auth_token", "abc")
	r.Extra.Header.Set("other_token", "def")
	addIdentityTokens(&req, r.Extra)
	if fmt.Sprint(req.AuthTokens) != "map[my-google-auth:abc]" {
		t.Errorf("%v", req.AuthTokens)
	}
}
