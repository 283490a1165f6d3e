package mcpserver

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
)

// TestModelContextOfPieces checks that a client gets no streamed pieces of a result if the model
// may see only a part of that result.
func TestModelContextOfPieces(t *testing.T) {
	d := newServerFixture(t)
	d.set(tools + `  summary() -> string
    type: http
    endpoint: "API/words"
    method: GET
    streaming: true
    model_context: {template: "A summary 🧭"}
`)
	d.server.opts.Run = func(_ context.Context, req executor.Request) executor.Envelope {
		req.Report(executor.Progress{Chunk: "hidden"})
		req.Report(executor.Progress{Message: "looking"})
		return executor.Envelope{OK: true, Value: json.RawMessage(`"hidden"`)}
	}
	heard := make(chan string, 10)
	o := &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
		heard <- r.Params.Message
	}}
	params := &sdk.CallToolParams{Name: "summary"}
	params.SetProgressToken("🧭")
	r, err := d.connect(versions[0], o).CallTool(t.Context(), params)
	if err != nil || textOf(r) != "A summary 🧭" {
		t.Errorf("%+v %v", r, err)
	}
	select {
	case message := <-heard:
		if message != "looking" {
			t.Errorf("the client hears %q first", message)
		}
	case <-time.After(patience):
		t.Error("the client hears nothing")
	}
}
