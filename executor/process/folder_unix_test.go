//go:build unix

package process_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/process"
)

// TestNewFolder checks that folders of killed processes are removed, and locked folders are not.
func TestNewFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	folder, remove, err := process.NewFolder("abl-lsp-test-")
	if err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(os.TempDir(), "abl-lsp-test-left")
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-time.Hour)
	for _, dir := range []string{folder, left} {
		if err := os.Chtimes(dir, long, long); err != nil {
			t.Fatal(err)
		}
	}
	_, second, err := process.NewFolder("abl-lsp-test-")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("what was left is there: %v", err)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Errorf("what is held: %v", err)
	}
	remove()
	second()
	if there, err := filepath.Glob(filepath.Join(os.TempDir(), "*")); err != nil || len(there) > 0 {
		t.Errorf("%q, %v", there, err)
	}
}
