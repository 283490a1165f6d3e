package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestTree lists a folder while files are created and removed, and compares with Walk.
func TestTree(t *testing.T) {
	dir := tree(t, "a.abl", "sub/b.abl", "sub/deep/c.abl", "node_modules/d.abl", ".git/e.abl", "x.txt")
	if err := os.Symlink(filepath.Join(dir, "a.abl"), filepath.Join(dir, "link.abl")); err != nil {
		t.Fatal(err)
	}
	wanted := func(path string) bool { return filepath.Ext(path) == ".abl" }
	var files Tree
	check := func(what string) {
		t.Helper()
		want, err := FindFiles(dir, wanted)
		if err != nil {
			t.Fatal(err)
		}
		if got := files.Files(t.Context(), []string{dir, filepath.Join(dir, "sub")}, wanted); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	check("at first")
	check("again")
	if err := os.WriteFile(filepath.Join(dir, "sub", "new.abl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	check("with a new file")
	if err := os.RemoveAll(filepath.Join(dir, "sub", "deep")); err != nil {
		t.Fatal(err)
	}
	check("without a folder")
	if got := files.Files(t.Context(), []string{filepath.Join(dir, "none")}, wanted); len(got) > 0 {
		t.Errorf("of no folder: %v", got)
	}
}

// TestTreeReliesOnStamps changes a folder and resets its time.
func TestTreeReliesOnStamps(t *testing.T) {
	dir := tree(t, "a.abl")
	then := time.Now().Add(-time.Hour)
	age(t, dir, then)
	var files Tree
	all := func(string) bool { return true }
	files.Files(t.Context(), []string{dir}, all)
	if err := os.Rename(filepath.Join(dir, "a.abl"), filepath.Join(dir, "b.abl")); err != nil {
		t.Fatal(err)
	}
	age(t, dir, then)
	if got := files.Files(t.Context(), []string{dir}, all); len(got) != 1 || filepath.Base(got[0]) != "a.abl" {
		t.Errorf("a folder that looks the same was listed again: %v", got)
	}
}

func age(t *testing.T, path string, then time.Time) {
	t.Helper()
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

// TestStamp writes a content of the same size at the same time of the file system.
func TestStamp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.abl")
	recent, old := time.Now(), time.Now().Add(-time.Hour)
	write := func(text string, at time.Time) Stamp { // however long that takes, it is recent still
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		age(t, path, at)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return stampAt(info, recent)
	}
	for _, tt := range []struct {
		name  string
		then  Stamp
		now   Stamp
		still bool
	}{
		{"nothing", StampOf(path), StampOf(path), true},
		{"a new file", Stamp{}, write("a", old), false},
		{"the same", write("a", old), write("a", old), true},
		{"a longer one", write("a", old), write("ab", old), false},
		{"a later one", write("a", old), write("b", old.Add(time.Second)), false},
		{"a young one of the same time", write("a", recent), write("b", recent), false},
		{"a young one of the same second", write("a", recent.Truncate(time.Second)), write("b", recent.Truncate(time.Second)), false},
		{"one of a clock that is ahead", write("a", recent.Add(time.Hour)), write("a", recent.Add(time.Hour)), true},
		{"a file that is gone", write("a", old), Stamp{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.then.IsUnchanged(tt.now); got != tt.still {
				t.Errorf("%s: still the same is %t", tt.name, got)
			}
		})
	}
}

// TestTreeIsCut lists a folder with more entries than the limit.
func TestTreeIsCut(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"a", "b", "c"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, sub, "x.abl"), []byte("🧭"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all := func(string) bool { return true }
	few, many := Tree{Limit: 5}, Tree{}
	if got := few.Files(t.Context(), []string{dir}, all); len(got) != 1 || !few.IsTruncated() {
		t.Errorf("%d files of a limited tree, cut: %t", len(got), few.IsTruncated())
	}
	if got := many.Files(t.Context(), []string{dir}, all); len(got) != 3 || many.IsTruncated() {
		t.Errorf("%d files, cut: %t", len(got), many.IsTruncated())
	}
}
