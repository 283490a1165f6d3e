package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/corpus"
	"github.com/abl-lsp/abl-lsp/internal/marker"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// mutateSource is a workspace in whose files slips are made.
type mutateSource struct {
	name      string
	w         model.Workspace
	most      int      // places of one kind in a file at most
	tolerated []string // the codes of errors and warnings that a file may have
}

// mutateSources returns the projects of the corpus, and the clean files in the fixtures of the
// checks.
func mutateSources(t *testing.T) []mutateSource {
	t.Helper()
	var out []mutateSource
	for _, dir := range corpus.Folders(t, "../..") {
		out = append(out, mutateSource{filepath.Base(dir), corpusWorkspace(t, dir), manyPlaces, []string{"undefined-agent", "platform-loss", "name-style"}})
	}
	for _, f := range marker.Load(t, "../../testdata/marker/check") {
		out = append(out, mutateSource{"check/" + f.Name, f.Workspace, somePlaces, nil})
	}
	return out
}

const manyPlaces, somePlaces = 30, 4

// corpusWorkspace returns the workspace with all files of a project that are read.
func corpusWorkspace(t *testing.T, dir string) model.Workspace {
	t.Helper()
	var w model.Workspace
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !model.IsABL(path) && d.Name() != "abl.yaml" {
			return err
		}
		raw, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		path = filepath.Join(string(filepath.Separator), name)
		w = w.With(path, syntax.Parse(string(raw)))
		paths = append(paths, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		w = model.ReadImports(w, path, func(string) (string, model.Absence) { return "", model.NotFound })
	}
	return w
}

// isPlainText reports whether a text has the layout that the slips expect: spaces, line feeds, and
// no comments that suppress.
func isPlainText(source string) bool {
	return !strings.ContainsAny(source, "\t\r") && !strings.Contains(source, "abl:ignore")
}
