package analysis_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/internal/corpus"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// TestOrganizeImportsCorpus organizes the imports of the corpus, as they are and in disorder.
// Nothing becomes wrong, no tool and no comment is lost, and a second time changes nothing.
func TestOrganizeImportsCorpus(t *testing.T) {
	organized := 0
	for _, folder := range corpus.Folders(t, "..") {
		w := project(t, folder)
		for _, path := range w.Paths() {
			f := w.File(path)
			if f.Doc == nil || len(f.Imports) == 0 {
				continue
			}
			for _, source := range []string{f.Text(), disordered(f)} {
				w := w.With(path, syntax.Parse(source))
				after, edits := organizedAt(t, w, path)
				organized += edits
				if lost := difference(serious(w, path), serious(after, path)); strings.Contains(lost, "+") {
					t.Errorf("%s%s: %s", filepath.Base(folder), path, lost)
				}
				if before, now := commentLines(source), commentLines(after.File(path).Text()); before != now {
					t.Errorf("%s%s has %d comments, and had %d", filepath.Base(folder), path, now, before)
				}
				if again, edits := organizedAt(t, after, path); edits > 0 {
					t.Errorf("%s%s is organized again:\n%s", filepath.Base(folder), path, again.File(path).Text())
				}
			}
		}
	}
	if organized < 10 {
		t.Errorf("only %d runs of imports were organized", organized)
	}
}

func commentLines(source string) int { return strings.Count(source, "\n  #") }

// disordered returns the file with its imports twice, the last one first.
func disordered(f *model.File) string {
	var lines []string
	for _, i := range f.Imports {
		if !strings.Contains(i.Text(), "#") {
			lines = append(lines, "  "+i.Text(), "  # once more")
		}
	}
	slices.Reverse(lines)
	return strings.Replace(f.Text(), "\nTOOLS:", "\nTOOLS:\n"+strings.Join(lines, "\n"), 1)
}

func organizedAt(t *testing.T, w model.Workspace, path string) (after model.Workspace, edits int) {
	t.Helper()
	made := refactor.OrganizeImports(w, path, check.Run(context.Background(), w, path, check.Options{}))
	source, err := w.File(path).Edited(made...)
	if err != nil {
		t.Fatal(err)
	}
	return w.With(path, syntax.Parse(source)), len(made)
}

// serious returns the messages of a file that are no hints.
func serious(w model.Workspace, path string) []string {
	var out []string
	for _, d := range check.Run(context.Background(), w, path, check.Options{}) {
		if d.Severity < model.Hint {
			out = append(out, d.Code+": "+d.Message)
		}
	}
	return out
}
