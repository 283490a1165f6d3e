package disk

import (
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// How much of a workspace is looked at that nobody has named a file of.
const (
	maxWorkspaceFiles   = 10_000
	maxWorkspaceEntries = 200_000
)

// CompleteWorkspaces is the workspace with the other files of those workspaces that the
// files at the paths belong to, as far as these use names without importing them. Files
// without a project.json or an abl.yaml above them belong together; of a single one the
// libraries in its folder may bind the tools.
func CompleteWorkspaces(w analysis.Workspace, paths []string, read analysis.Reader) analysis.Workspace {
	walked := map[string]bool{}
	for _, path := range paths {
		root, marked := w.WorkspaceRoot(path)
		wanted := analysis.HasPublicNames
		if !marked && len(paths) == 1 {
			root, wanted = filepath.Dir(path), analysis.IsLibrary
		}
		if root == "" || walked[root] || !w.UsesWorkspace(path) {
			continue
		}
		walked[root] = true
		w = withFilesBelow(w, root, wanted, read)
	}
	return completeAll(w, paths, read)
}

// CompleteFolder is the workspace with the other files below a folder that was given as a
// whole, as far as the files at the paths use their names: without a project.json or an
// abl.yaml above them they belong together.
func CompleteFolder(w analysis.Workspace, folder string, paths []string, read analysis.Reader) analysis.Workspace {
	usesFolder := func(path string) bool {
		_, marked := w.WorkspaceRoot(path)
		return !marked && analysis.IsBelow(folder, path) && w.UsesWorkspace(path)
	}
	if !slices.ContainsFunc(paths, usesFolder) {
		return w
	}
	return completeAll(withFilesBelow(w, folder, analysis.HasPublicNames, read), paths, read)
}

// completeAll completes each file again: what binds its tools is known now.
func completeAll(w analysis.Workspace, paths []string, read analysis.Reader) analysis.Workspace {
	for _, path := range paths {
		w = Complete(w, path, read)
	}
	return w
}

// withFilesBelow is the workspace with those files below a folder whose paths are wanted.
// What cannot be read is not there.
func withFilesBelow(w analysis.Workspace, root string, wanted func(path string) bool, read analysis.Reader) analysis.Workspace {
	docs := map[string]*syntax.Document{}
	for _, path := range workspaceFiles(root, wanted) {
		if w.File(path) != nil {
			continue
		}
		if text, absent := read(path); absent == analysis.Present {
			docs[path] = syntax.Parse(text)
		}
	}
	if len(docs) == 0 {
		return w
	}
	return w.WithAll(docs)
}

// workspaceFiles are the wanted files below a folder, sorted.
func workspaceFiles(root string, wanted func(path string) bool) []string {
	var paths []string
	entries := 0
	_ = walk(root, func(path string, d fs.DirEntry, err error) error { // it gives no error
		entries++
		switch {
		case entries > maxWorkspaceEntries || len(paths) == maxWorkspaceFiles:
			return fs.SkipAll
		case err == nil && d.Type().IsRegular() && wanted(path): // what cannot be listed is not there
			paths = append(paths, path)
		}
		return nil
	})
	slices.Sort(paths)
	return paths
}
