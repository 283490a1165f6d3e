package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// importedFiles are the files that were read because a document imports them, or because
// they are around it, and what the disk said of them then. A document that is open is
// none of them.
type importedFiles map[string]disk.Stamp

// readMissing reads all that open documents at the paths import, and what is around them, as
// far as it is not known yet. It gives the files of projects among them, and those
// that may belong to one.
func (f importedFiles) readMissing(next *snapshot, paths []string) (projects []string) {
	read := func(path string) (string, analysis.Absence) {
		if d := next.documents[path]; d != nil {
			return d.Text(), analysis.Present
		}
		f[path] = disk.StampOf(path)
		source, absent := next.readFile(path)
		if analysis.IsProject(path) && absent == analysis.Present {
			projects = append(projects, path)
		}
		return source, absent
	}
	for _, path := range paths {
		if next.documents[path] != nil && next.readsImports(path) {
			next.workspace = disk.Complete(next.workspace, path, read)
			projects = append(projects, path)
		}
	}
	return projects
}

// readsImports reports whether the files are read that an open document imports.
func (at *snapshot) readsImports(path string) bool {
	f := at.workspace.File(path)
	return isABL(path) || f != nil && f.Foreign != nil
}

// incompleteDocuments are the open documents that may want files which nothing is known of, after the
// document at path was opened, changed or closed. Those that import it want no more than it
// wants itself: so only saved cases are among them, for whose tools their folder is searched.
func (at *snapshot) incompleteDocuments(path string, before *snapshot) []string {
	old, now := before.workspace.File(path), at.workspace.File(path)
	switch {
	case configuresFolder(path):
		return at.openPaths()
	case old == nil || old.Doc == nil || now == old:
		return []string{path}
	}
	paths := []string{path}
	for other := range at.documents {
		if analysis.IsCases(other) && other != path {
			paths = append(paths, other)
		}
	}
	return paths
}

// configuresFolder reports whether a file decides which other files those below its folder
// need.
func configuresFolder(path string) bool {
	return analysis.IsProject(path) || analysis.IsManifest(path) || analysis.IsDotenv(path)
}

// withFile is the snapshot that also knows a file that nobody has opened, all that is not
// open as the disk has it now, and the names that the file uses of others.
func (w *workspaceFiles) withFile(ctx context.Context, at *snapshot, path string) *snapshot {
	next := w.session.withFile(at, path)
	if named := w.withNames(ctx, next, path); named != next {
		return w.session.withFile(named, path)
	}
	return next
}

// withFile is the snapshot that also knows a file that nobody has opened, and
// all that is not open as the disk has it now. What has the same text as before is not
// parsed again: the cases of one file are run one after the other.
func (s *session) withFile(at *snapshot, path string) *snapshot {
	next := *at
	before := at.workspace
	if last := s.lastWithFile.Load(); last != nil {
		before = before.Over(*last, func(string) bool { return true })
	}
	for _, p := range slices.Concat(next.workspace.Paths(), next.workspace.Dotenvs()) {
		if next.documents[p] == nil {
			next.workspace = next.workspace.Without(p)
		}
	}
	next.workspace = disk.Complete(next.workspace.After(before), path, next.readFile).After(analysis.Workspace{})
	s.lastWithFile.Store(&next.workspace)
	return &next
}

// readFile reads a file, if it may be read.
func (at *snapshot) readFile(path string) (string, analysis.Absence) {
	switch {
	case !filepath.IsAbs(path): // imported by a document that is no file
		return "", analysis.NotFound
	case !at.mayRead(path):
		return "", analysis.Forbidden
	}
	return disk.Read(path)
}

// forgetIf forgets the stale ones, so that they are read again.
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

// prune forgets those that no open document imports any more.
func (f importedFiles) prune(next *snapshot) {
	open := slices.DeleteFunc(next.openPaths(), func(path string) bool { return !next.readsImports(path) })
	needed := next.workspace.Needed(open...)
	f.forgetIf(next, func(path string) bool { return !needed[path] })
}

// readClosed reads a file that was open till now, as if another one imported it. Where the disk
// has the same text it is not parsed again.
func (f importedFiles) readClosed(next *snapshot, closed *document) {
	known := next.workspace.File(closed.path)
	if known == nil {
		return
	}
	f[closed.path] = disk.StampOf(closed.path)
	switch source, absent := next.readFile(closed.path); {
	case absent != analysis.Present:
		next.workspace = next.workspace.WithMissing(closed.path, absent)
	case known.Doc == nil || known.Doc.Text() != source:
		next.workspace = next.workspace.With(closed.path, syntax.Parse(source))
	}
}

// forgetAll forgets them all. It is for when what may be read changes.
func (f importedFiles) forgetAll(next *snapshot) {
	f.forgetIf(next, func(string) bool { return true })
}

// refresh forgets the files at the given paths, and those that have changed on
// disk or are there though they could not be read. A .env is read again each
// time, since nothing tells when it comes under version control.
func (f importedFiles) refresh(next *snapshot, changed ...string) {
	for _, path := range next.workspace.Dotenvs() {
		if d := next.documents[path]; d != nil { // it is asked again about the open ones, too
			next.workspace = next.workspace.Without(path).With(path, d.Document)
		}
	}
	f.forgetIf(next, func(path string) bool { return slices.Contains(changed, path) || f.isStale(next, path) })
}

func (f importedFiles) isStale(next *snapshot, path string) bool {
	known := next.workspace.File(path)
	again := known != nil && known.Absent != analysis.Present && known.Absent != analysis.NotFound
	return again || analysis.IsDotenv(path) || !f[path].Still(disk.StampOf(path))
}

// refreshNeeded does the same for those that an open document needs, and returns them.
func (f importedFiles) refreshNeeded(next *snapshot, path string) (forgotten []string) {
	delete(f, path)
	for needed := range next.workspace.Needed(path) {
		if _, read := f[needed]; read && f.isStale(next, needed) {
			forgotten = append(forgotten, needed)
		}
	}
	f.forgetPaths(next, forgotten)
	return forgotten
}

// mayRead reports whether a file may be read because a document imports it:
// in a workspace that is not trusted, only what lies in its folders, or, where
// there are none, beside the open documents.
func (at *snapshot) mayRead(path string) bool {
	if orZero(at.settings.Trusted) {
		return true
	}
	if len(at.folders) > 0 {
		return slices.ContainsFunc(at.folders, func(folder string) bool { return within(folder, path) })
	}
	for open := range at.documents {
		if within(filepath.Dir(open), path) {
			return true
		}
	}
	return false
}

// opensFolder reports whether files may be read once a document is open that may not be read
// before.
func (at *snapshot) opensFolder(path string) bool {
	if orZero(at.settings.Trusted) || len(at.folders) > 0 {
		return false
	}
	for open := range at.documents {
		if filepath.Dir(open) == filepath.Dir(path) {
			return false
		}
	}
	return true
}

// within reports whether a path is below a folder, after links are followed.
func within(folder, path string) bool {
	rel, err := filepath.Rel(real(folder), real(path))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// real follows links, as far as the path exists.
func real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(real(parent), filepath.Base(path))
}
