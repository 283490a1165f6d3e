package module

import (
	"os"
	"path/filepath"
	"strings"
)

// visibleFolders returns the paths that a module sees of this machine: its own folder, and the
// node_modules and package.json that Node looks for above it. A link there came with the project
// and could lead to any folder of the person, so it is followed only to a target of the same name.
func visibleFolders(file string) []string {
	dir := filepath.Dir(file)
	out := []string{dir}
	for at := filepath.Dir(dir); at != filepath.Dir(at); at = filepath.Dir(at) {
		for _, name := range []string{"node_modules", "package.json"} {
			path := filepath.Join(at, name)
			if real, err := filepath.EvalSymlinks(path); err == nil && filepath.Base(real) == name {
				out = append(out, path)
			}
		}
	}
	return out
}

// hiddenFiles returns the files in the module's folder that hold secrets, with links resolved.
func (p plan) hiddenFiles(file string) []string {
	dir := filepath.Dir(file)
	found := []string{filepath.Join(dir, ".git", "config")}
	if own := p.Environment.Secrets.Dotenv; own != "" {
		found = append(found, own)
	}
	entries, _ := os.ReadDir(dir) // if the folder cannot be listed, the module cannot find the files either
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".env") || e.Name() == ".npmrc" {
			found = append(found, filepath.Join(dir, e.Name()))
		}
	}
	var out []string
	for _, path := range found {
		real, err := filepath.EvalSymlinks(path)
		if err != nil || !isWithin(real, dir) {
			continue
		}
		if info, err := os.Stat(real); err == nil && info.Mode().IsRegular() {
			out = append(out, real)
		}
	}
	return out
}

func isWithin(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
