//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// startInTerminal starts the program in a pseudo-terminal. The terminal closes with the test.
func startInTerminal(t *testing.T, args ...string) (*exec.Cmd, *os.File, *screen) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	return cmd, tty, watch(tty)
}

// TestInterruptedCommands presses Ctrl-C in the middle of each command that takes its time.
func TestInterruptedCommands(t *testing.T) {
	asked, gone := make(chan struct{}, 1), make(chan struct{}, 1)
	api := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
		gone <- struct{}{}
	}))
	defer api.Close()
	chdirToFiles(t, map[string]string{
		"a.tools.abl":  fmt.Sprintf("TOOLS:\n  slow() -> string\n    description: \"🧭\"\n    type: http\n    endpoint: %q\n    method: GET\n", api.URL),
		"a.cases.yaml": "slow:\n  - {name: 🧭}\n",
	})
	t.Setenv("ABL_STATE_DIR", t.TempDir())
	for _, tt := range []struct {
		name, args, await string
		calls             bool // the API
	}{
		{"run", "run a.tools.abl slow --allow-host 127.0.0.1", "", true},
		{"run as JSON", "run a.tools.abl slow --allow-host 127.0.0.1 --format json", "", true},
		{"test", "test . --allow-host 127.0.0.1", "", true},
		{"check", "check -", "", false},
		{"fmt", "fmt -", "", false},
		{"mcp by HTTP", "mcp a.tools.abl --http 0", "serving at", false},
		{"mcp", "mcp a.tools.abl", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			begin := func(screen *screen) {
				if tt.calls {
					<-asked
				}
				screen.await(t, tt.await)
			}
			code, screen := interrupt(t, strings.Fields(tt.args), begin)
			screen.await(t, "abl-lsp: cancelled")
			if text := screen.String(); code != exitInterrupted || strings.Count(text, "abl-lsp: cancelled") != 1 {
				t.Errorf("exit %d:\n%s", code, text)
			}
			if !tt.calls {
				return
			}
			<-gone
			var rows bytes.Buffer
			run(t.Context(), []string{"history", "--limit", "1"}, nil, &rows, io.Discard)
			if text := rows.String(); !strings.Contains(text, "  cancelled (") || !strings.HasSuffix(text, "\n    Cancelled\n") {
				t.Errorf("the journal says %s", &rows)
			}
		})
	}
}

// TestInterruptedServer presses Ctrl-C while an MCP client waits for a call. The call is stopped at
// its other side, too.
func TestInterruptedServer(t *testing.T) {
	asked, gone := make(chan struct{}), make(chan struct{})
	api := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
		close(gone)
	}))
	defer api.Close()
	chdirToFiles(t, map[string]string{
		"a.tools.abl": fmt.Sprintf("TOOLS:\n  slow() -> string\n    description: \"🧭\"\n    type: http\n    endpoint: %q\n    method: GET\n", api.URL),
	})
	t.Setenv("ABL_STATE_DIR", t.TempDir())
	cmd := exec.Command(os.Args[0], "mcp", "a.tools.abl", "--allow-host", "127.0.0.1")
	cmd.Env = append(os.Environ(), asProgram+"=1")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	client, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(client, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"🧭","version":"1"}}}`)
	fmt.Fprintln(client, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	fmt.Fprintln(client, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","arguments":{}}}`)
	<-asked
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // its code counts
	<-gone
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || errs.String() != "abl-lsp: cancelled\n" {
		t.Errorf("exit %d: %s", code, &errs)
	}
	var rows bytes.Buffer
	run(t.Context(), []string{"history", "--limit", "1"}, nil, &rows, io.Discard)
	if !strings.Contains(rows.String(), "  cancelled (") {
		t.Errorf("the journal says %s", &rows)
	}
}

// interrupt starts the program, waits until begin returns, and presses Ctrl-C. Some commands do not
// show that they have begun. If the key ends one before it handles signals, another try waits
// longer.
func interrupt(t *testing.T, args []string, begin func(*screen)) (code int, _ *screen) {
	t.Helper()
	for wait := 100 * time.Millisecond; ; wait *= 4 {
		cmd, tty, screen := startInTerminal(t, args...)
		begin(screen)
		time.Sleep(wait)
		if _, err := tty.WriteString("\x03"); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // its code counts
		if code = cmd.ProcessState.ExitCode(); code >= 0 || wait > 10*time.Second {
			return code, screen
		}
	}
}

// TestInterruptedBefore checks that a command that is interrupted reports nothing incomplete.
func TestInterruptedBefore(t *testing.T) {
	chdirToFiles(t, map[string]string{"a.tools.abl": "TOOLS:\n  slow() -> strin\n    type:   cli 🧭\n"})
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errInterrupted)
	for _, args := range []string{"check .", "fmt .", "fmt --write .", "tools .", "run a.tools.abl slow", "export --to mcp a.tools.abl", "mcp a.tools.abl"} {
		t.Run(args, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := run(ctx, strings.Fields(args), strings.NewReader(""), &out, &errs)
			if code != exitInterrupted || out.Len() > 0 || errs.String() != "abl-lsp: cancelled\n" {
				t.Errorf("exit %d, %q, %q", code, &out, &errs)
			}
		})
	}
}

// TestInterruptedTwice checks that a second Ctrl-C ends a program that does not stop.
func TestInterruptedTwice(t *testing.T) {
	code := make(chan int, 1)
	var errs bytes.Buffer
	ctx, stop := untilSignal(t.Context(), &errs, func(c int) { code <- c })
	defer stop()
	interrupt := func() {
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	interrupt()
	<-ctx.Done()
	if !wasInterrupted(ctx) || len(code) > 0 {
		t.Errorf("after one: %v", context.Cause(ctx))
	}
	interrupt()
	if got := <-code; got != exitInterrupted || errs.String() != "abl-lsp: cancelled\n" {
		t.Errorf("after two: exit %d, %q", got, &errs)
	}
}

// TestReadAll checks that input that never ends is not waited for after Ctrl-C.
func TestReadAll(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errInterrupted)
	if _, err := readAll(ctx, in, 1); !errors.Is(err, errInterrupted) {
		t.Error(err)
	}
	if text, err := readAll(t.Context(), strings.NewReader("🧭🧭"), 4); err != nil || string(text) != "🧭" {
		t.Errorf("%q, %v", text, err)
	}
}
