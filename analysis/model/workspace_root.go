package model

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
)

// ManifestName is the name of the file at the root of an exported project.
const ManifestName = "project.json"

// IsManifest reports whether a path is that of a project.json.
func IsManifest(path string) bool { return filepath.Base(path) == ManifestName }

// rootFiles are the names of the files that make their folder the root of a workspace.
var rootFiles = []string{ManifestName, projectfile.FileName}

// WorkspaceRoot returns the folder of the workspace that the file at path belongs to: the nearest
// one upwards with a project.json or an abl.yaml. If there is none, marked is false. Then the root
// is "" for files that were opened together or are below one of the folders of
// [Workspace.WithUnopened], and the folder of the file for any other.
func (w Workspace) WorkspaceRoot(path string) (root string, marked bool) {
	if root := w.roots.rootAbove(w, path); root != "" {
		return root, true
	}
	if w.indexed == nil || w.isIndexed(path) {
		return "", false
	}
	return filepath.Dir(path), false
}

// folderRoots remembers the nearest marked folder above each folder that was asked for, "" for
// none. It is safe for concurrent use. A nil one remembers nothing.
type folderRoots struct{ known sync.Map }

// rootAbove returns the nearest folder above a file of the workspace that has a root file.
func (r *folderRoots) rootAbove(w Workspace, path string) string {
	if r == nil {
		return w.findRoot(path)
	}
	dir := filepath.Dir(path)
	if root, ok := r.known.Load(dir); ok {
		return root.(string)
	}
	root := w.findRoot(path)
	r.known.Store(dir, root)
	return root
}

func (w Workspace) findRoot(path string) string {
	for dir := range foldersAbove(path) {
		for _, name := range rootFiles {
			if h := w.anyHandle(filepath.Join(dir, name)); h != nil && h.exists() {
				return dir
			}
		}
	}
	return ""
}

func isRootFile(path string) bool { return slices.Contains(rootFiles, filepath.Base(path)) }

// MarkedRoot returns the root of the workspace of a file if a project.json or an abl.yaml marks it,
// else "": all files without a marked root may name each other's agents.
func (w Workspace) MarkedRoot(path string) string {
	root, marked := w.WorkspaceRoot(path)
	if !marked {
		return ""
	}
	return root
}

// exists reports whether there is such a file, readable or not.
func (s *Summary) exists() bool { return s.Absent == Present || s.Absent == Unreadable }

// foldersAbove returns the folders that the file at path is in, the nearest first.
func foldersAbove(path string) func(yield func(dir string) bool) {
	return func(yield func(string) bool) {
		if !filepath.IsAbs(path) {
			return
		}
		for dir := filepath.Dir(path); yield(dir) && dir != filepath.Dir(dir); {
			dir = filepath.Dir(dir)
		}
	}
}

// WithUnopened returns the workspace that knows what the unopened files below some folders say;
// unopened is nil as long as they are not read. A workspace that was never given folders is assumed
// to know all of its files.
func (w Workspace) WithUnopened(folders []string, unopened *Workspace) Workspace {
	w.indexed, w.unopened, w.importers, w.roots = folders, unopened, new(importers), new(folderRoots)
	if folders == nil {
		w.indexed = []string{}
	}
	return w
}

// Unopened returns the last arguments of [Workspace.WithUnopened].
func (w Workspace) Unopened() (folders []string, unopened *Workspace) { return w.indexed, w.unopened }

func (w Workspace) isIndexed(path string) bool {
	return slices.ContainsFunc(w.indexed, func(folder string) bool { return IsBelow(folder, path) })
}

// IsBelow reports whether a path is that of a folder or below it.
func IsBelow(folder, path string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator)))
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

// KnowsWorkspace reports whether all files of the workspace that the file at path belongs to are
// known. If not, a name that no known file declares may still exist.
func KnowsWorkspace(w Workspace, path string) bool {
	if w.indexed == nil {
		return true
	}
	root, marked := w.WorkspaceRoot(path)
	return w.unopened != nil && (root == "" || marked && w.isIndexed(root))
}

// AnyFile returns the file at path, opened or not; nil if there is none.
func (w Workspace) AnyFile(path string) *File { return w.anyHandle(path).File() }

func (w Workspace) anyHandle(path string) *Handle {
	if h := w.files.Get(path); h != nil || w.unopened == nil {
		return h
	}
	return w.unopened.files.Get(path)
}

// FilesDeclaring returns the files of a workspace root that declare a public name, by path.
func (w Workspace) FilesDeclaring(root, name string, kind NameKind) []*Handle {
	return w.filesMatching(name, kind, func(path string) bool {
		in, _ := w.WorkspaceRoot(path)
		return in == root
	})
}

// filesMatching returns the files that declare a public name and whose path satisfies holds, by
// path.
func (w Workspace) filesMatching(name string, kind NameKind, holds func(path string) bool) []*Handle {
	var files []*Handle
	for _, path := range w.public.paths(kind, name) {
		if holds(path) {
			files = append(files, w.files.Get(path))
		}
	}
	if w.unopened == nil {
		return files
	}
	for _, path := range w.unopened.public.paths(kind, name) {
		if w.files.Get(path) == nil && holds(path) {
			files = append(files, w.unopened.files.Get(path))
		}
	}
	slices.SortFunc(files, func(a, b *Handle) int { return strings.Compare(a.Path, b.Path) })
	return files
}

