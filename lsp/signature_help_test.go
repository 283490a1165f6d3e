package lsp_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// TestSignatureHelpRetrigger sends the request of VS Code's client while it shows a
// signature without an active parameter: it sends -1 where the last answer had null.
func TestSignatureHelpRetrigger(t *testing.T) {
	c := lsptest.Start(t, serveOnly)
	c.Initialize()
	u := uri.File(filepath.Join(t.TempDir(), "x.agent.abl"))
	c.Open(u, "AGENT: A\nGOAL: \"x\"\nTOOLS:\n  a(x: string) -> string\nFLOW:\n  s:\n    CALL: a(b, c)\n")
	ask := `{"textDocument":{"uri":%s},"position":{"line":6,"character":15},"context":{"isRetrigger":true,"triggerKind":3,` +
		`"activeSignatureHelp":{"signatures":[{"label":"a(x: string)","parameters":[]}],"activeSignature":0,"activeParameter":-1}}}`
	var help *protocol.SignatureHelp
	if err := c.Call(protocol.MethodTextDocumentSignatureHelp, protocol.LSPAny(fmt.Sprintf(ask, quoted(string(u)))), &help); err != nil {
		t.Fatal(err)
	}
	if help == nil || len(help.Signatures) != 1 {
		t.Errorf("got %+v", help)
	}
}
