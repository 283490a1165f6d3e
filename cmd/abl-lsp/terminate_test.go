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
	}
}
