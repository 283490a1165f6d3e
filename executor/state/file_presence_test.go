package state

import (
	"path/filepath"
	"testing"
)

// TestPresenceLeavesNothing checks that nothing of a process is left after it has closed its presence.
func TestPresenceLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	s := newFile(dir)
	leave, err := s.Announce(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if alive, err := newFile(dir).IsPresent(t.Context(), "a"); !alive || err != nil {
		t.Errorf("%v, %v", alive, err)
	}
	leave()
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("%q, %v", left, err)
	}
}
