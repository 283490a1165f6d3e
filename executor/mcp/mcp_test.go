package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// cancelGrace only bounds a test that fails.
const cancelGrace = time.Minute

// fixture runs tools of servers.
type fixture struct {
	testing.TB
	executor *executor.Executor
	request  executor.Request
	found    chan executor.Discovery
}

func newFixture(t testing.TB, o mcp.Options, servers map[string]tool.Server) *fixture {
	t.Helper()
	r := &fixture{TB: t, found: make(chan executor.Discovery, 16)}
	r.executor = executor.New(executor.Options{
		Runners:     map[tool.Kind]executor.Runner{tool.KindMCP: mcp.New(o)},
		LookupEnv:   func(string) (string, bool) { return "", false },
		OnDiscovery: func(d executor.Discovery) { r.found <- d },
	})
	t.Cleanup(func() { r.executor.Close() })
	r.request = executor.Request{
		Trusted:     true,
		AllowHosts:  []string{"127.0.0.1"},
		Environment: executor.Environment{Servers: servers, Root: t.TempDir()},
	}
	return r
}

// reading returns a tool of the server "s" that changes nothing.
func reading(name string) *tool.Tool {
	tl := &tool.Tool{Name: name, Kind: tool.KindMCP, Spec: &tool.MCP{Server: "s"}}
	tl.Hints.SideEffects = "false"
	return tl
}

func (r *fixture) run(tl *tool.Tool, args string) executor.Envelope {
	r.Helper()
	return r.runIn(r.Context(), tl, args)
}

func (r *fixture) runIn(ctx context.Context, tl *tool.Tool, args string) executor.Envelope {
	r.Helper()
	req := r.request
	req.Tool, req.Args = tl, json.RawMessage(args)
	return r.executor.Run(ctx, req)
}

// value runs a tool that must succeed, and returns its value.
func (r *fixture) value(tl *tool.Tool, args string) string {
	r.Helper()
	e := r.run(tl, args)
	if !e.OK {
		r.Fatalf("%s: %+v\n%s", tl.Name, e.Error, e.Console)
	}
	return string(e.Value)
}

// fails runs a tool that must fail with such an error.
func (r *fixture) fails(tl *tool.Tool, args string, kind executor.ErrorKind, part string) executor.Envelope {
	r.Helper()
	e := r.run(tl, args)
	if e.Error == nil || e.Error.Kind != kind || !strings.Contains(e.Error.Message, part) {
		r.Fatalf("%s: %s %+v, want %s %q", tl.Name, e.Value, e.Error, kind, part)
	}
	return e
}

// over returns servers of ours, by the transport through which they are reached.
func over(t *testing.T, run func(t *testing.T, w *watch, s tool.Server)) {
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		w := newWatch()
		run(t, w, ourProcess(t, w))
	})
	for _, at := range []struct{ transport, path string }{
		{"http", "/mcp"}, {"http", "/json"}, {"http", "/sse"}, {"websocket", "/ws"},
	} {
		t.Run(at.path[1:], func(t *testing.T) {
			t.Parallel()
			w := newWatch()
			run(t, w, tool.Server{Transport: at.transport, URL: newRemote(t, w.called).URL + at.path})
		})
	}
}

func one(s tool.Server) map[string]tool.Server { return map[string]tool.Server{"s": s} }

