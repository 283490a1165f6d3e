package disk

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/parallel"
)

// The limits for the files that are looked for in a workspace, and in the folder of a file
// that belongs to no workspace.
const (
	maxWorkspaceFiles   = 10_000
	maxWorkspaceEntries = 200_000
	maxFolderEntries    = 20_000
)

// ReadWorkspaces adds the other files of the workspaces of the files at the paths, if these
// use names that they do not import. The workspace of a file is the folder with a
// project.json or an abl.yaml above it; without one it is the outermost of the folders that
// contains the file. For a single file outside the folders, the libraries below its own
// folder are added.
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

// nameScope is the set of files whose names another file may use without importing them.
type nameScope struct {
	root     string // the folder that they are below
	isFolder bool   // root is only the file's own folder: only libraries count
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

// withFilesBelow adds the files of a scope to the workspace. Files that cannot be read are
// left out.
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

// files returns the paths of the files of the scope, sorted.
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
