package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/executor/process"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
	"github.com/abl-lsp/abl-lsp/tool"
)

// everything returns the command that starts the protocol's reference server.
func everything(t *testing.T) []string {
	t.Helper()
	node, modules := testdeps.FindNPMPackage(t, "@modelcontextprotocol/server-everything")
	return []string{node, filepath.Join(modules, "@modelcontextprotocol", "server-everything", "dist", "index.js")}
}

// serving starts the reference server over HTTP, and returns its address.
func serving(t *testing.T, mode, path string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(addr)
	p, err := process.Start(t.Context(), process.Command{Words: append(everything(t), mode), Env: map[string]string{"PORT": port}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	for end := time.Now().Add(cancelGrace); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
			return "http://" + addr + path
		}
		if time.Now().After(end) {
			t.Fatalf("%s does not listen: %v", mode, err)
		}
	}
}

func TestEverything(t *testing.T) {
	for _, tt := range []struct {
		mode, path string
	}{
		{"stdio", ""}, {"streamableHttp", "/mcp"}, {"sse", "/sse"},
	} {
		t.Run(tt.mode, func(t *testing.T) {
			t.Parallel()
			words := everything(t)
			s := tool.Server{Transport: "stdio", Command: words[0], Args: words[1:]}
			if tt.path != "" {
				s = tool.Server{Transport: "http", URL: serving(t, tt.mode, tt.path)}
			}
			r := newFixture(t, mcp.Options{}, one(s))
			testEverything(r)
		})
	}
}

func testEverything(r *fixture) {
	text, number := &tool.Type{Name: "string"}, &tool.Type{Name: "number"}
	with := func(name string, returns *tool.Type, params ...tool.Param) *tool.Tool {
		tl := reading(strings.ReplaceAll(name, "-", "_"))
		tl.Spec = &tool.MCP{Server: "s", ServerTool: name}
		tl.Params, tl.Returns = params, returns
		return tl
	}
	sum := with("get-sum", text, tool.Param{Name: "a", Type: number}, tool.Param{Name: "b", Type: number})
	weather := with("get-structured-content", &tool.Type{Name: "object"}, tool.Param{Name: "location", Type: text})
	long := with("trigger-long-running-operation", text, tool.Param{Name: "duration", Type: number}, tool.Param{Name: "steps", Type: number})

	for _, tt := range []struct {
		tool       *tool.Tool
		args, want string
	}{
		{with("echo", text, tool.Param{Name: "message", Type: text}), `{"message": "aü🧀"}`, `"Echo: aü🧀"`},
		{sum, `{"a": 2, "b": 3.5}`, `"The sum of 2 and 3.5 is 5.5."`},
		{weather, `{"location": "New York"}`, `{"temperature":33,"conditions":"Cloudy","humidity":82}`},
	} {
		if got := r.value(tt.tool, tt.args); got != tt.want {
			r.Errorf("%s: %s, want %s", tt.tool.Name, got, tt.want)
		}
	}
	if got := r.value(with("get-tiny-image", nil), ""); !strings.Contains(got, `"mimeType":"image/png"`) {
		r.Errorf("%s", got)
	}
	r.fails(weather, `{"location": "Atlantis"}`, executor.KindRemote, "at location")
	r.opens(with("get-resource-links", nil, tool.Param{Name: "count", Type: number}))
	r.researches(with("simulate-research-query", text, tool.Param{Name: "topic", Type: text}, tool.Param{Name: "ambiguous", Type: &tool.Type{Name: "boolean"}}))
	r.fails(with("no-such-tool", nil), "", executor.KindDefinition, "no tool no-such-tool; it has echo, ")
	r.progresses(long)
	r.cancels(long)
	if got := r.value(sum, `{"a": 1, "b": 1}`); got != `"The sum of 1 and 1 is 2."` {
		r.Errorf("after a cancel: %s", got)
	}
}

// opens reads the resource to which an answer links.
func (r *fixture) opens(links *tool.Tool) {
	r.Helper()
	e := r.run(links, `{"count": 2}`)
	if len(e.Content) != 3 || !strings.Contains(string(e.Content[2]), `"resource_link"`) {
		r.Fatalf("%s %+v", e.Content, e.Error)
	}
	var link struct{ URI string }
	if err := json.Unmarshal(e.Content[2], &link); err != nil {
		r.Fatal(err)
	}
	req := r.request
	req.Tool = links
	read := r.executor.ReadResource(r.Context(), req, link.URI)
	if !strings.Contains(read.Text, "plaintext resource") || len(read.Content) != 1 || !strings.Contains(string(read.Content[0]), link.URI) {
		r.Errorf("%q %s %+v", read.Text, read.Content, read.Error)
	}
	if none := r.executor.ReadResource(r.Context(), req, "demo://no/such"); none.Error == nil || none.Error.Kind != executor.KindRemote {
		r.Errorf("%s %+v", none.Value, none.Error)
	}
}

// researches runs a tool that works as a task and asks the person meanwhile; and cancels one.
func (r *fixture) researches(research *tool.Tool) {
	r.Helper()
	var shown messages
	r.request.Report = shown.add
	const args = `{"topic": "python 🧭", "ambiguous": true}`
	asked := r.run(research, args)
	e := r.answer(research, args, asked, executor.AcceptInput, `{"interpretation": "snake"}`)
	if !e.OK || !strings.Contains(e.Text, "- **Clarification**: snake") {
		r.Errorf("%q %+v", e.Text, e.Error)
	}
	if !strings.Contains(shown.text(), "...") { // which states are seen depends on when the server is asked
		r.Errorf("progress %s", shown.text())
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	r.request.Report = func(executor.Progress) { cancel() }
	if e := r.runIn(ctx, research, `{"topic": "x", "ambiguous": false}`); e.Error == nil || e.Error.Code != "cancelled" {
		r.Errorf("%+v", e.Error)
	}
	r.request.Report = nil
}

// messages collects the progress of runs.
type messages struct {
	mu  sync.Mutex
	all []string
}

func (m *messages) add(p executor.Progress) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all = append(m.all, p.Message)
}

func (m *messages) text() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return fmt.Sprint(m.all)
}

func (r *fixture) progresses(long *tool.Tool) {
	r.Helper()
	var shown messages
	r.request.Report = shown.add
	r.value(long, `{"duration": 0.1, "steps": 2}`)
	r.request.Report = nil
	if got := shown.text(); got != "[1 of 2 2 of 2]" {
		r.Errorf("progress %s", got)
	}
}

func (r *fixture) cancels(long *tool.Tool) {
	r.Helper()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	r.request.Report = func(executor.Progress) { cancel() } // it is under way
	e := r.runIn(ctx, long, `{"duration": 30, "steps": 600}`)
	r.request.Report = nil
	if e.Error == nil || e.Error.Code != "cancelled" {
		r.Errorf("%+v", e.Error)
	}
}
