package disk

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// TestTracked uses repositories that Git itself has made.
func TestTracked(t *testing.T) {
	long := strings.Repeat("long", 40) + "/"
	for _, version := range []string{"2", "3", "4"} {
		for _, format := range []string{"sha1", "sha256"} {
			t.Run(version+" "+format, func(t *testing.T) {
				dir := tree(t, ".env", "a", "a.b", "é/.env", "sub/.env", "sub/.env.local", long+"1", long+".env", "z/new/.env")
				git(t, dir, "init", "-q", "--object-format="+format)
				git(t, dir, "config", "index.version", version)
				git(t, dir, "add", "a", "a.b", "é", "sub", long+".env", long+"1")
				git(t, dir, "add", "-N", "z/new") // extended flags, as version 3 has them
				git(t, dir, "update-index", "--index-version", version)
				for what, tt := range map[string]struct {
					name string
					want bool
				}{
					"not added":           {".env", false},
					"added":               {"a", true},
					"a name beyond ASCII": {"é/.env", true},
					"in a folder":         {"sub/.env", true},
					"the start of a name": {"sub/.en", false},
					"a long name":         {long + ".env", true},
					"to be added":         {"z/new/.env", true},
					"none":                {"none", false},
				} {
					t.Run(what, func(t *testing.T) {
						if got := IsTracked(filepath.Join(dir, filepath.FromSlash(tt.name))); got != tt.want {
							t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
						}
					})
				}
			})
		}
	}
}

// TestTrackedInWorktree: there .git is a file.
func TestTrackedInWorktree(t *testing.T) {
	dir := tree(t, "main/.env")
	main := filepath.Join(dir, "main")
	git(t, main, "init", "-q")
	git(t, main, "add", ".env")
	git(t, main, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "-m", "x")
	git(t, main, "worktree", "add", "-q", "../other")
	if !IsTracked(filepath.Join(dir, "other", ".env")) {
		t.Error("not found in the index of a linked work tree")
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command(testdeps.FindProgram(t, "git"), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func TestTrackedWithoutRepository(t *testing.T) {
	dir := tree(t, ".env", "broken/.git/index", "broken/.env", "file/.git", "file/.env")
	for _, name := range []string{".env", "broken/.env", "file/.env"} {
		t.Run(name, func(t *testing.T) {
			if IsTracked(filepath.Join(dir, name)) {
				t.Errorf("%s is tracked by nothing", name)
			}
		})
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01" + strings.Repeat("\x00", 63) + ".env\x00"))
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01" + strings.Repeat("\x00", 62) + ".env\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(_ *testing.T, index []byte) {
		indexContains(index, 20, ".env")
		indexContains(index, 32, ".env")
	})
}
