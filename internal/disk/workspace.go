package disk

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/parallel"
)

// How much of a workspace is looked at that nobody has named a file of, and how much of the
// folder of a file that belongs to none.
const (
	maxWorkspaceFiles   = 10_000
	maxWorkspaceEntries = 200_000
	maxFolderEntries    = 20_000
)

// ReadWorkspaces is the workspace with the other files of those workspaces that the
// files at the paths belong to, as far as these use names without importing them. Files
// without a project.json or an abl.yaml above them belong together, with all others below
// those of the folders, given as a whole, that they are in. Of a single one that is in none
// the libraries below its own folder may bind the tools.
func ReadWorkspaces(w model.Workspace, folders, paths []string, read model.Reader) model.Workspace {
	walked := map[string]bool{}
	for _, path := range paths {
		around := nameScopeOf(w, folders, path)
		if around.isFolder && len(paths) > 1 || walked[around.root] || !model.UsesWorkspace(w, path) {
			continue
		}
		walked[around.root] = true
		w = withFilesBelow(w, around, read)
	}
	if len(walked) == 0 {
		return w
	}
	return ReadAllImports(w, paths, read) // again: what binds the tools is known now
}

// nameScope are the files that may have names for another one.
type nameScope struct {
	root     string // they are below this folder
	isFolder bool   // it is only the folder of the file, whose libraries count
}

func nameScopeOf(w model.Workspace, folders []string, path string) nameScope {
	if root, marked := w.WorkspaceRoot(path); marked {
		return nameScope{root: root}
	}
	outermost := ""
	for _, folder := range folders {
		if model.IsBelow(folder, path) && (outermost == "" || model.IsBelow(folder, outermost)) {
			outermost = folder
		}
	}
	if outermost != "" {
		return nameScope{root: outermost}
	}
	return nameScope{filepath.Dir(path), true}
}

// withFilesBelow is the workspace with the files that may have names for another one.
// What cannot be read is not there.
func withFilesBelow(w model.Workspace, around nameScope, read model.Reader) model.Workspace {
	paths := slices.DeleteFunc(around.files(), func(path string) bool { return w.Handle(path) != nil })
	found := make([]*model.Handle, len(paths))
	parallel.Each(context.Background(), len(paths), func(i int) {
		if text, absent := read(paths[i]); absent == model.Present {
			found[i] = w.NewHandle(paths[i], text)
		}
	})
	found = slices.DeleteFunc(found, func(h *model.Handle) bool { return h == nil })
	if len(found) == 0 {
		return w
	}
	return w.WithHandles(found...)
}

// files are those files, sorted.
func (s nameScope) files() []string {
	wanted, limit := model.HasPublicNames, maxWorkspaceEntries
	if s.isFolder {
		wanted, limit = model.IsLibrary, maxFolderEntries
	}
	var paths []string
	entries := 0
	_ = walk(s.root, func(path string, d fs.DirEntry, err error) error { // it gives no error
		entries++
		switch {
		case entries > limit || len(paths) == maxWorkspaceFiles:
			return fs.SkipAll
		case err == nil && d.Type().IsRegular() && wanted(path): // what cannot be listed is not there
			paths = append(paths, path)
		}
		return nil
	})
	slices.Sort(paths)
	return paths
}
