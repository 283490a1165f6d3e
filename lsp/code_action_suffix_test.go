package lsp

import (
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// TestFileSuffixIsRenamed checks that clients that can rename files rename one whose name
// has the suffix of the other dialect.
func TestFileSuffixIsRenamed(t *testing.T) {
	for name, tt := range map[string]struct {
		options []func(*protocol.InitializeParams)
		want    string
	}{
		"it can":    {[]func(*protocol.InitializeParams){lsptest.WithDocumentChanges(protocol.ResourceOperationKindRename)}, "Rename the file to `b.agent.abl`"},
		"it cannot": {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTestFolder(t)
			c := startClient(t, func(*server) {})
			c.Initialize(append(tt.options, lsptest.WithActions)...)
			b := actionsClient{c, f, uri.File(f.join("b.agent.yaml"))}
			b.Open(b.doc, "AGENT: B\nGOAL: \"😀\"\n")
			var renames []map[string]any
			for _, action := range b.requestActions(t, 0, 0, 0, `{"diagnostics":[],"only":["quickfix"]}`) {
				if strings.HasPrefix(action["title"].(string), "Rename") {
					renames = append(renames, action)
				}
			}
			if got := titles(renames); got != tt.want {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			for _, action := range renames {
				change := action["edit"].(map[string]any)["documentChanges"].([]any)[0].(map[string]any)
				if change["kind"] != "rename" || change["newUri"] != string(uri.File(b.join("b.agent.abl"))) {
					t.Errorf("got %v", change)
				}
			}
		})
	}
}
