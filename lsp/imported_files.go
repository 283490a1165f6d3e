package lsp

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// importedFiles are the files that are not open and were read because a document imports
// them or is near them, by path, with their state on disk when they were read.
type importedFiles map[string]disk.Stamp

// readMissing reads the files that the open documents at the paths need and that are not
// known yet. It returns the paths of the project files that it has read, and of the
// documents, which may belong to a project.
func (f importedFiles) readMissing(next *snapshot, paths []string) (projects []string) {
	read := func(path string) (string, model.Absence) {
		if d := next.documents[path]; d != nil {
			return d.Text(), model.Present
		}
		f[path] = disk.StampOf(path)
		source, absent := next.readFile(path)
		if model.IsProjectFile(path) && absent == model.Present {
			projects = append(projects, path)
		}
		return source, absent
	}
	for _, path := range paths {
		if next.documents[path] != nil && next.readsImports(path) {
			next.workspace = disk.ReadImports(next.workspace, path, read)
			projects = append(projects, path)
		}
	}
	return projects
}

// readsImports reports whether the server reads the files that an open document imports.
func (snap *snapshot) readsImports(path string) bool {
	f := snap.workspace.File(path)
	return isAnalyzedFile(path) || f != nil && f.Foreign != nil
}

// incompleteDocuments returns the paths of the open documents that may need files that
// are not read yet, after the document at path was opened, changed or closed. Documents
// that import it need no more files than it does. Saved cases may, since their tools are
// searched in their folder.
func (snap *snapshot) incompleteDocuments(path string, before *snapshot) []string {
	old, now := before.workspace.File(path), snap.workspace.File(path)
	switch {
	case configuresFolder(path):
		return snap.openPaths()
	case old == nil || old.Doc == nil || now == old:
		return []string{path}
	}
	paths := []string{path}
	for other := range snap.documents {
		if model.NamesTools(other) && other != path {
			paths = append(paths, other)
		}
	}
	return paths
}

// configuresFolder reports whether the file at path decides which other files the files of
// its folder need: it is an abl.yaml, a project.json or a .env.
func configuresFolder(path string) bool {
	return model.IsProjectFile(path) || model.IsManifest(path) || model.IsDotenv(path)
}

// withFile returns the snapshot with a file that is not open, with all such files as they
// are on disk now, and with the names of other files that the file uses.
func (w *workspaceFiles) withFile(snap *snapshot, path string) *snapshot {
	next := w.session.withFile(snap, path)
	if named := w.withNames(w.client.Context(), next, path); named != next {
		return w.session.withFile(named, path)
	}
	return next
}

// withFile returns the snapshot with a file that is not open, and with all such files as
// they are on disk now. Files with the same text as in the last call are not parsed
// again, since the cases of one file run one after the other.
func (s *session) withFile(snap *snapshot, path string) *snapshot {
	next := *snap
	before := snap.workspace
	if last := s.lastWithFile.Load(); last != nil {
		before = before.MergedOver(*last, func(string) bool { return true })
	}
	for _, p := range slices.Concat(next.workspace.Paths(), next.workspace.Dotenvs()) {
		if next.documents[p] == nil {
			next.workspace = next.workspace.Without(p)
		}
	}
	next.workspace = disk.ReadImports(next.workspace.ReusingParsesOf(before), path, next.readFile).ReusingParsesOf(model.Workspace{})
	s.lastWithFile.Store(&next.workspace)
	return &next
}

// readFile returns the text of the file at path, if it may be read. The second result says
// why the file was not read; it is model.Present if it was.
func (snap *snapshot) readFile(path string) (string, model.Absence) {
	switch {
	case !filepath.IsAbs(path): // imported by a document that is not a file
		return "", model.NotFound
	case !snap.mayRead(path):
		return "", model.Forbidden
	}
	return disk.Read(path)
}

// forgetIf forgets the files for which stale reports true, so that they are read again
// when they are needed. It also stops tracking files that have been opened.
func (f importedFiles) forgetIf(next *snapshot, stale func(path string) bool) {
	var forgotten []string
	for path := range f {
		switch {
		case next.documents[path] != nil:
			delete(f, path)
		case stale(path):
			forgotten = append(forgotten, path)
		}
	}
	f.forgetPaths(next, forgotten)
}

