package lsp

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/internal/servercache"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// snapshot is the state of the session at one moment. It never changes: a request works
// on the snapshot that was current when the request arrived.
type snapshot struct {
	capabilities  clientCapabilities
	encoding      text.Encoding
	folders       []string // paths
	settings      settings
	trustAnswered bool                 // settings.Trusted is the person's answer for these folders, not a setting of the client
	documents     map[string]*document // the open documents, by path
	openCount     int                  // how many documents have been opened so far
	typingDelay   *typingDelay         // delays diagnostics; nil if none are delayed
	workspace     model.Workspace      // the open documents that analysis knows, and the files that they need
}

// document is one version of an open document. It never changes.
type document struct {
	*syntax.Document
	uri        uri.URI
	path       string
	version    int32
	openNumber int // the value of openCount when it was opened, 0 if it is not open

	unedited bool // the text has not changed since the document was opened
}

// document returns the open document with a URI, or an error if none is open.
func (snap *snapshot) document(u uri.URI) (*document, error) {
	d, ok := snap.documents[pathOf(u)]
	if !ok {
		return nil, fmt.Errorf("%s is not open", u)
	}
	return d, nil
}

// documentAt returns the document and the offset that a request is about. ok is false if
// the document is not open.
func (snap *snapshot) documentAt(p protocol.TextDocumentPositionParams) (d *document, offset int, ok bool) {
	d, ok = snap.documents[pathOf(p.TextDocument.URI)]
	if !ok {
		return nil, 0, false
	}
	return d, snap.converter(d).offset(p.Position), true
}

// session holds the current snapshot, which update replaces. It is safe for concurrent
// use.
type session struct {
	current atomic.Pointer[snapshot]
	servers *servercache.Store // the tools that servers list

	mu                 sync.Mutex // is held during an update; guards the fields below
	imported           importedFiles
	eventsSinceRefresh int           // documents opened and closed since all files were last refreshed
	updated            chan struct{} // is closed by the next update; nil if no caller of nextUpdate waits

	lastWithFile atomic.Pointer[model.Workspace] // the workspace of the last call of withFile
}

// load returns the current snapshot. Before the first update it is one of a session
// without documents or folders.
func (s *session) load() *snapshot {
	if snap := s.current.Load(); snap != nil {
		return snap
	}
	return &snapshot{encoding: text.UTF16, settings: defaultSettings(), workspace: model.Workspace{}.WithEnvironmentVariables(disk.EnvironmentNames()).WithUnopened(nil, nil)}
}

// nextUpdate returns a channel that is closed at the next update.
func (s *session) nextUpdate() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.updated == nil {
		s.updated = make(chan struct{})
	}
	return s.updated
}

// update copies the current snapshot, calls change to set the fields of the copy, reads
// the files that the documents in it import, and makes the copy the current snapshot,
// which it returns.
func (s *session) update(change func(next *snapshot)) *snapshot {
	return s.updateDocuments(func(next *snapshot) []string {
		change(next)
		return next.openPaths()
	})
}

// updateDocuments is update, except that change returns the paths of the documents whose
// imports may not be read yet. Only the imports of these are read; update reads those of
// all documents.
func (s *session) updateDocuments(change func(next *snapshot) (incomplete []string)) *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.imported == nil {
		s.imported = importedFiles{}
	}
	next := *s.load()
	projects := s.imported.readMissing(&next, change(&next))
	next.workspace = s.servers.Extend(next.workspace, projects...)
	s.current.Store(&next)
	if s.updated != nil {
		close(s.updated)
		s.updated = nil
	}
	return &next
}

