package analysis_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/internal/marker"
)

// TestMarkerRefactor runs the fixtures of refactorings. A note's literal is what
// is selected; one with a bar in it, the place of a cursor.
func TestMarkerRefactor(t *testing.T) {
	marker.Run(t, filepath.Join("..", "testdata", "marker", "refactor"), checks, map[string]marker.Kind{"refactor": refactorNote, "fix": fix})
}

var refactorKinds = map[refactor.RefactorKind]string{
	refactor.RewriteKind: "refactor.rewrite", refactor.ExtractKind: "refactor.extract", refactor.InlineKind: "refactor.inline",
}

// refactorNote is the kind and the title of each refactoring of the literal, and
// what it does, or why it cannot be done: of those that extract or inline tools in the
// fixtures of that name, of all others elsewhere.
func refactorNote(f *marker.Fixture, n marker.Note) string {
	var out []string
	kind := "refactor.rewrite"
	if name, ok := strings.CutSuffix(f.Name, "_tools"); ok {
		kind = "refactor." + name
	}
	wants := func(k refactor.RefactorKind) bool { return refactorKinds[k] == kind }
	for _, r := range refactor.Refactorings(f.Workspace, n.Path, n.Span, wants) {
		out = append(out, refactorKinds[r.Kind]+": "+r.Title)
		if r.Disabled != "" {
			out = append(out, "cannot: "+r.Disabled)
			continue
		}
		edits, err := r.Edits(context.Background(), known(f.Workspace, r.Reads))
		if err != nil {
			out = append(out, "cannot: "+err.Error())
			continue
		}
		out = append(out, changes(f, edits))
	}
	if out == nil {
		return nothing
	}
	return strings.Join(out, "\n")
}

// known is the workspace that knows of files that nobody has mentioned that they
// are not there.
func known(w model.Workspace, paths []string) model.Workspace {
	for _, path := range paths {
		if w.File(path) == nil {
			w = w.WithMissing(path, model.NotFound)
		}
	}
	return w
}
