package check

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/format"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/marker"
)

// TestHasForm: what the formatter refuses after all checks, the few that look at the form
// do not take for whole.
func TestHasForm(t *testing.T) {
	dirs, err := filepath.Glob("../../testdata/marker/*")
	if err != nil {
		t.Fatal(err)
	}
	whole, refused := 0, 0
	for _, dir := range dirs {
		for _, f := range marker.Load(t, dir) {
			for _, path := range f.Files {
				file := f.Workspace.File(path)
				if file.Doc == nil || file.Kind == model.YAML || file.IsYAMLAgent() {
					continue
				}
				found := Run(t.Context(), f.Workspace, path, Options{Unsuppressed: true})
				_, err := format.Format(file.Doc, found)
				_, laidOut := format.Format(file.Doc, nil)
				switch {
				case HasForm(t.Context(), file):
					if whole++; (err == nil) != (laidOut == nil) {
						t.Errorf("%s: %s is taken for whole: %v", f.Name, path, err)
					}
				case err != nil:
					refused++
				}
			}
		}
	}
	if whole < 500 || refused < 100 {
		t.Errorf("%d files were whole and %d refused: too few to tell", whole, refused)
	}
}

// TestFormChecks: a check with a fix that mends a slip is one of those that look at the form.
func TestFormChecks(t *testing.T) {
	seen := map[string]bool{}
	for _, dir := range []string{fixtures, "../../testdata/marker/fix"} {
		for _, f := range marker.Load(t, dir) {
			for _, path := range f.Files {
				file := f.Workspace.File(path)
				if file.Doc == nil || file.Kind == model.YAML || file.IsYAMLAgent() {
					continue
				}
				r := newRun(t.Context(), f.Workspace, path, new(Cache))
				for _, d := range r.checkText(f.Workspace, file) {
					if slices.ContainsFunc(d.Fixes, func(fix model.Fix) bool { return fix.ChangesParse }) {
						seen[d.Code] = true
					}
				}
			}
		}
	}
	for _, c := range All() {
		if seen[c.Code] && !c.Form {
			t.Errorf("%s has fixes that mend slips", c.Code)
		}
	}
}
