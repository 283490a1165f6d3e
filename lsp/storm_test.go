package lsp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// TestStorm sends requests of every kind between edits of two files, settings and changes
// on disk, and cancels some. Each is answered once, the last version of each file is
// published, and no work is left.
func TestStorm(t *testing.T) {
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true}`), lsptest.WithProgress())
	w.open(w.lib, w.source(sessionLib))
	random := rand.New(rand.NewPCG(3, 4))
	var pending []lsptest.Pending
	for i := range 600 {
		u := []uri.URI{w.agent, w.lib}[random.IntN(2)]
		id := jsonrpc2.NewNumberID(int64(1000 + i))
		if i%2 == 0 {
			id = jsonrpc2.NewStringID(fmt.Sprint("storm ", i))
		}
		at := protocol.Position{Line: uint32(random.IntN(25)), Character: uint32(random.IntN(30))}
		switch n := random.IntN(12); n {
		case 0, 1, 2, 3:
			w.versions[u]++
			w.Change(u, w.versions[u], lsptest.Replace(at.Line, at.Character, at.Line, at.Character+uint32(random.IntN(2)), []string{"x", "😀", "\n", ": ", "[", "{{", "\""}[random.IntN(7)]))
		case 4:
			w.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"abl":{"trusted":%t}}}}`, random.IntN(2) == 0))
		case 5:
			w.changedOnDisk()
		case 6:
			pending = append(pending, w.start(id, "abl.run", "get_thing", fmt.Sprintf(`,"args":{"id":"1"},"allowHosts":[%q]`, w.api.host())))
		case 7:
			pending = append(pending, w.start(id, "abl.preview", "slow", ""))
		default:
			method := []string{
				protocol.MethodTextDocumentHover, protocol.MethodTextDocumentCompletion, protocol.MethodTextDocumentDefinition,
				protocol.MethodTextDocumentDocumentSymbol, protocol.MethodTextDocumentCodeLens, protocol.MethodTextDocumentDiagnostic, "$/unheardOf",
			}[random.IntN(7)]
			pending = append(pending, w.StartID(id, method, &protocol.HoverParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
				TextDocument: protocol.TextDocumentIdentifier{URI: u}, Position: at,
			}}))
		}
		if len(pending) > 0 && random.IntN(5) == 0 {
			pending[random.IntN(len(pending))].Cancel()
		}
	}
	for _, p := range pending {
		_ = p.Wait(nil) // an answer, whichever
	}
	w.edit(w.agent, "\n", "\n")
	for u, version := range w.versions {
		w.Diagnostics(u, version)
	}
	if err := w.Exit(); err != nil {
		t.Error(err)
	}
	w.wantNoStaleReports()
	for _, m := range w.Messages(protocol.MethodWindowLogMessage) {
		if strings.Contains(string(m.Params), "panic") {
			t.Errorf("%s", m.Params)
		}
	}
}
