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

// files are the files that were read because a document imports them, or because
// they are around it, and what the disk said of them then. A document that is open is
// none of them.
type files map[string]disk.Stamp

// complete reads all that open documents at the paths import, and what is around them, as
// far as it is not known yet. It gives the files of projects among them, and those
// that may belong to one.
func (f files) complete(next *snapshot, paths []string) (projects []string) {
	read := func(path string) (string, analysis.Absence) {
		if d := next.documents[path]; d != nil {
			return d.Text(), analysis.Present
		}
		f[path] = disk.StampOf(path)
		source, absent := next.read(path)
		if analysis.IsProject(path) && absent == analysis.Present {
			projects = append(projects, path)
		}
		return source, absent
	}
	for _, path := range paths {
		if next.documents[path] != nil && next.isRead(path) {
			next.workspace = disk.Complete(next.workspace, path, read)
			projects = append(projects, path)
		}
	}
	return projects
}

// isRead reports whether the files are read that an open document imports.
func (at *snapshot) isRead(path string) bool {
	f := at.workspace.File(path)
	return isABL(path) || f != nil && f.Foreign != nil
}

// incomplete are the open documents that may want files which nothing is known of, after the
// document at path was opened, changed or closed. Those that import it want no more than it
// wants itself: so only saved cases are among them, for whose tools their folder is searched.
func (at *snapshot) incomplete(path string, before *snapshot) []string {
	old, now := before.workspace.File(path), at.workspace.File(path)
	switch {
	case saysWhatIsAround(path):
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

// saysWhatIsAround reports whether a file decides which other files those below its folder
// need.
func saysWhatIsAround(path string) bool {
	return analysis.IsProject(path) || analysis.IsManifest(path) || analysis.IsDotenv(path)
}

// completed is the snapshot that also knows a file that nobody has opened, all that is not
// open as the disk has it now, and the names that the file uses of others.
func (w *workspaceFiles) completed(ctx context.Context, at *snapshot, path string) *snapshot {
	next := w.session.completed(at, path)
	if named := w.withNames(ctx, next, path); named != next {
		return w.session.completed(named, path)
	}
	return next
}

// completed is the snapshot that also knows a file that nobody has opened, and
// all that is not open as the disk has it now. What has the same text as before is not
// parsed again: the cases of one file are run one after the other.
func (s *session) completed(at *snapshot, path string) *snapshot {
	next := *at
	before := at.workspace
	if last := s.completing.Load(); last != nil {
		before = before.Over(*last, func(string) bool { return true })
	}
	for _, p := range slices.Concat(next.workspace.Paths(), next.workspace.Dotenvs()) {
		if next.documents[p] == nil {
			next.workspace = next.workspace.Without(p)
		}
	}
	next.workspace = disk.Complete(next.workspace.After(before), path, next.read).After(analysis.Workspace{})
	s.completing.Store(&next.workspace)
	return &next
}

// read reads a file, if it may be read.
func (at *snapshot) read(path string) (string, analysis.Absence) {
	switch {
	case !filepath.IsAbs(path): // imported by a document that is no file
		return "", analysis.NotFound
	case !at.mayRead(path):
		return "", analysis.Forbidden
	}
	return disk.Read(path)
}

// forget forgets the stale ones, so that they are read again.
func (f files) forget(next *snapshot, stale func(path string) bool) {
	var forgotten []string
	for path := range f {
		switch {
		case next.documents[path] != nil:
			delete(f, path)
		case stale(path):
			forgotten = append(forgotten, path)
		}
	}
	f.drop(next, forgotten)
}

// drop forgets the files at the paths.
func (f files) drop(next *snapshot, paths []string) {
	for _, path := range paths {
		delete(f, path)
	}
	if len(paths) > 0 {
		next.workspace = next.workspace.Without(paths...)
	}
}

// prune forgets those that no open document imports any more.
func (f files) prune(next *snapshot) {
	open := slices.DeleteFunc(next.openPaths(), func(path string) bool { return !next.isRead(path) })
	needed := next.workspace.Needed(open...)
	f.forget(next, func(path string) bool { return !needed[path] })
}

// reread reads a file that was open till now, as if another one imported it. Where the disk
// has the same text it is not parsed again.
func (f files) reread(next *snapshot, closed *document) {
	known := next.workspace.File(closed.path)
	if known == nil {
		return
	}
	f[closed.path] = disk.StampOf(closed.path)
	switch source, absent := next.read(closed.path); {
	case absent != analysis.Present:
		next.workspace = next.workspace.WithMissing(closed.path, absent)
	case known.Doc == nil || known.Doc.Text() != source:
		next.workspace = next.workspace.With(closed.path, syntax.Parse(source))
	}
}

// reset forgets them all. It is for when what may be read changes.
func (f files) reset(next *snapshot) {
	f.forget(next, func(string) bool { return true })
}

// refresh forgets the files at the given paths, and those that have changed on
// disk or are there though they could not be read. A .env is read again each
// time, since nothing tells when it comes under version control.
func (f files) refresh(next *snapshot, changed ...string) {
	for _, path := range next.workspace.Dotenvs() {
		if d := next.documents[path]; d != nil { // it is asked again about the open ones, too
			next.workspace = next.workspace.Without(path).With(path, d.Document)
		}
	}
	f.forget(next, func(path string) bool { return slices.Contains(changed, path) || f.isStale(next, path) })
}

func (f files) isStale(next *snapshot, path string) bool {
	known := next.workspace.File(path)
	again := known != nil && known.Absent != analysis.Present && known.Absent != analysis.NotFound
	return again || analysis.IsDotenv(path) || !f[path].Still(disk.StampOf(path))
}

// refreshFor does the same for those that an open document needs, and returns them.
func (f files) refreshFor(next *snapshot, path string) (forgotten []string) {
	delete(f, path)
	for needed := range next.workspace.Needed(path) {
		if _, read := f[needed]; read && f.isStale(next, needed) {
			forgotten = append(forgotten, needed)
		}
	}
	f.drop(next, forgotten)
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
