// Package corpus has the projects through which the tests of the features go: whole ones, as their
// authors would write them, below testdata/corpus, and the example of each page of docs/tools.
package corpus

import (
	"path/filepath"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/toolpages"
)

// Folders are the folders of all projects. root is that of the repository. What expect.txt in a folder
// lists is found in its files; nothing is in those of the pages, each of which is written to a folder
// `page_KIND` that is gone after the test. A folder's parent is called `corpus`.
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
