package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/executor/webhook"
	"github.com/abl-lsp/abl-lsp/lsp"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/tool"
)

const reportTools = `TOOLS:
  generate_report(report_type: string) -> {report_url: string, status: string}
    description: "Generates a 東京 report 🚀"
    type: async_webhook
    endpoint: "API/order"
    method: POST
    on_result:
      set:
        last_report: result.report_url
`

// reportService is a folder with a tool whose results arrive later.
type reportService struct {
	t          *testing.T
	dir, state string
	file       uri.URI
	callbacks  chan string
	log        *zap.Logger // nil: none
}

func newReportService(t *testing.T) *reportService {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &reportService{t: t, dir: dir, state: t.TempDir(), callbacks: make(chan string, 10)}
	office := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var order struct{ CallbackURL string }
		if err := json.NewDecoder(req.Body).Decode(&order); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusAccepted)
		r.callbacks <- order.CallbackURL
	}))
	t.Cleanup(office.Close)
	r.file = uri.File(filepath.Join(dir, "reports.tools.abl"))
	r.write(strings.ReplaceAll(reportTools, "API", office.URL))
	return r
}

func (r *reportService) write(text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, "reports.tools.abl"), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// startSession starts a session. Only its state is left when it ends, as when a process
// ends.
func (r *reportService) startSession(options ...func(*protocol.InitializeParams)) *lsptest.Client {
	r.t.Helper()
	c := lsptest.Start(r.t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		kept := state.New(r.state)
		x := executor.New(executor.Options{
			Runners:  map[tool.Kind]executor.Runner{tool.KindAsyncWebhook: webhook.New(webhook.Options{State: kept})},
			StateDir: r.state,
		})
		defer x.Close()
		return lsp.Serve(ctx, lsp.Options{In: in, Out: out, Executor: x, State: kept, Logger: r.log})
	})
	c.Initialize(append([]func(*protocol.InitializeParams){
		lsptest.WithFolders(r.dir), lsptest.WithProgress(), lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`),
	}, options...)...)
	return c
}

// startRun runs the tool, and returns the callback URL of the run.
func (r *reportService) startRun(c *lsptest.Client) string {
	r.t.Helper()
	run := func(more string) lsptest.Pending {
		argument := fmt.Sprintf(`{"uri":%q,"tool":"generate_report","args":{"report_type":"q1"}%s}`, r.file, more)
		return c.Start(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
			Command: "abl.run", Arguments: []protocol.LSPAny{protocol.LSPAny(argument)},
		})
	}
	var raw protocol.LSPAny
	if err := run("").Wait(&raw); err != nil {
		r.t.Fatal(err)
	}
	var e envelope
	if err := json.Unmarshal(raw, &e); err != nil || e.Needs == nil || e.Needs.Confirmation == nil {
		r.t.Fatalf("%s %v", raw, err)
	}
	run(fmt.Sprintf(`,"confirm":%q`, e.Needs.Confirmation.Digest))
	callback := <-r.callbacks
	c.Await(protocol.MethodProgress, messageContains("waiting for the callback, up to 1h"))
	return callback
}

func messageContains(text string) func(jsonrpc2.RawMessage) bool {
	return func(raw jsonrpc2.RawMessage) bool { return strings.Contains(string(raw), text) }
}

func (r *reportService) post(callback, body string) int {
	resp, err := http.Post(callback, "application/json", strings.NewReader(body))
	if err != nil {
		return 0
	}
	resp.Body.Close()
	return resp.StatusCode
}

// result waits for the result of a run that an earlier session began.
func (r *reportService) result(c *lsptest.Client) envelope {
	r.t.Helper()
	var notification struct {
		URI      uri.URI  `json:"uri"`
		Envelope envelope `json:"envelope"`
	}
	if err := json.Unmarshal(c.Await("abl/runResult", nil).Params, &notification); err != nil || notification.URI != r.file {
		r.t.Fatalf("%+v %v", notification, err)
	}
	return notification.Envelope
}

const reportResult = `{"report_url":"https://r/東京","status":"done"}`

// TestCallbackSurvivesRestart ends the first session without a shutdown. The second one
// waits at the same URL.
func TestCallbackSurvivesRestart(t *testing.T) {
	r := newReportService(t)
	first := r.startSession()
	callback := r.startRun(first)
	first.Disconnect()
	first.Wait()
	if got := r.post(callback, reportResult); got != 0 {
		t.Errorf("something still listens: %d", got)
	}

	// Neither a session that is not trusted nor one of another folder waits.
	for name, option := range map[string]func(*protocol.InitializeParams){
		"a session that is not trusted": lsptest.WithOptions(`{"trusted":false}`),
		"a session of another folder":   lsptest.WithFolders(t.TempDir()),
	} {
		t.Run(name, func(t *testing.T) {
			c := r.startSession(option)
			c.Exit()
			if got := len(c.Messages("window/workDoneProgress/create")); got > 0 {
				t.Errorf("%d are waited for", got)
			}
		})
	}

	second := r.startSession()
	second.Await(protocol.MethodProgress, messageContains("waiting for the callback, up to"))
	if got := r.post(callback, reportResult); got != 204 {
		t.Errorf("%d", got)
	}
	e := r.result(second)
	if !e.OK || string(e.Value) != reportResult {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	second.Await(protocol.MethodWindowShowMessage, messageContains("generate_report, which an earlier session began: done"))
	second.Exit()

	third := r.startSession()
	third.Exit()
	if got := len(third.Messages("window/workDoneProgress/create")); got > 0 {
		t.Errorf("%d are waited for, after it came", got)
	}
}

// TestCallbackIsTakenOver starts a second session before the first one ends.
func TestCallbackIsTakenOver(t *testing.T) {
	r := newReportService(t)
	core, log := observer.New(zap.DebugLevel)
	r.log = zap.New(core)
	first := r.startSession()
	callback := r.startRun(first)
	second := r.startSession()
	first.Exit()
	second.Await(protocol.MethodProgress, messageContains("waiting for the callback, up to"))
	if got := r.post(callback, `{"report_url":4711,"status":"done"}`); got != 204 {
		t.Errorf("%d", got)
	}
	if e := r.result(second); e.kind() != "result" || !strings.Contains(e.Error.Message, "4711") {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	second.Await(protocol.MethodWindowShowMessage, messageContains("4711"))
	for _, line := range log.All() {
		if strings.Contains(line.Message, "4711") {
			t.Errorf("the log quotes what came: %s", line.Message)
		}
	}
}

// TestCallbackOfMissingTool checks that the result of a tool that does not exist any more
// is reported without being checked.
func TestCallbackOfMissingTool(t *testing.T) {
	r := newReportService(t)
	first := r.startSession()
	callback := r.startRun(first)
	first.Disconnect()
	first.Wait()
	r.write("TOOLS:\n")
	second := r.startSession()
	second.Await(protocol.MethodProgress, messageContains("waiting for the callback, up to"))
	r.post(callback, `{"other":1}`)
	if e := r.result(second); !e.OK || string(e.Value) != `{"other":1}` {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	second.Await(protocol.MethodWindowShowMessage, messageContains("generate_report is not what it was"))
}

// TestCallbackIsCancelled has the person cancel the wait in the second session. Then it
// is over.
func TestCallbackIsCancelled(t *testing.T) {
	r := newReportService(t)
	first := r.startSession()
	r.startRun(first)
	first.Disconnect()
	first.Wait()
	second := r.startSession()
	waiting := second.Await(protocol.MethodProgress, messageContains("waiting for the callback, up to"))
	var p protocol.ProgressParams
	if err := protocol.Unmarshal(waiting.Params, &p); err != nil {
		t.Fatal(err)
	}
	second.Notify(protocol.MethodWindowWorkDoneProgressCancel, &protocol.WorkDoneProgressCancelParams{Token: p.Token})
	if e := r.result(second); e.Error == nil || e.Error.Code != "cancelled" {
		t.Errorf("%+v", e.Error)
	}
	second.Exit()
	third := r.startSession()
	third.Exit()
	if got := len(third.Messages("window/workDoneProgress/create")); got > 0 {
		t.Errorf("%d are waited for", got)
	}
}

// TestCallbackPortIsTaken checks that the person is warned if the port is in use.
func TestCallbackPortIsTaken(t *testing.T) {
	r := newReportService(t)
	first := r.startSession()
	callback := r.startRun(first)
	first.Disconnect()
	first.Wait()
	address, _, _ := strings.Cut(strings.TrimPrefix(callback, "http://"), "/")
	l, err := net.Listen("tcp4", address)
	if err != nil {
		t.Fatal(err)
	}
	other := httptest.NewUnstartedServer(http.NotFoundHandler())
	other.Listener.Close()
	other.Listener = l
	other.Start()
	defer other.Close()
	second := r.startSession()
	second.Await(protocol.MethodWindowShowMessage, messageContains("The result of generate_report, which an earlier session began, cannot come"))
}
