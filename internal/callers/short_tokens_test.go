package callers_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestShortTokens checks that a server knows whose tokens can be guessed, but not of those that are
// written as hashes.
func TestShortTokens(t *testing.T) {
	const hash = "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tokens.txt"), []byte("ann replace-me\nbob q8ZkW0c2TnR5yUeX\neve "+hash+"\nkim 1234 read\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := newPolicy(t, dir, "auth: {tokens: {file: tokens.txt}}", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.ShortTokens(); !slices.Equal(got, []string{"ann", "kim"}) {
		t.Errorf("%q", got)
	}
}