func TestValues(t *testing.T) {
	r := newFixture(t, mcp.Options{}, one(ourProcess(t, newWatch())))
	text, list := &tool.Type{Name: "string"}, &tool.Type{Name: "array", Elem: &tool.Type{Name: "object"}}
	object := &tool.Type{Name: "object"}
	for _, tt := range []struct {
		tool, args  string
		declared    *tool.Type
		value, text string
	}{
		{"echo", `{"input": "<&>"}`, object, `{"input":"<&>"}`, ""},
		{"echo", `{"input": "\\u003c"}`, object, `{"input":"\\u003c"}`, ""},
		{"texts", `["{\"id\": 12345678901234567890.10}"]`, object, `{"id": 12345678901234567890.10}`, ""},
		{"texts", `["10.50"]`, &tool.Type{Name: "number"}, `10.50`, ""},
		{"texts", `["10.50"]`, text, `"10.50"`, "10.50"},
		{"texts", `["a", "b"]`, text, `"a\nb"`, "a\nb"},
		{"texts", `["plain"]`, nil, `"plain"`, "plain"},
		{"texts", `["{\"a\": 1}"]`, nil, `{"a": 1}`, ""},
		{"texts", `["{\"a\": 1}", "{\"a\": 2}"]`, list, `[{"a":1},{"a":2}]`, ""},
		{"texts", `["[{\"a\": 1}]"]`, list, `[{"a": 1}]`, ""},
		{"texts", `[]`, text, `""`, ""},
		{"texts", `[]`, nil, ``, ""},
		{"picture", `[]`, object, `{"type":"image","mimeType":"image/png","data":"AQID"}`, ""},
		{"picture", `[]`, list, `[{"type":"image","mimeType":"image/png","data":"AQID"}]`, ""},
		{"described", `[]`, object, `{"rooms":3}`, ""},
		{"blocks", `[]`, list, `[{"type":"text","text":"a picture"},{"type":"image","mimeType":"image/png","data":"AQID"}]`, ""},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.value), func(t *testing.T) {
			tl, args := reading(tt.tool), tt.args
			tl.Returns = tt.declared
			if tt.tool == "texts" {
				tl.Params = []tool.Param{{Name: "texts", Type: &tool.Type{Name: "array", Elem: text}}}
				args = `{"texts": ` + tt.args + `}`
			}
			if args == "[]" {
				args = ""
			}
			e := r.run(tl, args)
			if !e.OK || string(e.Value) != tt.value || e.Text != tt.text {
				t.Errorf("%s %s as %v: %s %q %+v, want %s", tt.tool, tt.args, tt.declared, e.Value, e.Text, e.Error, tt.value)
			}
			picture, content := `{"type":"image","mimeType":"image/png","data":"AQID"}`, ""
			switch tt.tool {
			case "picture":
				content = picture
			case "blocks":
				content = `{"type":"text","text":"a picture"},` + picture
			case "described":
				content = `{"type":"text","text":"three rooms"}`
			}
			if got := joinBlocks(e.Content); got != content {
				t.Errorf("the content is %s, want %s", got, content)
			}
		})
	}
}

func joinBlocks(all executor.Blocks) string {
	texts := make([]string, len(all))
	for i, b := range all {
		texts[i] = string(b)
	}
	return strings.Join(texts, ",")
}

func TestToolError(t *testing.T) {
	over(t, func(t *testing.T, _ *watch, s tool.Server) {
		r := newFixture(t, mcp.Options{}, one(s))
		if e := r.fails(reading("refuse"), "", executor.KindRemote, "no rooms on that day"); e.Error.Code != "tool-error" || e.Error.Retryable {
			t.Errorf("%+v", e.Error)
		}
	})
}

func TestServerTool(t *testing.T) {
	r := newFixture(t, mcp.Options{}, one(ourProcess(t, newWatch())))
	tl := reading("other_name")
	tl.Spec = &tool.MCP{Server: "s", ServerTool: "echo"}
	tl.Params = []tool.Param{{Name: "q", Type: &tool.Type{Name: "string"}}}
	tl.ContextAccess = &tool.ContextAccess{Read: []string{"user.id"}}
	r.request.Session = json.RawMessage(`{"user": {"id": 7}}`)
	if got := r.value(tl, `{"q": "x"}`); got != `{"q":"x","user.id":7}` {
		t.Error(got)
	}
}

func TestProgressAndLog(t *testing.T) {
	over(t, func(t *testing.T, _ *watch, s tool.Server) {
		if strings.HasSuffix(s.URL, "/json") {
			return // an answer that is one JSON document has no room for it
		}
		r := newFixture(t, mcp.Options{}, one(s))
		var mu sync.Mutex
		var shown []string
		r.request.Report = func(p executor.Progress) {
			mu.Lock()
			defer mu.Unlock()
			shown = append(shown, p.Message)
		}
		e := r.run(reading("progress"), "")
		mu.Lock()
		defer mu.Unlock()
		if want := []string{"connecting to s", "calling s", "step (1 of 3)", "step (2 of 3)", "step (3 of 3)"}; !e.OK || !slices.Equal(shown, want) {
			t.Errorf("%q %+v", shown, e.Error)
		}
		if !strings.Contains(e.Console, `warning steps: {"n":3}`) {
			t.Errorf("console %q", e.Console)
		}
	})
}

