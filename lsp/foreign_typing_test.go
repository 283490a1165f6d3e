package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// halfLines are beginnings of lines that a person may have typed.
var halfLines = []string{"\"", "{", "  - ", "x: &a [*a", "kind", "${", "{{.", "🛫\t"}

// TestForeignTyping types half lines into a file of each form, sends the requests that
// editors send, undoes the lines and saves. All requests are answered, and the
// diagnostics at the end are those at the beginning.
func TestForeignTyping(t *testing.T) {
	const dir = "../dialect/testdata"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Run(e.Name(), func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			typeHalfLines(t, e.Name(), string(raw))
		})
	}
}

func typeHalfLines(t *testing.T, name, text string) {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	u := uri.File(path)
	c := lsptest.Start(t, serveOnly)
	c.Initialize()
	c.Open(u, text)
	before := len(c.Diagnostics(u, 1))
	version := int32(1)
	change := func(e protocol.TextDocumentContentChangeEvent) {
		version++
		c.Change(u, version, e)
	}
	for i := range uint32(strings.Count(text, "\n")) {
		half := halfLines[int(i)%len(halfLines)]
		change(lsptest.Replace(i, 0, i, 0, half+"\n"))
		place := fmt.Sprintf(`{"textDocument":{"uri":%s},"position":{"line":%d,"character":%d},"context":{"includeDeclaration":true}}`, quoted(string(u)), i, len(half))
		for _, method := range []string{protocol.MethodTextDocumentCompletion, protocol.MethodTextDocumentHover, protocol.MethodTextDocumentDocumentHighlight, protocol.MethodTextDocumentReferences} {
			if err := c.Call(method, protocol.LSPAny(place), nil); err != nil {
				t.Fatalf("%s behind %q in line %d: %v", method, half, i+1, err)
			}
		}
		if i%10 == 0 {
			if err := callEveryFeature(c, u); err != nil {
				t.Fatalf("%q in line %d: %v", half, i+1, err)
			}
		}
		change(lsptest.Replace(i, 0, i+1, 0, ""))
	}
	c.Notify(protocol.MethodTextDocumentDidSave, &protocol.DidSaveTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: u}})
	if after := c.Diagnostics(u, version); len(after) != before {
		t.Errorf("all is undone, and there are %d diagnostics instead of %d: %+v", len(after), before, after)
	}
	if err := c.Exit(); err != nil {
		t.Error(err)
	}
}
