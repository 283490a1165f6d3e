package disk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// tree makes files with their names as text; a name that ends in a slash is a
// folder.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.Mkdir(path, 0o750); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRead(t *testing.T) {
	dir := tree(t, "a.abl", "b.abl/")
	big := filepath.Join(dir, "big.abl")
	if err := os.WriteFile(big, make([]byte, 2*syntax.MaxBytes), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]model.Absence{
		"a.abl":        model.Present,
		"b.abl":        model.IsFolder,
		"c.abl":        model.NotFound,
		"a.abl/nested": model.Unreadable,
	} {
		t.Run(name, func(t *testing.T) {
			source, got := Read(filepath.Join(dir, filepath.FromSlash(name)))
			if got != want || (got == model.Present) != (source != "") {
				t.Errorf("%s: got %q, %d; want %d", name, source, got, want)
			}
		})
	}
	if source, _ := Read(big); len(source) != syntax.MaxBytes+1 {
		t.Errorf("of a large file %d bytes were read", len(source))
	}
	if _, got := Read(os.DevNull); got != model.Unreadable {
		t.Errorf("a device: got %d", got)
	}
}

func TestWalk(t *testing.T) {
	dir := tree(t, "b.agent.abl", "a/x.tools.abl", "a/y.txt", "node_modules/n.abl", ".git/g.abl", "z.ABL", "folder.abl/")
	for name, target := range map[string]string{"mounted.abl": ".git/g.abl", "twice.abl": "z.ABL", "outside.abl": "/etc/hostname", "gone.abl": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), ".link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for name, root := range map[string]string{
		"a folder":                dir,
		"with a slash at its end": dir + "/",
		"through a link":          link,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := FindFiles(root, model.IsImportable)
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				rel, _ := filepath.Rel(root, got[i])
				got[i] = filepath.ToSlash(rel)
			}
			if want := []string{"a/x.tools.abl", "b.agent.abl", "mounted.abl", "z.ABL"}; !slices.Equal(got, want) {
				t.Errorf("%s (-want +got):\n%s", root, cmp.Diff(want, got))
			}
		})
	}
	if _, err := FindFiles(filepath.Join(dir, "nowhere"), model.IsImportable); err == nil {
		t.Error("a folder that is not there: no error")
	}
}

func TestList(t *testing.T) {
	got := ListFolder(tree(t, "a.abl", "b/"))
	if want := []model.DirEntry{{Name: "a.abl"}, {Name: "b", IsDir: true}}; !slices.Equal(got, want) {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
	if got := ListFolder(filepath.Join(t.TempDir(), "nowhere")); got != nil {
		t.Errorf("got %v", got)
	}
}
