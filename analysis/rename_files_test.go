package analysis_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/corpus"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestRenameFilesCorpus moves every file and every folder of the corpus. Each file can still name
// its tools, and the move back restores the same bytes.
func TestRenameFilesCorpus(t *testing.T) {
	edited := 0
	for _, folder := range corpus.Folders(t, "..") {
		w, _ := movedTo(t, project(t, folder), analysis.Move{To: "/deep/down"})
		for _, from := range filesAndFolders(w) {
			move := analysis.Move{From: from, To: filepath.Join("/deep/else/where/é", filepath.Base(from))}
			w2, edits := movedTo(t, w, move)
			edited += edits
			if before, after := scopes(w, move), scopes(w2, analysis.Move{}); !slices.Equal(before, after) {
				t.Errorf("%s: after %s was moved\n%s", filepath.Base(folder), from, difference(before, after))
			}
			back, _ := movedTo(t, w2, analysis.Move{From: move.To, To: move.From})
			for _, path := range w.Paths() {
				if f := w.File(path); f.Doc != nil && f.Text() != back.File(path).Text() {
					t.Errorf("%s: %s is not the same after %s came back\n%s", filepath.Base(folder), path, from, difference(strings.Split(f.Text(), "\n"), strings.Split(back.File(path).Text(), "\n")))
				}
			}
		}
	}
	if edited < 50 {
		t.Errorf("%d edits", edited)
	}
}

// filesAndFolders returns the paths of a project, the root's left out.
func filesAndFolders(w model.Workspace) []string {
	var paths []string
	for _, path := range w.Paths() {
		for ; w.File(path) == nil || w.File(path).Doc != nil; path = filepath.Dir(path) {
			if path == "/deep" {
				break
			}
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// newPath returns the path of a file after a move.
func newPath(path string, move analysis.Move) string {
	if rest, below := strings.CutPrefix(path, move.From); below && (rest == "" || rest[0] == '/') && move.To != "" {
		return move.To + rest
	}
	return path
}

// movedTo returns the workspace after a move and its edits.
func movedTo(t *testing.T, w model.Workspace, move analysis.Move) (next model.Workspace, n int) {
	t.Helper()
	edits, _ := analysis.RenameFiles(context.Background(), w, []analysis.Move{move}, nil)
	byPath := map[string][]text.Edit{}
	for _, e := range edits {
		byPath[e.Path] = append(byPath[e.Path], e.Edit)
	}
	docs := map[string]*syntax.Document{}
	for _, path := range w.Paths() {
		f := w.File(path)
		if f.Doc == nil {
			continue
		}
		docs[newPath(path, move)] = f.Doc
		if byPath[path] == nil {
			continue
		}
		after, err := f.Edited(byPath[path]...)
		if err != nil {
			t.Fatal(err)
		}
		docs[newPath(path, move)] = syntax.Parse(after)
	}
	next = next.WithAll(docs)
	for path := range docs {
		next = model.ReadImports(next, path, func(string) (string, model.Absence) { return "", model.NotFound })
	}
	return next, len(edits)
}

// scopes returns the tools that each file can name, with the files that declare them as they are
// called after a move.
func scopes(w model.Workspace, move analysis.Move) []string {
	var out []string
	for _, path := range w.Paths() {
		scope := w.Scope(path)
		for _, tool := range scope.Tools {
			out = append(out, fmt.Sprint(newPath(path, move), " ", tool.Name, " ", newPath(tool.File.Path, move), scope.Complete))
		}
	}
	slices.Sort(out)
	return out
}