// TestCancel checks that a cancelled run ends at once, and that the server is told.
func TestCancel(t *testing.T) {
	over(t, func(t *testing.T, w *watch, s tool.Server) {
		r := newFixture(t, mcp.Options{}, one(s))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		done := make(chan executor.Envelope, 1)
		go func() { done <- r.runIn(ctx, reading("hang"), "") }()
		select {
		case <-w.hanging:
		case <-time.After(cancelGrace):
			t.Fatal("the call never arrived")
		}
		cancel()
		if e := <-done; e.Error == nil || e.Error.Code != "cancelled" {
			t.Errorf("%+v", e.Error)
		}
		select {
		case <-w.ended:
		case <-time.After(cancelGrace):
			t.Error("the server was not told")
		}
		r.value(reading("texts"), "") // the session lives on
	})
}

// TestServerAsks checks that a server that asks for a model gets none.
func TestServerAsks(t *testing.T) {
	over(t, func(t *testing.T, _ *watch, s tool.Server) {
		r := newFixture(t, mcp.Options{}, one(s))
		tl := reading("ask")
		tl.Returns = &tool.Type{Name: "string"}
		if e := r.run(tl, ""); !strings.Contains(e.Text, "not") {
			t.Errorf("%q %+v", e.Text, e.Error)
		}
	})
}

func TestSideBySide(t *testing.T) {
	over(t, func(t *testing.T, _ *watch, s tool.Server) {
		r := newFixture(t, mcp.Options{}, one(s))
		tl := reading("echo")
		tl.Params = []tool.Param{{Name: "n", Type: &tool.Type{Name: "number"}}}
		var wg sync.WaitGroup
		for i := range 32 {
			wg.Go(func() {
				args := `{"n":` + string(rune('0'+i%10)) + `}`
				if e := r.run(tl, args); string(e.Value) != args {
					t.Errorf("%s: %s %+v", args, e.Value, e.Error)
				}
			})
		}
		wg.Wait()
		if len(r.found) != 1 {
			t.Errorf("%d sessions, want 1", len(r.found))
		}
	})
}

func TestDiscover(t *testing.T) {
	over(t, func(t *testing.T, _ *watch, s tool.Server) {
		r := newFixture(t, mcp.Options{}, one(s))
		req := r.request
		req.Tool = reading("echo")
		if e := r.executor.Discover(t.Context(), req); !e.OK {
			t.Fatalf("%+v", e.Error)
		}
		d := <-r.found
		if d.Server != "s" || d.Root != r.request.Environment.Root || len(d.Tools) < 15 {
			t.Fatalf("%+v", d)
		}
		i := slices.IndexFunc(d.Tools, func(t tool.ServerTool) bool { return t.Name == "destroy" })
		if d.More {
			t.Error("there is nothing more")
		}
		if i < 0 || d.Tools[i].Destructive == nil || !*d.Tools[i].Destructive || d.Tools[i].Description != "Does destroy." || len(d.Tools[i].InputSchema) == 0 {
			t.Errorf("%+v", d.Tools)
		}
	})
}

func TestToolsChange(t *testing.T) {
	over(t, func(t *testing.T, _ *watch, s tool.Server) {
		r := newFixture(t, mcp.Options{}, one(s))
		r.fails(reading("grown"), "", executor.KindDefinition, "no tool grown; it has")
		before := len((<-r.found).Tools)
		r.value(reading("grow"), "")
		for {
			select {
			case d := <-r.found:
				if len(d.Tools) == before+1 {
					r.value(reading("grown"), "")
					return
				}
			case <-time.After(cancelGrace):
				t.Fatal("nobody was told")
			}
		}
	})
}

