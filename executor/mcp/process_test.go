package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// pid returns the number of the server's process.
func (r *fixture) pid() string {
	r.Helper()
	return r.value(reading("pid"), "")
}

// gone waits until a process has ended.
func gone(t *testing.T, pid string) {
	t.Helper()
	var n int
	if _, err := fmt.Sscan(pid, &n); err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(n)
	if err != nil {
		return
	}
	for end := time.Now().Add(cancelGrace); p.Signal(syscall.Signal(0)) == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the process is still there")
		}
	}
}

func TestProcessLivesOn(t *testing.T) {
	s := ourProcess(t, newWatch())
	r := newFixture(t, mcp.Options{}, one(s))
	first := r.pid()
	if again := r.pid(); again != first {
		t.Errorf("a second process: %s and %s", first, again)
	}
	s.Args = []string{"-test.v"} // which means nothing to it
	r.request.Environment.Servers = one(s)
	other := r.pid()
	if other == first {
		t.Error("the server is not what abl.yaml says now")
	}
	gone(t, first)
	r.request.Environment.Limits.ResponseBytes = 1 << 20
	if r.pid() == other {
		t.Error("the limit is not what abl.yaml says now")
	}
	r.executor.Close()
	gone(t, other)
}

// TestChangedServer checks that a server is started again if its program has changed, but not if a
// data file of it has.
func TestChangedServer(t *testing.T) {
	s := ourProcess(t, newWatch())
	s.Args = []string{"server.mjs", "notes.db"} // which mean nothing to it
	r := newFixture(t, mcp.Options{}, one(s))
	r.request.Environment.Root = t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(r.request.Environment.Root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("server.mjs", "// one")
	first := r.pid()
	write("notes.db", "a note")
	if r.pid() != first {
		t.Error("another process for the same program")
	}
	write("server.mjs", "// the second")
	if r.pid() == first {
		t.Error("the program of before was called")
	}
	gone(t, first)
}

func TestProcessIsLeftAfterAWhile(t *testing.T) {
	r := newFixture(t, mcp.Options{Idle: time.Millisecond}, one(ourProcess(t, newWatch())))
	first := r.pid()
	gone(t, first)
	if r.pid() == first {
		t.Error("the same process")
	}
}

func TestSessionsAreBounded(t *testing.T) {
	s := ourProcess(t, newWatch())
	r := newFixture(t, mcp.Options{MaxSessions: 1}, map[string]tool.Server{"s": s, "u": s})
	r.request.Environment.Name = "one"
	first := r.pid()
	r.request.Environment.Name, r.request.Environment.Servers["s"] = "two", ourProcess(t, newWatch())
	r.pid()
	gone(t, first)
}

// TestCrash checks that a server that ended is started again: by the next run if a run noticed the
// end, or unnoticed if it ended between two runs.
func TestCrash(t *testing.T) {
	r := newFixture(t, mcp.Options{}, one(ourProcess(t, newWatch())))
	first := r.pid()
	e := r.fails(reading("die"), "", executor.KindNetwork, "the server ended: exit status 3")
	if !e.Error.Retryable || !strings.Contains(e.Console, "out of cheese") {
		t.Errorf("%+v %q", e.Error, e.Console)
	}
	second := r.pid()
	if second == first {
		t.Error("the same process")
	}
	var n int
	fmt.Sscan(second, &n)
	p, err := os.FindProcess(n)
	if err != nil || p.Kill() != nil {
		t.Fatalf("cannot kill %s: %v", second, err)
	}
	gone(t, second)
	if e := r.run(reading("pid"), ""); !e.OK && e.Error.Kind != executor.KindNetwork { // the end of the process may not have been noticed yet
		t.Errorf("%+v", e.Error)
	}
	if r.pid() == second {
		t.Error("the same process")
	}
	writing := reading("die")
	writing.Hints.SideEffects = "true"
	r.request.Yes = true
	if e := r.fails(writing, "", executor.KindNetwork, "the server ended"); e.Error.Retryable || len(e.Attempts) != 1 {
		t.Errorf("%+v", e)
	}
}

func TestProcessStartsSmall(t *testing.T) {
	t.Setenv("ABL_TEST_ELSE", "of the parent")
	s := ourProcess(t, newWatch())
	s.Env["OWN"] = "{{env.tenant}}"
	r := newFixture(t, mcp.Options{}, one(s))
	r.request.Environment.Variables = map[string]string{"tenant": "acme"}
	var got struct {
		Env []string
		Dir string
	}
	if err := json.Unmarshal([]byte(r.value(reading("environment"), "")), &got); err != nil {
		t.Fatal(err)
	}
	want, _ := filepath.EvalSymlinks(r.request.Environment.Root)
	if dir, _ := filepath.EvalSymlinks(got.Dir); dir != want {
		t.Errorf("it starts in %s, want %s", dir, want)
	}
	all := strings.Join(got.Env, "\n")
	if !strings.Contains(all, "OWN=acme") || !strings.Contains(all, "PATH=") || strings.Contains(all, "ABL_TEST_ELSE") {
		t.Errorf("environment:\n%s", all)
	}
}

// TestGreeting checks that output that is not a message is shown and skipped.
func TestGreeting(t *testing.T) {
	s := ourProcess(t, newWatch())
	s.Env["ABL_TEST_GREETING"] = "Welcome to 🧀!\n{\"no\": \"message\"}\n{broken\n\n[]"
	r := newFixture(t, mcp.Options{}, one(s))
	e := r.run(reading("texts"), "")
	if !e.OK {
		t.Fatalf("%+v", e.Error)
	}
	for _, part := range []string{"the server has begun\n", "Welcome to 🧀!\n", "{\"no\": \"message\"}\n", "{broken\n"} {
		if !strings.Contains(e.Console, part) {
			t.Errorf("console %q lacks %q", e.Console, part)
		}
	}
}

// TestPrintedBeforeTheAnswer checks that output printed before the answer is there, although it
// arrives in another way.
func TestPrintedBeforeTheAnswer(t *testing.T) {
	r := newFixture(t, mcp.Options{}, one(ourProcess(t, newWatch())))
	r.run(reading("texts"), "") // has what it prints at the beginning
	for range 20 {
		if e := r.run(reading("announce"), ""); e.Console != announcement {
			t.Fatalf("%d bytes, want %d", len(e.Console), len(announcement))
		}
	}
}

func TestTooMuchOnTheConsole(t *testing.T) {
	r := newFixture(t, mcp.Options{}, one(ourProcess(t, newWatch())))
	r.request.Environment.Limits.ResponseBytes = 64 << 10
	e := r.fails(reading("chatter"), "", executor.KindLimit, "prints more than")
	if len(e.Console) != 64<<10 {
		t.Errorf("%d bytes are kept", len(e.Console))
	}
}

// TestDeafProcess checks that a process that never answers delays a caller only for as long as it
// waits.
func TestDeafProcess(t *testing.T) {
	s := ourProcess(t, newWatch())
	s.Env["ABL_TEST_DEAF"] = "1"
	r := newFixture(t, mcp.Options{}, one(s))
	began := make(chan struct{}, 1)
	r.request.Report = func(executor.Progress) { began <- struct{}{} }
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan executor.Envelope, 1)
	go func() { done <- r.runIn(ctx, reading("echo"), "") }()
	<-began
	cancel()
	if e := <-done; e.Error == nil || e.Error.Code != "cancelled" {
		t.Errorf("%+v", e.Error)
	}
	slow := reading("echo")
	slow.Hints.Timeout = "50"
	r.request.Report = nil
	r.fails(slow, "", executor.KindTimeout, "hints.timeout")
}

