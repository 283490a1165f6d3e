package lsp

import (
	"encoding/json"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// TestChangesElsewhereAreConfirmed checks that a client that can ask for confirmation
// asks for it for changes in other files, and not for changes of the document itself and
// new files.
func TestChangesElsewhereAreConfirmed(t *testing.T) {
	annotating := func(p *protocol.InitializeParams) {
		p.Capabilities.Workspace.WorkspaceEdit.ChangeAnnotationSupport = &protocol.ChangeAnnotationsSupportOptions{}
	}
	changes := lsptest.WithDocumentChanges(protocol.ResourceOperationKindCreate)
	asking, silent := openActions(t, lsptest.WithActions, changes, annotating), openActions(t, lsptest.WithActions, changes)
	for name, tt := range map[string]struct {
		actionsClient
		line int
		want bool
	}{
		"another file":   {asking, 4, true},
		"the document":   {asking, 3, false},
		"a new file":     {asking, 5, false},
		"without asking": {silent, 4, false},
	} {
		t.Run(name, func(t *testing.T) {
			found := tt.requestActions(t, tt.line, 8, 8, `{"diagnostics":[],"only":["quickfix"]}`)
			raw, _ := json.Marshal(found[0]["edit"])
			marked := strings.Contains(string(raw), `"annotationId":"elsewhere"`)
			asked := strings.Contains(string(raw), `"needsConfirmation":true`)
			if marked != tt.want || asked != tt.want {
				t.Errorf("%s: got %s", name, raw)
			}
		})
	}
}
