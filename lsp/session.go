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

// snapshot is the state of the session at one moment. It never changes: a
// request works on the one that was current when it arrived.
type snapshot struct {
	capabilities  clientCapabilities
	encoding      text.Encoding
	folders       []string // paths
	settings      settings
	trustAnswered bool                 // the person decided about the trust, for these folders; the client said nothing
	documents     map[string]*document // the open ones, by path
	openCount     int                  // how many documents were opened so far
	typingDelay   *typingDelay         // keeps back diagnostics; nil if nothing is kept back
	workspace     model.Workspace      // the open documents that analysis knows, and what they need
}

// document is one version of an open document.
type document struct {
	*syntax.Document
	uri        uri.URI
	path       string
	version    int32
	openNumber int // the value of openings when it was opened, 0 if it is not open

	unedited bool // the text is the one that it was opened with
}

// document returns the open document with a URI.
func (snap *snapshot) document(u uri.URI) (*document, error) {
	d, ok := snap.documents[pathOf(u)]
	if !ok {
		return nil, fmt.Errorf("%s is not open", u)
	}
	return d, nil
}

// documentAt returns the document and the offset that a request is about.
func (snap *snapshot) documentAt(p protocol.TextDocumentPositionParams) (d *document, offset int, ok bool) {
	d, ok = snap.documents[pathOf(p.TextDocument.URI)]
	if !ok {
		return nil, 0, false
	}
	return d, snap.converter(d).offset(p.Position), true
}

// session holds the current snapshot.
type session struct {
	current atomic.Pointer[snapshot]
	servers *servercache.Store // what servers say about their tools

	mu                 sync.Mutex // is held during an update, and guards what follows
	imported           importedFiles
	eventsSinceRefresh int           // documents opened and closed since all files were looked at
	updated            chan struct{} // is closed by the next update; nil if nobody waits

	lastWithFile atomic.Pointer[model.Workspace] // the workspace of the last withFile
}

// load returns the current snapshot.
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

// update makes a copy of the current snapshot, lets change set its fields,
// reads what the documents in it import, and makes it the current one.
func (s *session) update(change func(next *snapshot)) *snapshot {
	return s.updateDocuments(func(next *snapshot) []string {
		change(next)
		return next.openPaths()
	})
}

// updateDocuments is update for a change that returns the documents whose imports may
// have to be read. update reads those of all documents.
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

// openDocument adds a document. It looks at all files again if isRefreshDue says so, and
// otherwise at those that the document needs.
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
			return next.openPaths() // another one may need it
		}
		return next.incompleteDocuments(d.path, &before)
	})
}

// How many files there are in a session that looks at all of them whenever a document is opened or
// closed, and how much more for each of these events. So the cost of opening and closing a
// document does not grow with the number of documents.
const (
	alwaysRefreshedFiles   = 100
	refreshedFilesPerEvent = 2
)

// isRefreshDue reports whether to look at all files again. It is for use in update.
func (s *session) isRefreshDue(next *snapshot) bool {
	s.eventsSinceRefresh++
	if len(s.imported)+len(next.documents) > alwaysRefreshedFiles+refreshedFilesPerEvent*s.eventsSinceRefresh {
		return false
	}
	s.eventsSinceRefresh = 0
	return true
}

// replaceDocument replaces an open document by another version of it.
func (s *session) replaceDocument(d *document, change func(next *snapshot)) {
	s.updateDocuments(func(next *snapshot) []string {
		before := *next
		next.setDocument(d)
		change(next)
		return next.incompleteDocuments(d.path, &before)
	})
}

// closeDocument removes a document from the open ones. The file on disk counts from then on.
// Files that no other document needs are forgotten, at once if there are few.
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

// openPaths are the paths of the open documents.
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

// isAnalyzedFile reports whether the name of a document is that of a file of the language, a
// project's file, saved cases, a manifest or a .env. A name without an extension may be one.
func isAnalyzedFile(path string) bool {
	return model.IsABL(path) || model.IsProjectFile(path) || model.IsCases(path) || model.IsDotenv(path) || model.IsManifest(path) || filepath.Ext(path) == ""
}

// forgetDocument removes a document from the open ones and from the workspace. It is for
// use in update.
func (snap *snapshot) forgetDocument(path string) {
	snap.removeDocument(path)
	snap.workspace = snap.workspace.Without(path)
}

func (snap *snapshot) removeDocument(path string) {
	snap.documents = maps.Clone(snap.documents)
	delete(snap.documents, path)
}