// TestSecretOfAnotherCall checks that a secret of one call is removed if the server returns it to
// another call, or in the list of its tools.
func TestSecretOfAnotherCall(t *testing.T) {
	const secret = "hunter2 of another call"
	r := newFixture(t, mcp.Options{}, one(tool.Server{Transport: "http", URL: newRemote(t, newWatch().called).URL + "/mcp"}))
	r.value(reading("texts"), "") // what it brings along is all that the session knows
	keep := reading("keep")
	keep.Spec = &tool.MCP{Server: "s", Headers: map[string]string{"X-Key": "{{secrets.KEY}}"}}
	r.request.Secrets = map[string]string{"KEY": secret}
	r.value(keep, "")
	r.request.Secrets = nil
	if got := r.value(reading("kept"), ""); got != `"••••(KEY)"` {
		t.Errorf("another call is given %s", got)
	}
	for found := false; !found; {
		select {
		case d := <-r.found:
			for _, listed := range d.Tools {
				found = found || listed.Name == "kept"
				if strings.Contains(listed.Description, secret) {
					t.Errorf("%q is told", listed.Description)
				}
			}
		case <-time.After(cancelGrace):
			t.Fatal("nobody was told")
		}
	}
}

// TestDestructive checks that a tool that the server declares as destructive must be confirmed,
// even if the server says so only after the gate.
func TestDestructive(t *testing.T) {
	over(t, func(t *testing.T, w *watch, s tool.Server) {
		r := newFixture(t, mcp.Options{}, one(s))
		for _, when := range []string{"while connecting", "from before"} {
			t.Run(when, func(t *testing.T) {
				e := r.fails(reading("destroy"), "", executor.KindNeeds, "must be confirmed")
				if e.Needs == nil || e.Needs.Confirmation == nil || !strings.Contains(e.Needs.Confirmation.Summary, "destroys") || len(e.Attempts) > 0 {
					t.Fatalf("%s: %+v %+v", when, e.Needs, e.Attempts)
				}
				r.request.Confirm = e.Needs.Confirmation.Digest
				if w.calls.Load() != 0 {
					t.Fatal("it was called")
				}
				if when == "from before" {
					r.value(reading("destroy"), "")
				}
				if when == "while connecting" {
					r.request.Confirm = ""
				}
			})
		}
		r.request.Confirm = ""
		never := reading("destroy")
		never.Confirmation = &tool.Confirmation{Require: "never"}
		r.fails(never, "", executor.KindNeeds, "must be confirmed")
	})
}

// TestConfirmationCoversTheServer checks that a confirmation covers the content of the files that
// a server runs, and that the question names what it does not cover.
func TestConfirmationCoversTheServer(t *testing.T) {
	r := newFixture(t, mcp.Options{}, one(tool.Server{Command: "node", Args: []string{"./server.mjs"}}))
	changing := &tool.Tool{Name: "change", Kind: tool.KindMCP, Spec: &tool.MCP{Server: "s"}}
	written := time.Unix(1, 0)
	ask := func(text string) *executor.Confirmation {
		program := filepath.Join(r.request.Environment.Root, "server.mjs")
		if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(program, written, written); err != nil {
			t.Fatal(err)
		}
		return r.fails(changing, "", executor.KindNeeds, "must be confirmed").Needs.Confirmation
	}
	first := ask("// one")
	if first.Digest != ask("// one").Digest || first.Digest == ask("// two").Digest {
		t.Error("the digest is not that of the program")
	}
	if !strings.Contains(first.Summary, "does not cover node (found on PATH)") {
		t.Error(first.Summary)
	}
}

// TestFailingSideBySide checks that concurrent calls that fail together have separate errors.
func TestFailingSideBySide(t *testing.T) {
	s := answers(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) { w.WriteHeader(nethttp.StatusUnauthorized) })
	r := newFixture(t, mcp.Options{}, one(s))
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if e := r.run(reading("echo"), ""); e.Error == nil || e.Error.Code != "http-401" || !strings.Contains(e.Error.Hint, "servers.s") {
				t.Errorf("%+v", e.Error)
			}
		})
	}
	wg.Wait()
}

// TestHeadersOfAHandshake checks that tools with different handshake headers have separate
// sessions, which do not replace each other.
func TestHeadersOfAHandshake(t *testing.T) {
	r := newFixture(t, mcp.Options{}, one(tool.Server{URL: "ws" + strings.TrimPrefix(newRemote(t, newWatch().called).URL, "http") + "/ws"}))
	for range 2 {
		for _, who := range []string{"ada", "grace"} {
			tl := reading("texts")
			tl.Spec = &tool.MCP{Server: "s", Headers: map[string]string{"X-Who": who}}
			r.value(tl, "")
		}
	}
	if len(r.found) != 2 {
		t.Errorf("%d sessions, want 2", len(r.found))
	}
}
