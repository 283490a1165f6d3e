package disk

import (
	"os"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// ReadImports is [model.ReadImports] for files on disk. It also adds the names of the
// files in their folders, and whether a .env is under version control.
func ReadImports(w model.Workspace, path string, read model.Reader) model.Workspace {
	return ReadAllImports(w, []string{path}, read)
}

// ReadAllImports is [ReadImports] for many files.
func ReadAllImports(w model.Workspace, paths []string, read model.Reader) model.Workspace {
	w = model.ReadAllImports(w, paths, read)
	listed := false
	for _, dir := range w.Folders(paths...) {
		var names []string
		for _, e := range ListFolder(dir) {
			if !e.IsDir {
				names = append(names, e.Name)
			}
		}
		if len(names) == 0 {
			continue // it has a file at least, so that it cannot be read
		}
		w, listed = w.WithFolder(dir, names), true
	}
	if listed {
		w = model.ReadAllImports(w, paths, read)
	}
	for _, env := range model.UncheckedDotenvs(w) {
		w = w.WithTracked(env, IsTracked(env))
	}
	return w
}

// EnvironmentNames returns the names of the variables in the environment of this process.
func EnvironmentNames() []string {
	var names []string
	for _, variable := range os.Environ() {
		if name, _, ok := strings.Cut(variable, "="); ok && name != "" {
			names = append(names, name)
		}
	}
	return names
}
