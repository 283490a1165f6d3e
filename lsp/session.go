package lsp

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/lsp/disk"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// snapshot is the state of the session at one moment. It never changes: a
// request works on the one that was current when it arrived.
type snapshot struct {
	client    support
	encoding  text.Encoding
	folders   []string // paths
	settings  settings
	documents map[string]*document // the open ones, by path
	workspace analysis.Workspace   // they, and what they import
}

// document is one version of an open document.
type document struct {
	*syntax.Document
	uri     uri.URI
	path    string
	version int32
}

// document returns the open document with a URI.
func (at *snapshot) document(u uri.URI) (*document, error) {
	d, ok := at.documents[pathOf(u)]
	if !ok {
		return nil, fmt.Errorf("%s is not open", u)
	}
	return d, nil
}

// session holds the current snapshot.
type session struct {
	current atomic.Pointer[snapshot]

	mu    sync.Mutex // of writers
	files disk.Files
}

// load returns the current snapshot.
func (s *session) load() *snapshot {
	if at := s.current.Load(); at != nil {
		return at
	}
	return &snapshot{encoding: text.UTF16}
}

// update makes a copy of the current snapshot, lets change set its fields,
// reads what the documents in it import, and makes it the current one.
func (s *session) update(change func(next *snapshot)) *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := *s.load()
	change(&next)
	open := slices.Sorted(maps.Keys(next.documents))
	next.workspace = s.files.Complete(next.workspace, open, next.mayRead)
	s.current.Store(&next)
	return &next
}

// refresh has the files read again that changed, as far as the disk tells, and
// those at the given paths. It is for use in update.
func (s *session) refresh(next *snapshot, changed ...string) {
	next.workspace = s.files.Refresh(next.workspace, next.isOpen)
	next.workspace = s.files.Forget(next.workspace, next.isOpen, func(path string) bool { return slices.Contains(changed, path) })
}

// forget has all files read again. It is for use in update, where what may be
// read changes.
func (s *session) forget(next *snapshot) {
	next.workspace = s.files.Forget(next.workspace, next.isOpen, func(string) bool { return true })
}

// put adds or replaces an open document. It is for use in update.
func (at *snapshot) put(d *document) {
	at.documents = maps.Clone(at.documents)
	if at.documents == nil {
		at.documents = map[string]*document{}
	}
	at.documents[d.path] = d
	at.workspace = at.workspace.With(d.path, d.Document)
}

// remove takes a document off the open ones. It is for use in update.
func (at *snapshot) remove(path string) {
	at.documents = maps.Clone(at.documents)
	delete(at.documents, path)
	at.workspace = at.workspace.Without(path)
}

// isOpen reports whether the client holds the text of a file.
func (at *snapshot) isOpen(path string) bool { return at.documents[path] != nil }

// mayRead reports whether a file may be read because a document imports it:
// in a workspace that is not trusted, only what lies in its folders, or, where
// there are none, beside the open documents.
func (at *snapshot) mayRead(path string) bool {
	if orZero(at.settings.Trusted) {
		return true
	}
	for _, folder := range at.folders {
		if within(folder, path) {
			return true
		}
	}
	for open := range at.documents {
		if len(at.folders) == 0 && within(filepath.Dir(open), path) {
			return true
		}
	}
	return false
}

// within reports whether a path is below a folder, also after links are
// followed.
func within(folder, path string) bool {
	return below(folder, path) && below(real(folder), real(path))
}

func below(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// real follows links. What does not exist is where it says.
func real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
