//go:build unix

package journal

import (
	"errors"
	"syscall"
	"testing"
)

// TestPipe checks that a pipe in the folder makes neither readers nor writers wait.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(nameOf(dir, 1), 0o600); err != nil {
		t.Fatal(err)
	}
	j := New(dir)
	if err := errors.Join(j.Begin(row(1)), j.Close()); err != nil {
		t.Fatal(err)
	}
	if rows := read(t, dir, 0); len(rows) != 1 {
		t.Errorf("%d rows", len(rows))
	}
}
