package lsp

import (
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

func didOpen(s *server, params *didOpenParams) error {
	opened := params.TextDocument
	path := pathOf(opened.URI)
	d := &document{
		Document: model.ParseDocument(path, opened.Text),
		uri:      opened.URI,
		path:     path,
		version:  decodeVersion(opened.Version, 0),
	}
	s.session.openDocument(d)
	s.diagnostics.diagnose([]string{d.path})
	return nil
}

func didChange(s *server, params *didChangeParams) error {
	before := s.session.load().typingDelay
	d, err := s.applyChange(params)
	if err != nil {
		return err
	}
	s.diagnostics.restartDelayTimer(s.session.load().typingDelay)
	s.diagnostics.diagnose([]string{d.path}, before.releasedDocuments(d)...)
	return nil
}

// applyChange makes the next version of an open document the current one, and returns it.
// It returns an error if the document is not open or the change is invalid. An invalid
// change also closes the document, except one that only replaces the whole text by that of
// an older version: that change is ignored.
func (s *server) applyChange(params *didChangeParams) (*document, error) {
	snap := s.session.load()
	old, err := snap.document(params.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	version := decodeVersion(params.TextDocument.Version, old.version)
	changes, err := decodeChanges(params.ContentChanges)
	if version < old.version && err == nil {
		err = fmt.Errorf("version %d after %d is ignored", version, old.version)
		if !slices.ContainsFunc(changes, contentChange.hasRange) { // changes of the whole text can be ignored: the document stays correct
			return nil, fmt.Errorf("%s: %w", old.uri, err)
		}
	}
	if err != nil {
		s.dropOutOfSync(old)
		return nil, fmt.Errorf("%s: %w", old.uri, err)
	}
	doc := model.EditedDocument(old.path, applyChanges(old.Document, changes, snap.encoding))
	d := &document{Document: doc, uri: old.uri, path: old.path, version: version, openNumber: old.openNumber}
	s.session.replaceDocument(d, func(next *snapshot) { next.typingDelay = newTypingDelay(next, d, changes) })
	return d, nil
}

// dropOutOfSync closes a document whose text is no longer known, and tells the person.
func (s *server) dropOutOfSync(d *document) {
	s.session.update(func(next *snapshot) { next.forgetDocument(d.path) })
	s.diagnostics.diagnose([]string{d.path})
	s.client.showError("%s is out of step with the editor: close it and open it again", d.path)
}

func didClose(s *server, params *protocol.DidCloseTextDocumentParams) error {
	path := pathOf(params.TextDocument.URI)
	s.session.closeDocument(path)
	s.tokens.byPath.Delete(path)
	s.diagnostics.diagnose([]string{path})
	return nil
}

// didSave ends the typing delay, and refreshes files from disk for a client that does not
// watch them.
func didSave(s *server, _ *protocol.DidSaveTextDocumentParams) error {
	s.session.update(func(next *snapshot) {
		next.typingDelay = nil
		s.session.imported.refresh(next)
		next.workspace = s.session.servers.Refresh(next.workspace)
	})
	s.diagnostics.diagnoseAll()
	return nil
}
