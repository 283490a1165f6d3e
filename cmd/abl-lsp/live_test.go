package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// TestLiveChunks checks that an editor gets each piece of a streaming tool before the
// rest arrives. The API continues only when the first piece has arrived.
func TestLiveChunks(t *testing.T) {
	if why := missingForModules(); why != "" {
		testdeps.SkipOrFail(t, "%s", why)
	}
	seen := make(chan struct{})
	gate := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-seen }))
	t.Cleanup(gate.Close)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"chat.tools.json": `{"service": "chat", "tools": {"streamMessage": {"name": "streamMessage", "description": "Greet",
			"inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "string"}, "streaming": true, "mutation": false}}}`,
		"abl.yaml": fmt.Sprintf("services: {chat: {module: ./chat.mjs, settings: {gate: %q}, auth: {key: \"{{secrets.CHAT}}\"}}}\n", gate.URL),
		".env":     "CHAT=" + strings.Repeat("0123456789", 50) + "\n", // a long secret does not delay the output
		"chat.mjs": "export async function* streamMessage(_, { settings }) { yield 'Hello'; await fetch(settings.gate); yield ', editor' }\n",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	c, kill := startProgram(t, t.TempDir(), dir)
	defer kill()
	type output struct{ Token, Chunk string }
	chunk := func(raw jsonrpc2.RawMessage, want string) bool {
		var o output
		return json.Unmarshal(raw, &o) == nil && o == output{"the-run", want}
	}
	run := c.Start("workspace/executeCommand", map[string]any{
		"command": "abl.run", "workDoneToken": "the-run",
		"arguments": []any{map[string]any{"uri": uri.File(filepath.Join(dir, "chat.tools.json")), "tool": "chat_streamMessage",
			"grant": []any{map[string]any{"kind": "secret", "op": "send", "resource": "CHAT chat.mjs"}}}},
	})
	c.Await("abl/runOutput", func(raw jsonrpc2.RawMessage) bool { return chunk(raw, "Hello") })
	close(seen)
	c.Await("abl/runOutput", func(raw jsonrpc2.RawMessage) bool { return chunk(raw, ", editor") })
	var envelope struct {
		OK    bool   `json:"ok"`
		Tool  string `json:"tool"`
		Text  string `json:"text"`
		Error any    `json:"error"`
	}
	if err := run.Wait(&envelope); err != nil || !envelope.OK || envelope.Text != "Hello, editor" || envelope.Tool != "chat_streamMessage" {
		t.Errorf("%v, %+v", err, envelope)
	}
}

// TestLiveTests checks that the result of each saved case is shown while the next one
// runs, in the order of the cases. The last case ends only when the lines before it have
// been shown.
func TestLiveTests(t *testing.T) {
	seen := make(chan struct{}, 1)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("id") == "3" {
			<-seen
		}
		_, _ = w.Write([]byte("{}")) // an error means that the test has hung up
	}))
	t.Cleanup(api.Close)
	t.Setenv("ABL_STATE_DIR", t.TempDir())
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.tools.abl":  fmt.Sprintf("TOOLS:\n  look(id: number) -> object\n    type: http\n    endpoint: %q\n    method: GET\n", api.URL),
		"a.cases.yaml": "look:\n  - {name: 🛫 1, args: {id: 1}}\n  - {name: 2, args: {id: 2}, expect: {ok: false}}\n  - {name: 3, args: {id: 3}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, jobs := range []string{"1", "3"} {
		t.Run(jobs+" at once", func(t *testing.T) {
			out, to := io.Pipe()
			code := make(chan int, 1)
			go func() {
				code <- run(t.Context(), []string{"test", dir, "--allow-host", "127.0.0.1", "--jobs", jobs}, nil, to, io.Discard)
				to.Close()
			}()
			var lines []string
			for scanner := bufio.NewScanner(out); scanner.Scan(); {
				lines = append(lines, strings.Fields(scanner.Text())[0])
				if len(lines) == 2 {
					seen <- struct{}{}
				}
			}
			if want := []string{"pass", "fail", "pass", "2"}; !slices.Equal(lines, want) || <-code != exitFound {
				t.Errorf("%s at once: %q", jobs, lines)
			}
		})
	}
}
