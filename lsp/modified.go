package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/lsp/connection"
)

// errModified says that an answer would be about a text that is gone.
var errModified = jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesContentModified), "the document has changed since: ask again")

// onUnmodified is a request whose answer has edits without the version of what they
// edit. It is refused where a document has changed since it was asked for.
func onUnmodified[P, R any](h func(context.Context, *server, *snapshot, *P) (R, error)) requestHandler {
	return withServer(func(ctx context.Context, s *server, at *snapshot, params *P) (R, error) {
		result, err := h(ctx, s, at, params)
		if err == nil && ctx.Err() == nil && at.isModified(s.session.load()) {
			var none R
			return none, errModified
		}
		return result, err
	})
}

// onVersioned is a request whose answer has edits, with the versions of what they
// edit where the client knows these.
func onVersioned[P, R any](h func(context.Context, *server, *snapshot, *P) (R, error)) requestHandler {
	always, refused := withServer(h), onUnmodified(h)
	return func(s *server, raw jsonrpc2.RawMessage) connection.Request {
		if s.session.load().support.documentChanges {
			return always(s, raw)
		}
		return refused(s, raw)
	}
}

// isModified reports whether an open document is another one by now.
func (at *snapshot) isModified(now *snapshot) bool {
	for path, d := range at.documents {
		if now.documents[path] != d {
			return true
		}
	}
	return false
}
