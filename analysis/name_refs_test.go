package analysis_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/marker"
)

// TestOneReaderOfNames compares the features with the reader of names: each name that means
// something is what the cursor finds there, and is among the references to its symbol; each
// variable that gets a value is named there.
func TestOneReaderOfNames(t *testing.T) {
	for _, folder := range []string{"references", "semantic_tokens", "rename", "definition"} {
		for _, f := range marker.Load(t, filepath.Join("..", "testdata", "marker", folder)) {
			for _, path := range f.Files {
				if file := f.Workspace.File(path); file.Doc != nil && file.Kind != model.YAML {
					t.Run(folder+"/"+f.Name+path, func(t *testing.T) { checkNames(t, f.Workspace, file) })
				}
			}
		}
	}
}

func checkNames(t *testing.T, w model.Workspace, f *model.File) {
	r := model.Resolver{Workspace: w, File: f}
	starts := map[int]bool{}
	var named []model.NameRef
	for _, e := range f.Doc.HeadsAndEntries() {
		named = slices.AppendSeq(named, f.NameRefs(e))
	}
	for _, n := range named {
		starts[n.Span.Start] = true
		if len(r.SymbolsOf(n)) == 0 {
			continue
		}
		u, ok := cursor.OccurrenceAt(w, f.Path, n.Span.Start)
		if !ok || u.Span.Start != n.Span.Start {
			t.Errorf("the cursor at %q finds %+v", n.Name, u)
			continue
		}
		if isSame := func(r model.Reference) bool {
			return r.Path == f.Path && f.WrittenSpan(r.Span) == f.WrittenSpan(u.Span)
		}; !slices.ContainsFunc(analysis.References(context.Background(), w, f.Path, n.Span.Start), isSame) {
			t.Errorf("%q is not among the references of what it names", n.Name)
		}
	}
	for _, v := range f.AllVariables() {
		if !starts[v.Span.Start] {
			t.Errorf("the variable %q is not named where it is introduced", v.Name)
		}
	}
}
