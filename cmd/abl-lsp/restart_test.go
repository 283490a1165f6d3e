package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// startProgram starts the program with an editor. kill ends the program at once.
func startProgram(t *testing.T, state, dir string) (c *lsptest.Client, kill func()) {
	t.Helper()
	started := make(chan *os.Process, 1)
	c = lsptest.Start(t, func(_ context.Context, in io.Reader, out io.Writer) error {
		cmd := exec.Command(os.Args[0], "serve")
		cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+state)
		cmd.Stdout, cmd.Stderr = out, io.Discard
		stdin, err := cmd.StdinPipe()
		if err != nil {
			return err
		}
		go func() { _, _ = io.Copy(stdin, in); stdin.Close() }()
		if err := cmd.Start(); err != nil {
			return err
		}
		started <- cmd.Process
		return cmd.Wait()
	})
	process := <-started
	c.Initialize(lsptest.WithFolders(dir), lsptest.WithProgress(), lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`))
	return c, func() {
		if err := process.Kill(); err != nil {
			t.Error(err)
		}
		if c.Wait() == nil {
			t.Error("it was not killed")
		}
	}
}

// TestCallbackSurvivesKill kills the process that waits. The next one takes over the
// callback.
func TestCallbackSurvivesKill(t *testing.T) {
	callbacks := make(chan string, 1)
	office := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var order struct{ CallbackURL string }
		if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusAccepted)
		callbacks <- order.CallbackURL
	}))
	t.Cleanup(office.Close)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "a.tools.abl")
	text := fmt.Sprintf(`TOOLS:
  report() -> {status: string}
    type: async_webhook
    endpoint: "%s/order"
    method: POST
    confirmation:
      require: never
`, office.URL)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	waiting := func(raw jsonrpc2.RawMessage) bool { return strings.Contains(string(raw), "waiting for the callback") }
	state := t.TempDir()

	first, kill := startProgram(t, state, dir)
	argument := fmt.Sprintf(`{"uri":%q,"tool":"report"}`, uri.File(file))
	first.Start(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command: "abl.run", Arguments: []protocol.LSPAny{protocol.LSPAny(argument)},
	})
	callback := <-callbacks
	first.Await(protocol.MethodProgress, waiting)
	kill()

	second, _ := startProgram(t, state, dir)
	second.Await(protocol.MethodProgress, waiting)
	resp, err := http.Post(callback, "application/json", strings.NewReader(`{"status":"done 🚀"}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	var told struct {
		Envelope struct {
			OK    bool            `json:"ok"`
			Value json.RawMessage `json:"value"`
			Error json.RawMessage `json:"error"`
		}
	}
	if err := json.Unmarshal(second.Await("abl/runResult", nil).Params, &told); err != nil {
		t.Fatal(err)
	}
	if e := told.Envelope; !e.OK || string(e.Value) != `{"status":"done 🚀"}` {
		t.Errorf("%s %s", e.Value, e.Error)
	}
	if err := second.Exit(); err != nil {
		t.Error(err)
	}
}