// openDocument adds a document. It refreshes all files if isRefreshDue reports true or
// the document may decide what others can read. Otherwise it refreshes only the files
// that the document needs.
func (s *session) openDocument(d *document) {
	s.updateDocuments(func(next *snapshot) []string {
		before := *next
		next.openCount++
		d.openNumber, d.unedited = next.openCount, true
		next.setDocument(d)
		if s.isRefreshDue(next) || configuresFolder(d.path) || before.makesFolderReadable(d.path) {
			s.imported.refresh(next)
			return next.openPaths()
		}
		forgotten := s.imported.refreshNeeded(next, d.path)
		s.imported.readMissing(next, []string{d.path})
		if slices.ContainsFunc(forgotten, func(path string) bool { return next.workspace.File(path) == nil && !model.IsDotenv(path) }) {
			return next.openPaths() // another document may need the forgotten file
		}
		return next.incompleteDocuments(d.path, &before)
	})
}

// A session with at most alwaysRefreshedFiles files refreshes all of them whenever a
// document is opened or closed. For each such event since the last refresh,
// refreshedFilesPerEvent files more are allowed. So the average cost of opening and
// closing a document does not grow with the number of documents.
const (
	alwaysRefreshedFiles   = 100
	refreshedFilesPerEvent = 2
)

// isRefreshDue counts an event and reports whether to refresh all files now. The caller
// holds mu.
func (s *session) isRefreshDue(next *snapshot) bool {
	s.eventsSinceRefresh++
	if len(s.imported)+len(next.documents) > alwaysRefreshedFiles+refreshedFilesPerEvent*s.eventsSinceRefresh {
		return false
	}
	s.eventsSinceRefresh = 0
	return true
}

// replaceDocument replaces an open document by d, a later version of it. change sets other
// fields of the snapshot.
func (s *session) replaceDocument(d *document, change func(next *snapshot)) {
	s.updateDocuments(func(next *snapshot) []string {
		before := *next
		next.setDocument(d)
		change(next)
		return next.incompleteDocuments(d.path, &before)
	})
}

// closeDocument removes the document at path from the open ones. From then on the text of
// its file on disk is used. Files that no other document needs are forgotten: at once if
// there are few, otherwise at a later event.
func (s *session) closeDocument(path string) {
	s.updateDocuments(func(next *snapshot) []string {
		before, d := *next, next.documents[path]
		next.removeDocument(path)
		if s.isRefreshDue(next) || d == nil || configuresFolder(path) {
			next.workspace = next.workspace.Without(path)
			s.imported.prune(next)
			s.imported.refresh(next)
			return next.openPaths()
		}
		s.imported.readClosed(next, d)
		return next.incompleteDocuments(path, &before)
	})
}

// openPaths returns the paths of the open documents, in no order.
func (snap *snapshot) openPaths() []string { return slices.Collect(maps.Keys(snap.documents)) }

// setDocument adds or replaces an open document. It is for use in update.
func (snap *snapshot) setDocument(d *document) {
	snap.documents = maps.Clone(snap.documents)
	if snap.documents == nil {
		snap.documents = map[string]*document{}
	}
	snap.documents[d.path] = d
	if isAnalyzedFile(d.path) || model.IsForeign(d.path) {
		snap.workspace = snap.workspace.With(d.path, d.Document)
	}
}

// isAnalyzedFile reports whether analysis reads a document with this path: a file of the
// language, abl.yaml, saved cases, the arguments of a call, a manifest, a .env, or any file
// without an extension.
func isAnalyzedFile(path string) bool {
	return model.IsABL(path) || model.IsProjectFile(path) || model.NamesTools(path) || model.IsDotenv(path) || model.IsManifest(path) || filepath.Ext(path) == ""
}

// forgetDocument removes the document at path from the open ones, and its file from the
// workspace. It is for use in update.
func (snap *snapshot) forgetDocument(path string) {
	snap.removeDocument(path)
	snap.workspace = snap.workspace.Without(path)
}

// removeDocument removes the document at path from the open ones only. The workspace keeps
// the text of the document.
func (snap *snapshot) removeDocument(path string) {
	snap.documents = maps.Clone(snap.documents)
	delete(snap.documents, path)
}
