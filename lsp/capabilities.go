package lsp

import (
	"slices"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// support is what the client can do, as far as the server asks.
type support struct {
	pullDiagnostics    bool
	refreshDiagnostics bool
	watchFiles         bool
	progress           bool
}

func supportOf(c protocol.ClientCapabilities) support {
	document := orZero(c.TextDocument)
	workspace := orZero(c.Workspace)
	return support{
		pullDiagnostics:    document.Diagnostic != nil,
		refreshDiagnostics: orZero(orZero(workspace.Diagnostics).RefreshSupport),
		watchFiles:         orZero(orZero(workspace.DidChangeWatchedFiles).DynamicRegistration),
		progress:           orZero(orZero(c.Window).WorkDoneProgress),
	}
}

// orZero reads an optional value.
func orZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// encodings are the position encodings in the order of preference. The text
// is held in UTF-8, which needs no counting.
func encodings() []text.Encoding {
	return []text.Encoding{text.UTF8, text.UTF16, text.UTF32}
}

// chooseEncoding picks the best encoding that the client offers. One that
// offers none speaks UTF-16.
func chooseEncoding(general *protocol.GeneralClientCapabilities) text.Encoding {
	offered := orZero(general).PositionEncodings
	for _, enc := range encodings() {
		if slices.Contains(offered, protocol.PositionEncodingKind(enc.String())) {
			return enc
		}
	}
	return text.UTF16
}

// capabilities says what the server can do for this client.
func (at *snapshot) capabilities() protocol.ServerCapabilities {
	c := protocol.ServerCapabilities{
		PositionEncoding: protocol.PositionEncodingKind(at.encoding.String()),
		TextDocumentSync: &protocol.TextDocumentSyncOptions{
			OpenClose: new(true),
			Change:    new(protocol.TextDocumentSyncKindIncremental),
			Save:      protocol.Boolean(true),
		},
		Workspace: &protocol.WorkspaceOptions{
			WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
				Supported:           new(true),
				ChangeNotifications: protocol.Boolean(true),
			},
		},
	}
	if at.client.pullDiagnostics {
		c.DiagnosticProvider = &protocol.DiagnosticOptions{InterFileDependencies: true}
	}
	return c
}
