package lsp

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/connection"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// TestModified changes a document between a request and its answer. Edits without a
// version would be applied to the wrong text.
func TestModified(t *testing.T) {
	const source = "TOOLS:\n    find(a: string) -> string\n      description: \"Finds\"\n      type: mcp\n      server: m\n      cacheable: yes\n"
	const file = `"textDocument":{"uri":"file:///w/a.tools.abl"}`
	const options = `"options":{"tabSize":2,"insertSpaces":true}`
	const whole = `"range":{"start":{"line":0,"character":0},"end":{"line":6,"character":0}}`
	for method, tt := range map[string]struct {
		params  string
		version bool // the answer has versions for a client that supports them
	}{
		protocol.MethodTextDocumentRename:           {`{` + file + `,"position":{"line":1,"character":5},"newName":"found"}`, true},
		protocol.MethodWorkspaceWillRenameFiles:     {`{"files":[{"oldUri":"file:///w/a.tools.abl","newUri":"file:///w/b.tools.abl"}]}`, true},
		protocol.MethodTextDocumentCodeAction:       {`{` + file + `,` + whole + `,"context":{"diagnostics":[]}}`, true},
		protocol.MethodTextDocumentFormatting:       {`{` + file + `,` + options + `}`, false},
		protocol.MethodTextDocumentRangeFormatting:  {`{` + file + `,` + whole + `,` + options + `}`, false},
		protocol.MethodTextDocumentOnTypeFormatting: {`{` + file + `,"position":{"line":2,"character":0},"ch":"\n",` + options + `}`, false},
	} {
		for _, versions := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", method, versions), func(t *testing.T) {
				var with []func(*protocol.InitializeParams)
				if versions {
					with = append(with, lsptest.WithDocumentChanges())
				}
				c := startClient(t)
				c.Initialize(with...)
				name := uri.URI("file:///w/a.tools.abl")
				c.Open(name, source)
				c.echo(t)

				ask := func() connection.Request { return c.server.requests[method](c.server, jsonrpc2.RawMessage(tt.params)) }
				if _, err := ask().Answer(context.Background()); err != nil {
					t.Fatalf("of what has not changed: %v", err)
				}
				before := ask()
				c.Change(name, 2, &protocol.TextDocumentContentChangeWholeDocument{Text: "# " + source})
				c.echo(t)
				_, err := before.Answer(context.Background())
				if got, want := errors.Is(err, errModified), !versions || !tt.version; got != want {
					t.Errorf("of what has changed: %v; refused %v, want %v", err, got, want)
				}
			})
		}
	}
}
