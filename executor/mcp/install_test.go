package mcp_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// installer puts a program npx on PATH that runs a script, and returns the server that it starts.
func installer(t *testing.T, script string) tool.Server {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	s := ourProcess(t, newWatch())
	dir := t.TempDir()
	script = "#!/bin/sh\necho 'downloading hunter2-token' >&2\n" + script + "\nexec '" + s.Command + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "npx"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	s.Command, s.Args = "npx", []string{"-y", "some-server"}
	s.Env["TOKEN"] = "{{secrets.TOKEN}}"
	return s
}

// TestInstallationIsNotTheToolsTime checks that a server whose program needs longer to start than
// the tool has is called, that the person sees why it takes so long, and that the server is started
// once.
func TestInstallationIsNotTheToolsTime(t *testing.T) {
	r := newFixture(t, mcp.Options{}, one(installer(t, "sleep 1.5")))
	r.request.ToolTimeout, r.request.Secrets = time.Second, map[string]string{"TOKEN": "hunter2-token"}
	var lock sync.Mutex
	var messages []string
	r.request.Report = func(p executor.Progress) {
		lock.Lock()
		defer lock.Unlock()
		messages = append(messages, p.Message)
	}
	e := r.run(reading("echo"), `{"text": "a"}`)
	if !e.OK {
		t.Fatalf("%+v", e.Error)
	}
	if len(e.Attempts) != 1 || e.Attempts[0].DurationMS > 1000 {
		t.Errorf("attempts %+v", e.Attempts)
	}
	lock.Lock()
	shown := strings.Join(messages, "|")
	lock.Unlock()
	if !strings.Contains(shown, "starting npx … (installing?)|") || !strings.Contains(shown, "(installing?)\ndownloading ••••(TOKEN)") {
		t.Errorf("progress %q", shown)
	}
	if !strings.Contains(e.Console, "downloading ••••(TOKEN)\n") {
		t.Errorf("console %q", e.Console)
	}
	select {
	case d := <-r.found:
		if len(d.Tools) == 0 {
			t.Errorf("%+v", d)
		}
	default:
		t.Error("the tools of the server were not published")
	}
	if again := r.run(reading("echo"), `{"text": "b"}`); !again.OK || strings.Contains(again.Console, "downloading") {
		t.Errorf("%+v, console %q", again.Error, again.Console)
	}
}

// TestFailedInstallation checks the errors of starts that take too long, that end, and that are
// cancelled.
func TestFailedInstallation(t *testing.T) {
	for name, tt := range map[string]struct {
		script  string
		limit   time.Duration
		cancel  bool
		kind    executor.ErrorKind
		code    string
		message []string
	}{
		"too long":  {"sleep 60", 300 * time.Millisecond, false, executor.KindTimeout, "start", []string{"s (npx) did not start within 300 ms", "it printed:\ndownloading ••••(TOKEN)"}},
		"it ends":   {"echo 'npm error 404' >&2; exit 3", time.Minute, false, executor.KindNetwork, "lost", []string{"exit status 3", "npm error 404"}},
		"cancelled": {"sleep 60", time.Minute, true, executor.KindTimeout, executor.CodeCancelled, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := newFixture(t, mcp.Options{InstallTimeout: tt.limit}, one(installer(t, tt.script)))
			r.request.Secrets = map[string]string{"TOKEN": "hunter2-token"}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tt.cancel {
				time.AfterFunc(300*time.Millisecond, cancel)
			}
			req := r.request
			req.Tool = reading("echo")
			e := r.executor.Run(ctx, req)
			if e.Error == nil || e.Error.Kind != tt.kind || e.Error.Code != tt.code {
				t.Fatalf("%+v", e.Error)
			}
			for _, part := range tt.message {
				if !strings.Contains(e.Error.Message, part) {
					t.Errorf("%q lacks %q", e.Error.Message, part)
				}
			}
			if strings.Contains(e.Error.Message, "hunter2") {
				t.Errorf("a secret: %q", e.Error.Message)
			}
		})
	}
}
