package lsp

import (
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// TestMovingToolsNeedsFiles checks that a refactoring that creates a file is offered to
// clients that can create one, and to all clients if the file exists.
func TestMovingToolsNeedsFiles(t *testing.T) {
	making := lsptest.WithDocumentChanges(protocol.ResourceOperationKindCreate)
	for name, tt := range map[string]struct {
		options []func(*protocol.InitializeParams)
		library string
		want    string
	}{
		"it can":       {[]func(*protocol.InitializeParams){making}, "", "Move `look` to `./b.tools.abl`"},
		"it cannot":    {nil, "", ""},
		"it is there":  {nil, "TOOLS:\n  one() -> string\n", "Move `look` to `./b.tools.abl`"},
		"there for it": {[]func(*protocol.InitializeParams){making}, "TOOLS:\n  one() -> string\n", "Move `look` to `./b.tools.abl`"},
	} {
		t.Run(name, func(t *testing.T) {
			b := openRefactorable(t, append(tt.options, lsptest.WithResolvedActions)...)
			if tt.library != "" {
				b.write("b.tools.abl", tt.library)
			}
			b.doc = uri.File(b.join("b.agent.abl"))
			b.Open(b.doc, "AGENT: B\nGOAL: \"x\"\nTOOLS:\n  look() -> string\n    description: \"😀\"\n")
			found := b.requestActions(t, 3, 4, 4, `{"diagnostics":[],"only":["refactor.extract"]}`)
			if got := titles(found); got != tt.want {
				t.Errorf("%s: got %q, want %q", name, got, tt.want)
			}
			for _, action := range found {
				resolved, err := b.resolve(t, action)
				if edit, _ := resolved["edit"].(map[string]any); err != nil || len(edit) == 0 {
					t.Errorf("%s: resolved to %v, %v", name, resolved, err)
				}
			}
		})
	}
}