// forgetPaths forgets the files at the paths.
func (f importedFiles) forgetPaths(next *snapshot, paths []string) {
	for _, path := range paths {
		delete(f, path)
	}
	if len(paths) > 0 {
		next.workspace = next.workspace.Without(paths...)
	}
}

// prune forgets the files that no open document needs any more.
func (f importedFiles) prune(next *snapshot) {
	open := slices.DeleteFunc(next.openPaths(), func(path string) bool { return !next.readsImports(path) })
	needed := model.NeededPaths(next.workspace, open...)
	f.forgetIf(next, func(path string) bool { return !needed[path] })
}

// readClosed reads the file of a document that was just closed, as if another document
// imported it. It does not parse the same text again.
func (f importedFiles) readClosed(next *snapshot, closed *document) {
	known := next.workspace.File(closed.path)
	if known == nil {
		return
	}
	f[closed.path] = disk.StampOf(closed.path)
	switch source, absent := next.readFile(closed.path); {
	case absent != model.Present:
		next.workspace = next.workspace.WithMissing(closed.path, absent)
	case known.Doc == nil || known.Doc.Text() != source:
		next.workspace = next.workspace.With(closed.path, syntax.ParseOnce(source))
	}
}

// forgetAll forgets all files. It is called when the set of files that may be read has
// changed.
func (f importedFiles) forgetAll(next *snapshot) {
	f.forgetIf(next, func(string) bool { return true })
}

// refresh forgets the files at the given paths, those that have changed on disk, and
// those that could not be read. It always forgets .env files, since no event reports that
// a .env has been put under version control.
func (f importedFiles) refresh(next *snapshot, changed ...string) {
	for _, path := range next.workspace.Dotenvs() {
		if d := next.documents[path]; d != nil { // whether it is under version control is asked again for open ones, too
			next.workspace = next.workspace.Without(path).With(path, d.Document)
		}
	}
	f.forgetIf(next, func(path string) bool { return slices.Contains(changed, path) || f.isStale(next, path) })
}

// isStale reports whether a file must be read again: it has changed on disk, could not be
// read, or is a .env.
func (f importedFiles) isStale(next *snapshot, path string) bool {
	known := next.workspace.File(path)
	again := known != nil && known.Absent != model.Present && known.Absent != model.NotFound
	return again || model.IsDotenv(path) || !f[path].IsUnchanged(disk.StampOf(path))
}

// refreshNeeded forgets the stale files that an open document needs, and returns their
// paths.
func (f importedFiles) refreshNeeded(next *snapshot, path string) (forgotten []string) {
	delete(f, path)
	for needed := range model.NeededPaths(next.workspace, path) {
		if _, read := f[needed]; read && f.isStale(next, needed) {
			forgotten = append(forgotten, needed)
		}
	}
	f.forgetPaths(next, forgotten)
	return forgotten
}

// mayRead reports whether a file may be read for an import. In a workspace that is not
// trusted only files in its folders may be read or, if it has no folders, files next to
// open documents.
func (snap *snapshot) mayRead(path string) bool {
	if orZero(snap.settings.Trusted) {
		return true
	}
	if len(snap.folders) > 0 {
		return snap.folderOf(path) != ""
	}
	for open := range snap.documents {
		if isWithin(filepath.Dir(open), path) {
			return true
		}
	}
	return false
}

// makesFolderReadable reports whether files may be read only because this document is
// open: the workspace is not trusted and has no folders, and no other open document is in
// the same folder.
func (snap *snapshot) makesFolderReadable(path string) bool {
	if orZero(snap.settings.Trusted) || len(snap.folders) > 0 {
		return false
	}
	for open := range snap.documents {
		if filepath.Dir(open) == filepath.Dir(path) {
			return false
		}
	}
	return true
}

// isWithin reports whether a path is in a folder. Links in both are followed first.
func isWithin(folder, path string) bool {
	rel, err := filepath.Rel(resolveLinks(folder), resolveLinks(path))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// resolveLinks follows the links in path. If the file does not exist, it follows those in
// the folders above it that do.
func resolveLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolveLinks(parent), filepath.Base(path))
}