// IsAlone reports whether the file at path belongs to no workspace: its root is not marked, and it
// is below none of the folders of [Workspace.WithUnopened].
func IsAlone(w Workspace, path string) bool {
	root, marked := w.WorkspaceRoot(path)
	return root != "" && !marked
}

// PublicNamesIn returns the public names of a kind in the files of a workspace root, sorted.
func PublicNamesIn(w Workspace, root string, kind NameKind) []string {
	names := map[string]bool{}
	for _, x := range nameIndexes(w) {
		for name := range x.all(kind) {
			names[name] = names[name] || len(w.FilesDeclaring(root, name, kind)) > 0
		}
	}
	maps.DeleteFunc(names, func(_ string, in bool) bool { return !in })
	return slices.Sorted(maps.Keys(names))
}

// nameIndexes returns the indexes of the public names of opened and of unopened files.
func nameIndexes(w Workspace) []*nameIndex {
	if w.unopened == nil {
		return []*nameIndex{w.public}
	}
	return []*nameIndex{w.public, w.unopened.public}
}

// PathsDeclaring returns the paths of the known files that declare a public name, sorted.
func PathsDeclaring(w Workspace, kind NameKind, name string) []string {
	return w.public.paths(kind, name)
}

// AgentFiles returns the files that declare an agent of that name in the workspace that the file at
// path belongs to, by path.
func AgentFiles(w Workspace, path, name string) []*Handle {
	root, _ := w.WorkspaceRoot(path)
	return w.FilesDeclaring(root, name, AgentNameKind)
}

// ProfileNames returns the names of the behaviour profiles that the file at path may use, sorted.
func ProfileNames(w Workspace, path string) []string {
	root := w.MarkedRoot(path)
	var names []string
	for _, x := range nameIndexes(w) {
		for name, paths := range x.all(ProfileNameKind) {
			if slices.ContainsFunc(paths, func(p string) bool { return w.MarkedRoot(p) == root }) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// HasAgent reports whether the workspace that the file at path belongs to has an agent of that
// name, or the file itself has such an alias below AGENTS.
func HasAgent(w Workspace, path, name string) bool {
	if len(AgentFiles(w, path, name)) > 0 {
		return true
	}
	f := w.File(path)
	isKey := func(n NamedDeclaration) bool { return n.Name == name }
	return f.Kind != YAML && (declaresName(f, Aliases, name) || slices.ContainsFunc(f.DeclaredNames(Aliases), isKey))
}

// HasOtherAgents reports whether a file in the workspace of the file at path, other than that one,
// declares or lists an agent. For a project.json it is also true if the file itself lists one.
func HasOtherAgents(w Workspace, path string) bool {
	if IsManifest(path) && len(PublicNames(w, path)) > 0 {
		return true
	}
	root, _ := w.WorkspaceRoot(path)
	isOther := func(p string) bool {
		in, _ := w.WorkspaceRoot(p)
		return p != path && in == root
	}
	for _, x := range nameIndexes(w) {
		for _, paths := range x.all(AgentNameKind) {
			if slices.ContainsFunc(paths, isOther) {
				return true
			}
		}
	}
	return false
}

// PublicNamesAround returns the public names of a kind in the workspace that the file at path
// belongs to, sorted.
func PublicNamesAround(w Workspace, path string, kind NameKind) []string {
	root, _ := w.WorkspaceRoot(path)
	return PublicNamesIn(w, root, kind)
}

// HasExportedName reports whether the exported project that the file at path belongs to has a name
// of a kind.
func HasExportedName(w Workspace, path string, kind NameKind, name string) bool {
	root, _ := w.WorkspaceRoot(path)
	return len(w.FilesDeclaring(root, name, kind)) > 0
}

// LibraryTools returns the tools of that name that libraries declare in the workspace that the file
// at path belongs to, by path. For a file that belongs to no workspace they are those below its
// folder.
func LibraryTools(w Workspace, path, name string) []ScopedTool {
	var tools []ScopedTool
	for _, library := range librariesWith(w, path, name) {
		f := library.File()
		for _, t := range f.Tools {
			if t.Name == name {
				tools = append(tools, ScopedTool{PositionedTool: t, File: f})
			}
		}
	}
	return tools
}

// librariesWith returns the libraries that declare a tool in the workspace that the file at path
// belongs to, by path.
func librariesWith(w Workspace, path, name string) []*Handle {
	root, _ := w.WorkspaceRoot(path)
	if !IsAlone(w, path) {
		return w.FilesDeclaring(root, name, ToolNameKind)
	}
	return w.filesMatching(name, ToolNameKind, func(library string) bool {
		_, marked := w.WorkspaceRoot(library)
		return !marked && IsBelow(root, library)
	})
}
