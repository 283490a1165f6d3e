// Package editortest makes the folder for the tests of the editors, and the server that
// the editors start.
package editortest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// CopyDemo copies the files of the demo with one of the endings into a folder, makes their
// tools call host, and appends to each file what more returns for its name, which is its
// path with slashes.
func CopyDemo(t *testing.T, folder, host string, endings []string, more func(name string) string) {
	t.Helper()
	demo := os.DirFS("../../testdata/demo")
	err := fs.WalkDir(demo, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains(endings, filepath.Ext(name)) {
			return err
		}
		text, err := fs.ReadFile(demo, name)
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte("127.0.0.1:8787"), []byte(host))
		target := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, append(text, more(name)...), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
