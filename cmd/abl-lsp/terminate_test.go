//go:build unix

package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestTerminated: a program that is told to end, as CI and `timeout` do it, cancels its
// run and says so.
func TestTerminated(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
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
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-asked
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		err := cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitFound || !strings.Contains(said.String(), "timeout: cancelled") {
			t.Errorf("%v: %v, %s", signal, err, &said)
		}
		history := exec.CommandContext(t.Context(), os.Args[0], "history")
		history.Env = cmd.Env
		if rows, err := history.Output(); err != nil || !strings.Contains(string(rows), "  cancelled (") {
			t.Errorf("%v: the journal says %s, %v", signal, rows, err)
		}
	}
}

// TestTestTerminated: a case that was stopped has not passed, though it was to fail.
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
	var said bytes.Buffer
	cmd.Stdout = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // its code counts
	if code := cmd.ProcessState.ExitCode(); code != exitFound || !strings.Contains(said.String(), "🛫: stopped while it ran\n0 passed, 0 failed, 1 skipped") {
		t.Errorf("%d, %s", code, &said)
	}
}

// TestServerTerminated: a server that is told to end is no command line that was wrong.
func TestServerTerminated(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "serve")
		cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir())
		var said bytes.Buffer
		cmd.Stderr = &said
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
		if code := cmd.ProcessState.ExitCode(); code != exitFound || !strings.Contains(said.String(), "signal received") {
			t.Errorf("%v: %d, %s", signal, code, &said)
		}
	}
}
