package state

import (
	"path/filepath"
	"testing"
)

// TestPresence checks that a process is present until it closes its presence, and that nothing of it
// is left then.
func TestPresence(t *testing.T) {
	dir := t.TempDir()
	s := New(dir)
	check := func(want bool) {
		t.Helper()
		if got, err := New(dir).IsPresent("a"); got != want || err != nil {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
	check(false)
	p, err := s.Announce("a")
	if err != nil {
		t.Fatal(err)
	}
	check(true)
	if _, err := s.Announce("a"); err == nil {
		t.Error("a name is used twice")
	}
	p.Close()
	check(false)
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("%q, %v", left, err)
	}
	var none *Store
	if p, err := none.Announce("a"); p != nil || err != nil {
		t.Error(p, err)
	}
}
