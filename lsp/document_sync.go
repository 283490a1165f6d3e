package lsp

import (
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/syntax"
)

func didOpen(s *server, params *protocol.DidOpenTextDocumentParams) error {
	d := newDocument(&params.TextDocument)
	s.session.update(func(next *snapshot) {
		next.put(d)
		s.session.files.refresh(next)
	})
	s.diagnose(d.path)
	return nil
}

func newDocument(opened *protocol.TextDocumentItem) *document {
	return &document{
		Document: syntax.Parse(opened.Text),
		uri:      opened.URI,
		path:     pathOf(opened.URI),
		version:  opened.Version,
	}
}

func didChange(s *server, params *didChangeParams) error {
	d, err := s.change(params)
	if err == nil {
		s.diagnose(d.path)
	}
	return err
}

// change makes the next version of an open document the current one.
func (s *server) change(params *didChangeParams) (*document, error) {
	at := s.session.load()
	old, err := at.document(params.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	version := params.TextDocument.Version
	if version < old.version {
		return nil, fmt.Errorf("%s: version %d after %d is ignored", old.uri, version, old.version)
	}
	doc, err := edited(old.Document, params.ContentChanges, at.encoding)
	if err != nil {
		s.lose(old)
		return nil, fmt.Errorf("%s: %w", old.uri, err)
	}
	d := &document{Document: doc, uri: old.uri, path: old.path, version: version}
	s.session.update(func(next *snapshot) { next.put(d) })
	return d, nil
}

// lose gives up a document whose text is no longer known.
func (s *server) lose(d *document) {
	s.session.update(func(next *snapshot) { next.remove(d.path) })
	s.diagnose(d.path)
	s.alert("%s is out of step with the editor: close it and open it again", d.path)
}

func didClose(s *server, params *protocol.DidCloseTextDocumentParams) error {
	path := pathOf(params.TextDocument.URI)
	s.session.update(func(next *snapshot) {
		next.remove(path)
		s.session.files.refresh(next)
	})
	s.diagnose(path)
	return nil
}

// didSave changes no open text. It is the moment to look at the disk for a
// client that does not watch files.
func didSave(s *server, _ *protocol.DidSaveTextDocumentParams) error {
	s.session.update(func(next *snapshot) { s.session.files.refresh(next) })
	s.diagnoseAll()
	return nil
}
