package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/lsp/connection"
)

// errModified is the error for an answer about a text that has changed since the request.
var errModified = jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesContentModified), "the document has changed since: ask again")

// onUnmodified is a request whose answer has edits without versions. It returns
// errModified if a document has changed since the request arrived.
func onUnmodified[P, R any](h func(context.Context, *server, *snapshot, *P) (R, error)) requestHandler {
	return withServer(func(ctx context.Context, s *server, snap *snapshot, params *P) (R, error) {
		result, err := h(ctx, s, snap, params)
		if err == nil && ctx.Err() == nil && snap.isModified(s.session.load()) {
			var none R
			return none, errModified
		}
		return result, err
	})
}

// onVersioned is a request whose answer has edits with the versions of their documents.
// For a client that does not support versions it is onUnmodified.
func onVersioned[P, R any](h func(context.Context, *server, *snapshot, *P) (R, error)) requestHandler {
	always, refused := withServer(h), onUnmodified(h)
	return func(s *server, raw jsonrpc2.RawMessage) connection.Request {
		if s.session.load().capabilities.Workspace.WorkspaceEdit.DocumentChanges {
			return always(s, raw)
		}
		return refused(s, raw)
	}
}

// isModified reports whether an open document of this snapshot has changed, or is closed,
// in the later snapshot now.
func (snap *snapshot) isModified(now *snapshot) bool {
	for path, d := range snap.documents {
		if now.documents[path] != d {
			return true
		}
	}
	return false
}
