package model

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
)

// Folders returns the folders whose files the files at the paths may need without naming them: a
// Récif agent names tools that are in other files of its folder, and cases are in the folder of the
// tested file, whose name after the first dot may be anything.
func (w Workspace) Folders(paths ...string) []string {
	found, seen := map[string]bool{}, map[string]bool{}
	for _, path := range paths {
		reachedPaths(w, seen, path, func(path string, h *Handle) {
			if (h != nil && needsSiblings(h.whole) || lacksTools(w, path)) && filepath.IsAbs(path) {
				found[filepath.Dir(path)] = true
			}
		})
	}
	return slices.Sorted(maps.Keys(found))
}

// lacksTools reports whether a file of cases has some of a tool that no known tested file has, or
// whether no tested file is known. Only then is the folder listed, which takes long if it has
// thousands of files.
func lacksTools(w Workspace, path string) bool {
	if h := w.files.Get(path); h == nil || h.whole == nil || h.whole.SavedCases == nil {
		return false
	}
	tools := TestedToolsOf(w, path)
	if !slices.ContainsFunc(tools.scopes, func(s Scope) bool { return len(s.Tools) > 0 }) {
		return true
	}
	return slices.ContainsFunc(SavedCases(w, path), func(c projectfile.Case) bool {
		_, _, ok := tools.Tool(c.Tool)
		return !ok
	})
}

// WithFolder returns the workspace that knows the names of the files in a folder.
func (w Workspace) WithFolder(dir string, names []string) Workspace {
	saved := map[string]bool{"": false}
	for path := range w.files.All() {
		if NamesTools(path) {
			saved[CasesPath(path)] = true
		}
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !isResourceFile(name) && !saved[CasesPathIfAny(filepath.Join(dir, name))]
	})
	names = names[:min(len(names), MaxImports)]
	if known, ok := w.folders[dir]; ok && slices.Equal(known, names) {
		return w
	}
	w.folders, w.importers = withKey(w.folders, dir, names), new(importers)
	return w
}

// isResourceFile reports whether a file can have resources, by its name.
func isResourceFile(name string) bool {
	lower := strings.ToLower(name)
	return (strings.HasSuffix(lower, ".yaml") || strings.HasSuffix(lower, ".yml")) && IsForeign(name)
}

func needsSiblings(f *File) bool {
	return f != nil && f.Foreign != nil && len(f.Foreign.ToolsElsewhere) > 0
}

// siblingFiles returns the paths of the files in a file's folder that may have the tools it needs.
func siblingFiles(w Workspace, f *File) []string {
	if !needsSiblings(f) {
		return nil
	}
	dir := filepath.Dir(f.Path)
	var paths []string
	for _, name := range w.folders[dir] {
		if path := filepath.Join(dir, name); path != f.Path && isResourceFile(name) {
			paths = append(paths, path)
		}
	}
	return paths
}

// siblingTools returns the tools that a file needs and sibling files have, and the names that no
// sibling has. complete is false if not all siblings are known.
func siblingTools(w Workspace, f *File) (tools []ScopedTool, missing []foreign.Name, complete bool) {
	if !needsSiblings(f) {
		return nil, nil, true
	}
	_, complete = w.folders[filepath.Dir(f.Path)]
	declared := map[string]ScopedTool{}
	for _, path := range siblingFiles(w, f) {
		other := w.File(path)
		if other == nil || other.Doc == nil {
			complete = false
			continue
		}
		for _, t := range other.Tools {
			if name := t.resource(); name != "" && declared[name].File == nil {
				declared[name] = ScopedTool{PositionedTool: t, File: other}
			}
		}
	}
	for _, name := range f.Foreign.ToolsElsewhere {
		switch t, ok := declared[name.Text]; {
		case ok:
			tools = append(tools, t)
		case f.Builtins[name.Text].ToolDecl != nil:
			tools = append(tools, ScopedTool{PositionedTool: f.Builtins[name.Text], File: f})
		default:
			missing = append(missing, name)
		}
	}
	return tools, missing, complete && len(missing) == 0
}

// MissingInSiblings returns the names for which no sibling of the file at path has a tool; none if
// not all siblings are known.
func MissingInSiblings(w Workspace, path string) []foreign.Name {
	f := w.File(path)
	_, missing, _ := siblingTools(w, f)
	if _, listed := w.folders[filepath.Dir(path)]; !listed {
		return nil
	}
	for _, other := range siblingFiles(w, f) {
		if known := w.File(other); known == nil || known.Doc == nil {
			return nil
		}
	}
	return missing
}

// resource returns the name of the resource that declares a tool, "" for none.
func (d *ToolDecl) resource() string {
	if d.Foreign == nil {
		return ""
	}
	return d.Foreign.Resource
}
