package jail

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mount is a file or folder of this machine that a program may read, or a link to one.
type mount struct{ path, link string }

// systemFolders are the folders of programs and libraries.
func systemFolders() []string { return []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"} }

// mounts returns the system folders that exist, and the roots.
func mounts(roots []string) []mount {
	var out []mount
	for _, path := range slices.Concat(systemFolders(), roots) {
		covered := func(m mount) bool { return m.link == "" && within(path, m.path) }
		if slices.ContainsFunc(out, covered) {
			continue
		}
		if link, err := os.Readlink(path); err == nil && slices.Contains(systemFolders(), path) {
			out = append(out, mount{path, link})
		} else if _, err := os.Stat(path); err == nil {
			out = append(out, mount{path: path})
		}
	}
	return out
}

func within(path, root string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}
