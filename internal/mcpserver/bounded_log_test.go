package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/internal/callers"
	"github.com/abl-lsp/abl-lsp/internal/operator"
)

// logBuffer collects the lines of a log. It is safe for concurrent use.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// lines returns the lines that have a message.
func (b *logBuffer) lines(t *testing.T, message string) (lines []map[string]any) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for line := range strings.Lines(b.text.String()) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(one["msg"].(string), message) {
			lines = append(lines, one)
		}
	}
	return lines
}

// logging makes the fixture's server log into a buffer.
func (d *serverFixture) logging() *logBuffer {
	b := &logBuffer{}
	o := d.server.opts
	o.Logger = slog.New(slog.NewJSONHandler(b, nil))
	d.server = New(o)
	d.t.Cleanup(d.server.Close)
	return b
}

// TestLogOfLibrary checks that an ordinary call adds one line to the log, and the mistake of a client no
// error.
func TestLogOfLibrary(t *testing.T) {
	d := newServerFixture(t)
	log := d.logging()
	d.set(tools)
	endpoint := d.serving()
	send := func(method, params, name string) int {
		return statusOf(t, endpoint, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+`,`+currentMeta+`}}`,
			"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name)
	}
	if status := send("tools/call", `"name":"get_thing","arguments":{"id":"1"}`, "get_thing"); status != http.StatusOK {
		t.Fatal(status)
	}
	if got := log.lines(t, ""); len(got) != 1 || got[0]["msg"] != "tool called" {
		t.Errorf("%v", got)
	}
	send("resources/subscribe", `"uri":"a:b"`, "a:b")
	for _, line := range log.lines(t, "") {
		if line["level"] == "ERROR" {
			t.Errorf("%v", line)
		}
	}
}

// TestLogOfRefusals checks that strangers cannot fill the log.
func TestLogOfRefusals(t *testing.T) {
	d := newServerFixture(t)
	config, err := operator.Parse("op.yaml", "auth: {tokens: {keychain: [ann]}}", func(string) (string, bool, error) { return "", false, nil })
	if err != nil {
		t.Fatal(err)
	}
	d.server.opts.Callers = callers.New(callers.Options{})
	if err := d.server.opts.Callers.Update(context.Background(), config, secrets.Given{"ann": "anns-token"}); err != nil {
		t.Fatal(err)
	}
	log := d.logging()
	d.server.refusals.limit.SetLimit(0) // the time of the test does not count
	endpoint := d.serving()
	for range refusalsAtOnce + 10 {
		if status := statusOf(t, endpoint, initialize2025); status != http.StatusUnauthorized {
			t.Fatal(status)
		}
	}
	if got := log.lines(t, "caller refused"); len(got) != refusalsAtOnce {
		t.Errorf("%d lines", len(got))
	}
	d.server.refusals.limit.SetBurst(refusalsAtOnce + 1)
	d.server.refusals.limit.SetLimit(1e9)
	statusOf(t, endpoint, initialize2025)
	got := log.lines(t, "caller refused")
	if last := got[len(got)-1]; last["skipped"] != 10.0 {
		t.Errorf("%v", last)
	}
}
