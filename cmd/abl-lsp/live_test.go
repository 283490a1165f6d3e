package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/internal/rig"
)

// TestLiveChunks: an editor has each piece of a tool that streams while the rest is
// still to come: the handler goes on only once the first piece is there.
func TestLiveChunks(t *testing.T) {
	if why := withoutModules(); why != "" {
		rig.Missing(t, "%s", why)
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
		".env":     "CHAT=" + strings.Repeat("0123456789", 50) + "\n", // a long one holds nothing back
		"chat.mjs": "export async function* streamMessage(_, { settings }) { yield 'Hello'; await fetch(settings.gate); yield ', editor' }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
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
