package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/internal/disk"
)

// files are the files that were read because a document imports them, or because
// they are around it, and what the disk said of them then. A document that is open is
// none of them.
type files map[string]disk.Stamp

// complete reads all that the open documents import, and what is around them, as
// far as it is not known yet. It gives the files of projects among them, and those
// that may belong to one.
func (f files) complete(next *snapshot) (projects []string) {
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
	for path := range next.documents {
		if of := next.workspace.File(path); isABL(path) || of != nil && of.Foreign != nil {
			next.workspace = disk.Complete(next.workspace, path, read)
			projects = append(projects, path)
		}
	}
	return projects
}

// completed is the snapshot that also knows a file that nobody has opened, all that is not
// open as the disk has it now, and the names that the file uses of others.
func (s *server) completed(ctx context.Context, at *snapshot, path string) *snapshot {
	next := s.session.completed(at, path)
	if named := s.withNames(ctx, next, path); named != next {
		return s.session.completed(named, path)
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
	for path := range f {
		switch {
		case next.documents[path] != nil:
			delete(f, path)
		case stale(path):
			delete(f, path)
			next.workspace = next.workspace.Without(path)
		}
	}
}

// prune forgets those that no open document imports any more.
func (f files) prune(next *snapshot) {
	open := func(path string) bool { return next.documents[path] != nil }
	f.forget(next, func(path string) bool {
		return !slices.ContainsFunc(next.workspace.Dependents(path), open)
	})
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
	f.forget(next, func(path string) bool {
		known := next.workspace.File(path)
		again := known != nil && known.Absent != analysis.Present && known.Absent != analysis.NotFound
		return again || analysis.IsDotenv(path) || slices.Contains(changed, path) || !f[path].Still(disk.StampOf(path))
	})
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