func TestProcessDoesNotStart(t *testing.T) {
	for name, tt := range map[string]struct {
		server tool.Server
		kind   executor.ErrorKind
		part   string
	}{
		"no such program":           {tool.Server{Transport: "stdio", Command: "no-such-program-" + t.Name()}, executor.KindDefinition, "servers.s.command: no-such-program"},
		"no such file":              {tool.Server{Transport: "stdio", Command: "./no-such-file"}, executor.KindDefinition, "servers.s.command: ./no-such-file cannot be started"},
		"no command":                {tool.Server{Transport: "stdio"}, executor.KindDefinition, "servers.s.command is missing"},
		"no URL":                    {tool.Server{Transport: "http"}, executor.KindDefinition, "servers.s.url is missing"},
		"another transport":         {tool.Server{Transport: "carrier-pigeon"}, executor.KindDefinition, "none of stdio, http, websocket"},
		"an unknown variable":       {tool.Server{Transport: "stdio", Command: "{{env.nothing}}"}, executor.KindDefinition, "env.nothing"},
		"an argument in a variable": {tool.Server{Transport: "stdio", Command: "x", Env: map[string]string{"A": "{{q}}"}}, executor.KindDefinition, "servers.s.env.A: {{q}}"},
		"a relative URL":            {tool.Server{Transport: "http", URL: "mcp"}, executor.KindDefinition, "servers.s.url: "},
		"a secret as host":          {tool.Server{Transport: "http", URL: "https://{{secrets.HOST}}/"}, executor.KindDefinition, "cannot be the host"},
		"a header of the protocol":  {tool.Server{Transport: "http", URL: "https://x.example/", Headers: map[string]string{"mcp-session-id": "1"}}, executor.KindDefinition, "belongs to the protocol"},
		"a header with a blank":     {tool.Server{Transport: "http", URL: "https://x.example/", Headers: map[string]string{"X Y": "1"}}, executor.KindDefinition, "no header name"},
		"a file":                    {tool.Server{Transport: "http", URL: "file:///etc/passwd"}, executor.KindDenied, "file"},
		"an address written short":  {tool.Server{Transport: "http", URL: "http://127.1/"}, executor.KindDenied, "127.1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newFixture(t, mcp.Options{}, one(tt.server))
			r.request.Secrets = map[string]string{"HOST": "x"}
			r.fails(reading("echo"), "", tt.kind, tt.part)
		})
	}
	r := newFixture(t, mcp.Options{}, map[string]tool.Server{"other": {}, "brave-s": {}})
	r.fails(reading("echo"), "", executor.KindDefinition, `abl.yaml has no server "s"; it has brave-s, other`)
}
