package disk

import (
	"os"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// Complete is [model.ReadImports] with what only the disk knows of the files that
// were read, and of the files next to them.
func Complete(w model.Workspace, path string, read model.Reader) model.Workspace {
	w = model.ReadImports(w, path, read)
	for _, dir := range w.Folders(path) {
		var names []string
		for _, e := range List(dir) {
			if !e.IsDir {
				names = append(names, e.Name)
			}
		}
		if len(names) == 0 {
			continue // it has the file at path at least, so that it cannot be read
		}
		w = model.ReadImports(w.WithFolder(dir, names), path, read)
	}
	for _, env := range model.Unasked(w) {
		w = w.WithTracked(env, Tracked(env))
	}
	return w
}

// Environment are the names of the variables of this process's environment.
func Environment() []string {
	var names []string
	for _, variable := range os.Environ() {
		if name, _, ok := strings.Cut(variable, "="); ok && name != "" {
			names = append(names, name)
		}
	}
	return names
}
