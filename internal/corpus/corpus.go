// Package corpus has the projects through which the tests of the features go: whole ones, as their
// authors would write them, below testdata/corpus, and the example of each page of docs/tools.
package corpus

import (
	"path/filepath"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/toolpages"
)

// Folders returns the folders of all projects. root is the folder of the repository. A
// project of testdata/corpus says in its expect.txt which diagnostics its files have. The
// example of a page has none; it is written to a folder `page_KIND`, which is deleted
// after the test. The parent of each folder is called `corpus`.
func Folders(t testing.TB, root string) []string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(root, "testdata", "corpus", "[a-z]*"))
	if err != nil || len(folders) == 0 {
		t.Fatal("no corpus", err)
	}
	pages, err := toolpages.Read(root)
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, p := range pages {
		folder := filepath.Join(t.TempDir(), "corpus", "page_"+p.Kind)
		if err := p.Write(folder); err != nil {
			t.Fatal(err)
		}
		folders = append(folders, folder)
	}
	return folders
}
