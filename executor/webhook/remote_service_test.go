package webhook_test

import (
	"bytes"
	"encoding/json"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/executor/webhook"
	"github.com/abl-lsp/abl-lsp/tool"
)

// patience only bounds a test that fails.
const patience = time.Minute

// remoteService is the other side: it receives orders, and calls back later.
type remoteService struct {
	*httptest.Server
	t       *testing.T
	called  atomic.Int64
	posting sync.WaitGroup
}

// receivedRequest is a request that the office received.
type receivedRequest struct {
	method   string
	header   nethttp.Header
	body     string
	callback string // callbackUrl
	rest     []byte // the body without it
}

type handler func(*remoteService, nethttp.ResponseWriter, receivedRequest)

func startRemoteService(t *testing.T, handlers map[string]handler) *remoteService {
	o := &remoteService{t: t}
	mux := nethttp.NewServeMux()
	for path, handle := range handlers {
		mux.HandleFunc(path, func(w nethttp.ResponseWriter, r *nethttp.Request) {
			o.called.Add(1)
			handle(o, w, o.read(r))
		})
	}
	o.Server = httptest.NewServer(mux)
	t.Cleanup(func() { o.posting.Wait(); o.Close() })
	return o
}

func (o *remoteService) calls() int { return int(o.called.Load()) }

func (o *remoteService) read(r *nethttp.Request) receivedRequest {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		o.t.Error(err)
	}
	out := receivedRequest{method: r.Method, header: r.Header, body: string(raw)}
	var body map[string]json.RawMessage
	if json.Unmarshal(raw, &body) == nil {
		_ = json.Unmarshal(body["callbackUrl"], &out.callback)
		delete(body, "callbackUrl")
		var left bytes.Buffer
		e := json.NewEncoder(&left)
		e.SetEscapeHTML(false)
		_ = e.Encode(body)
		out.rest = left.Bytes()
	}
	return out
}

// later makes the office call back from another goroutine.
func (o *remoteService) later(url, contentType string, body io.Reader) {
	o.posting.Go(func() {
		if resp, err := nethttp.Post(url, contentType, body); err == nil {
			resp.Body.Close()
		}
	})
}

// send posts a callback and returns the status of the response, 0 for none. It uses its own
// connection, since an idle one would outlive the listener for a moment.
func send(t *testing.T, method, url, body string) int {
	t.Helper()
	req, err := nethttp.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	req.Header.Set("Content-Type", "application/json")
	resp, err := nethttp.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	resp.Body.Close()
	return resp.StatusCode
}

// fixture runs tools against an office, and receives the office's orders.
type fixture struct {
	*remoteService
	*executor.Executor
	t      *testing.T
	orders chan receivedRequest
	status atomic.Int64 // of the first answer; 0: 202
}

func startFixture(t *testing.T) *fixture {
	d := &fixture{t: t, orders: make(chan receivedRequest, 10)}
	d.remoteService = startRemoteService(t, map[string]handler{"/order": func(_ *remoteService, w nethttp.ResponseWriter, o receivedRequest) {
		d.orders <- o
		w.WriteHeader(int(max(d.status.Load(), 202)))
		_, _ = io.WriteString(w, `"the first answer"`)
	}})
	d.Executor = newExecutor(t, "")
	return d
}

// newExecutor returns an executor that behaves like a new process.
func newExecutor(t *testing.T, dir string) *executor.Executor {
	x := executor.New(executor.Options{
		Runners:  map[tool.Kind]executor.Runner{tool.KindAsyncWebhook: webhook.New(webhook.Options{State: state.New(dir)})},
		StateDir: dir,
	})
	t.Cleanup(func() { x.Close() })
	return x
}

// tool returns the tool generate_report of the language's documentation.
func (d *fixture) tool() *tool.Tool {
	text := &tool.Type{Name: "string"}
	return &tool.Tool{
		Name: "generate_report", Kind: tool.KindAsyncWebhook,
		Params: []tool.Param{{Name: "report_type", Type: text}, {Name: "date_range", Type: &tool.Type{Name: "any"}, Optional: true}},
		Returns: &tool.Type{Name: "object", Declared: true, Fields: []tool.TypeField{
			{Name: "report_url", Type: text}, {Name: "status", Type: text},
		}},
		Spec: &tool.AsyncWebhook{Endpoint: d.URL + "/order", Method: "POST"},
	}
}

func (d *fixture) request(tl *tool.Tool) executor.Request {
	return executor.Request{
		Tool: tl, Args: json.RawMessage(`{"report_type": "sales"}`), Trusted: true, Yes: true,
		AllowHosts: []string{d.Listener.Addr().String()},
	}
}

// start runs a tool in the background.
func (d *fixture) start(r executor.Request) <-chan executor.Envelope {
	done := make(chan executor.Envelope, 1)
	go func() { done <- d.Run(d.t.Context(), r) }()
	return done
}

func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatal("it did not come")
		panic("unreachable")
	}
}

func wants(t *testing.T, e executor.Envelope, kind executor.ErrorKind, code string) *executor.Error {
	t.Helper()
	if e.OK || e.Error == nil || e.Error.Kind != kind || e.Error.Code != code {
		t.Fatalf("%+v, want %s %s", e.Error, kind, code)
	}
	return e.Error
}

func succeeds(t *testing.T, e executor.Envelope, value string) {
	t.Helper()
	if !e.OK || string(e.Value) != value {
		t.Fatalf("%s %+v, want %s", e.Value, e.Error, value)
	}
}

func has(list []string, text string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, text) })
}
