//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// TestTerminated checks that a program that gets a signal to end, as from CI and
// `timeout`, cancels its run and reports it.
func TestTerminated(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			asked := make(chan struct{})
			api := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				close(asked)
				<-r.Context().Done()
			}))
			defer api.Close()
			file := filepath.Join(t.TempDir(), "a.tools.abl")
			text := fmt.Sprintf("TOOLS:\n  slow() -> string\n    description: \"Takes for ever\"\n    type: http\n    endpoint: %q\n    method: GET\n", api.URL)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), os.Args[0], "run", file, "slow", "--allow-host", "127.0.0.1")
			cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir())
			var output bytes.Buffer
			cmd.Stderr = &output
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			<-asked
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			err := cmd.Wait()
			wantCode, want := exitFound, "timeout: cancelled\n"
			if signal == os.Interrupt {
				wantCode, want = exitInterrupted, "abl-lsp: cancelled\n"
			}
			if code := cmd.ProcessState.ExitCode(); code != wantCode || output.String() != want {
				t.Errorf("%v: %v, %s", signal, err, &output)
			}
			history := exec.CommandContext(t.Context(), os.Args[0], "history")
			history.Env = cmd.Env
			if rows, err := history.Output(); err != nil || !strings.Contains(string(rows), "  cancelled (") {
				t.Errorf("%v: the journal says %s, %v", signal, rows, err)
			}
		})
	}
}

// TestEditorGone checks that the current run is cancelled when an editor ends, closes
// both pipes and waits for nothing, so that writes of the program fail.
func TestEditorGone(t *testing.T) {
	asked := make(chan struct{})
	api := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	}))
	defer api.Close()
	dir, state := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, "a.tools.abl")
	text := fmt.Sprintf("TOOLS:\n  slow() -> string\n    type: http\n    endpoint: %q\n    method: GET\n", api.URL)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	taken, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "serve")
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+state)
	cmd.Stdout = out
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	c := lsptest.Start(t, func(_ context.Context, in io.Reader, answers io.Writer) error {
		if err := cmd.Start(); err != nil {
			return err
		}
		out.Close()
		go func() { _, _ = io.Copy(stdin, in) }()
		_, _ = io.Copy(answers, taken)
		return cmd.Wait()
	})
	c.Initialize(lsptest.WithFolders(dir), lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`))
	argument := fmt.Sprintf(`{"uri":%q,"tool":"slow"}`, uri.File(file))
	c.Start(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command: "abl.run", Arguments: []protocol.LSPAny{protocol.LSPAny(argument)},
	})
	<-asked
	taken.Close()
	c.Start(protocol.MethodShutdown, nil)
	c.Wait()
	history := exec.CommandContext(t.Context(), os.Args[0], "history")
	history.Env = cmd.Env
	if rows, err := history.Output(); err != nil || !strings.Contains(string(rows), "  cancelled (") {
		t.Errorf("the program: %v; the journal says %s, %v", cmd.ProcessState, rows, err)
	}
}

// TestTestTerminated checks that a case that was stopped has not passed, even if it
// expects a failure.
func TestTestTerminated(t *testing.T) {
	asked := make(chan struct{})
	api := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	}))
	defer api.Close()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.tools.abl":  fmt.Sprintf("TOOLS:\n  slow() -> string\n    type: http\n    endpoint: %q\n    method: GET\n", api.URL),
		"a.cases.yaml": "slow:\n  - {name: 🛫, expect: {ok: false}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "test", dir, "--allow-host", "127.0.0.1")
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir())
	var output bytes.Buffer
	cmd.Stdout = &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // its code counts
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(output.String(), "🛫: stopped while it ran\n0 passed, 0 failed, 1 skipped") {
		t.Errorf("%d, %s", code, &output)
	}
}

// TestServerTerminated checks that a server that gets a signal to end does not exit like
// a wrong command line.
func TestServerTerminated(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "serve")
			cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir())
			var output bytes.Buffer
			cmd.Stderr = &output
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			const hello = `{"jsonrpc":"2.0","id":"🛫","method":"initialize","params":{"capabilities":{}}}`
			fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(hello), hello)
			if _, err := out.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // its code counts
			want := map[os.Signal]int{os.Interrupt: exitInterrupted, syscall.SIGTERM: exitFound}[signal]
			if code := cmd.ProcessState.ExitCode(); code != want || !strings.Contains(output.String(), "signal received") {
				t.Errorf("%v: %d, %s", signal, code, &output)
			}
		})
	}
}
