package mcp_test

import (
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

// watch records calls.
type watch struct {
	calls   atomic.Int64
	hanging chan struct{}
	ended   chan string // of calls that the server saw cancelled
}

func newWatch() *watch { return &watch{hanging: make(chan struct{}, 64), ended: make(chan string, 64)} }

func (w *watch) called(tool string) {
	switch tool {
	case "cancelled":
		w.ended <- tool
		return
	case "hang":
		w.hanging <- struct{}{}
	}
	w.calls.Add(1)
}

// hook returns the URL at which a process reports its calls.
func (w *watch) hook(t testing.TB) string {
	srv := httptest.NewServer(nethttp.HandlerFunc(func(_ nethttp.ResponseWriter, r *nethttp.Request) {
		w.called(r.URL.Query().Get("tool"))
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

const secretToken = "{{secrets." + conformance.Secret + "}}"

// ourProcess returns a server that is a process of this test binary.
func ourProcess(t testing.TB, w *watch) tool.Server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return tool.Server{Transport: "stdio", Command: self, Env: map[string]string{
		"ABL_TEST_SERVER": w.hook(t),
		"GORACE":          "atexit_sleep_ms=0", // or it would take a second to end
	}}
}

func TestConformance(t *testing.T) {
	over := map[string]func(*testing.T, *watch) (plain, leaky tool.Server, host string){
		"stdio": func(t *testing.T, w *watch) (plain, leaky tool.Server, host string) {
			plain, leaky = ourProcess(t, w), ourProcess(t, w)
			leaky.Env["TOKEN"] = secretToken
			return plain, leaky, ""
		},
		"streamable": at("http", "/mcp"),
		"json":       at("http", "/json"),
		"sse":        at("http", "/sse"),
		"websocket":  at("websocket", "/ws"),
	}
	for name, servers := range over {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWatch()
			plain, leaky, host := servers(t, w)
			conform(t, w, map[string]tool.Server{"plain": plain, "leaky": leaky}, host)
		})
	}
}

func at(transport, path string) func(*testing.T, *watch) (plain, leaky tool.Server, host string) {
	return func(t *testing.T, w *watch) (plain, leaky tool.Server, host string) {
		r := newRemote(t, w.called)
		plain = tool.Server{Transport: transport, URL: r.URL + path}
		leaky = plain
		leaky.Headers = map[string]string{"Authorization": "Bearer " + secretToken}
		return plain, leaky, r.Listener.Addr().String()
	}
}

func conform(t *testing.T, w *watch, servers map[string]tool.Server, host string) {
	runner := mcp.New(mcp.Options{})
	t.Cleanup(func() { runner.Close() })
	make := func(name, server string) tool.Tool {
		tl := tool.Tool{Name: name, Kind: tool.KindMCP, Spec: &tool.MCP{Server: server}, Params: conformance.Params()}
		tl.Hints.SideEffects = "false"
		return tl
	}
	write := make("write", "plain")
	write.Hints.SideEffects = "true"
	request := executor.Request{Environment: executor.Environment{Servers: servers, Root: t.TempDir()}}
	if host != "" {
		request.AllowHosts = []string{host}
	}
	conformance.Run(t, conformance.Kind{
		Runner:      runner,
		Request:     request,
		Echo:        make("echo", "plain"),
		Write:       write,
		Hang:        make("hang", "plain"),
		Flood:       make("flood", "plain"),
		Refuse:      make("refuse", "plain"),
		Leak:        make("leak", "leaky"),
		Broken:      make("broken", "leaky"),
		Calls:       func() int { return int(w.calls.Load()) },
		HangArrived: w.hanging,
	})
}
