package check

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/marker"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// TestSyntaxOfLarge makes some fixtures large: what is found of their syntax alone is what a
// run finds of it.
func TestSyntaxOfLarge(t *testing.T) {
	const oneOf = 32 // to read a large text takes its time
	padding := strings.Repeat("\n# a line of a large file", 12_000)
	found := 0
	for i, f := range marker.Load(t, filepath.Join("..", "..", "testdata", "marker", "check")) {
		for _, path := range f.Files {
			file := f.Workspace.File(path)
			if i%oneOf != 0 || file.Doc == nil || file.Kind == model.YAML {
				continue
			}
			w := f.Workspace.With(path, syntax.Parse(file.Text()+padding))
			o := Options{Cache: new(Cache)}
			got := SyntaxOfLarge(context.Background(), w, path, o)
			want := slices.DeleteFunc(Run(context.Background(), w, path, o), func(d model.Diagnostic) bool {
				return d.Code != "syntax-error" && d.Code != "invalid-signature"
			})
			got = slices.DeleteFunc(got, func(d model.Diagnostic) bool { return d.Code == "unused-suppression" })
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s%s: a run finds (-), early (+)\n%s", f.Name, path, diff)
			}
			found += len(got)
			if len(SyntaxOfLarge(context.Background(), f.Workspace, path, o)) > 0 {
				t.Errorf("%s%s: a small file has findings early", f.Name, path)
			}
		}
	}
	if found == 0 {
		t.Error("no syntax errors in the fixtures")
	}
}
