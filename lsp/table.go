package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/lsp/connection"
)

// requestTable names the handler of each request. Requests that are not here
// are refused.
func requestTable() map[string]request {
	return map[string]request{
		protocol.MethodInitialize:                          inOrder(initialize),
		protocol.MethodShutdown:                            inOrder(shutdown),
		protocol.MethodTextDocumentHover:                   soon(hover),
		protocol.MethodTextDocumentCompletion:              withServer(completion),
		protocol.MethodTextDocumentDefinition:              withServer(definition),
		protocol.MethodTextDocumentDeclaration:             withServer(declaration),
		protocol.MethodTextDocumentTypeDefinition:          reading(typeDefinition),
		protocol.MethodTextDocumentReferences:              everywhere(references),
		protocol.MethodTextDocumentDocumentHighlight:       reading(documentHighlight),
		protocol.MethodTextDocumentPrepareRename:           everywhere(prepareRename),
		protocol.MethodTextDocumentRename:                  versioned(widely(rename)),
		protocol.MethodTextDocumentPrepareCallHierarchy:    everywhere(prepareCallHierarchy),
		protocol.MethodCallHierarchyIncomingCalls:          everywhere(incomingCalls),
		protocol.MethodCallHierarchyOutgoingCalls:          everywhere(outgoingCalls),
		protocol.MethodWorkspaceSymbol:                     everywhere(workspaceSymbol),
		protocol.MethodWorkspaceWillRenameFiles:            versioned(widely(willRenameFiles)),
		protocol.MethodTextDocumentSignatureHelp:           reading(signatureHelp),
		protocol.MethodTextDocumentDocumentSymbol:          reading(documentSymbol),
		protocol.MethodTextDocumentInlayHint:               withServer(inlayHint),
		protocol.MethodCodeLensResolve:                     everywhere(resolveCodeLens),
		protocol.MethodWorkspaceDiagnostic:                 withServer(workspaceDiagnostic),
		protocol.MethodTextDocumentCodeAction:              versioned(codeAction),
		protocol.MethodCodeActionResolve:                   versioned(widely(resolveCodeAction)),
		protocol.MethodTextDocumentCodeLens:                withServer(codeLens),
		protocol.MethodTextDocumentFormatting:              current(formatting),
		protocol.MethodTextDocumentRangeFormatting:         current(rangeFormatting),
		protocol.MethodTextDocumentRangesFormatting:        current(rangesFormatting),
		protocol.MethodTextDocumentOnTypeFormatting:        current(alone(onTypeFormatting)),
		protocol.MethodTextDocumentDiagnostic:              withServer(documentDiagnostic),
		protocol.MethodWorkspaceExecuteCommand:             withServer(executeCommand),
		protocol.MethodTextDocumentFoldingRange:            reading(foldingRange),
		protocol.MethodTextDocumentSelectionRange:          reading(selectionRange),
		protocol.MethodTextDocumentDocumentLink:            reading(documentLink),
		protocol.MethodTextDocumentLinkedEditingRange:      reading(linkedEditingRange),
		protocol.MethodCompletionItemResolve:               soon(resolveCompletion),
		protocol.MethodTextDocumentSemanticTokensFull:      withServer(semanticTokensFull),
		protocol.MethodTextDocumentSemanticTokensFullDelta: withServer(semanticTokensDelta),
		protocol.MethodTextDocumentSemanticTokensRange:     reading(semanticTokensRange),
	}
}

// notificationTable names the handler of each notification. Notifications that
// are not here are ignored.
func notificationTable() map[string]notification {
	return map[string]notification{
		protocol.MethodInitialized:                        notified(initialized),
		protocol.MethodWindowWorkDoneProgressCancel:       notified(cancelProgress),
		protocol.MethodTextDocumentDidOpen:                notified(didOpen),
		protocol.MethodTextDocumentDidChange:              notified(didChange),
		protocol.MethodTextDocumentDidClose:               notified(didClose),
		protocol.MethodTextDocumentDidSave:                notified(didSave),
		protocol.MethodWorkspaceDidChangeWatchedFiles:     notified(didChangeWatchedFiles),
		protocol.MethodWorkspaceDidChangeWorkspaceFolders: notified(didChangeWorkspaceFolders),
		protocol.MethodWorkspaceDidCreateFiles:            notified(didCreateFiles),
		protocol.MethodWorkspaceDidRenameFiles:            notified(didRenameFiles),
		protocol.MethodWorkspaceDidDeleteFiles:            notified(didDeleteFiles),
		protocol.MethodWorkspaceDidChangeConfiguration:    notified(didChangeConfiguration),
	}
}

// request binds a request's parameters and the state at its arrival to a
// handler.
type request func(*server, jsonrpc2.RawMessage) connection.Request

// notification applies a notification before the next message is read.
type notification func(*server, jsonrpc2.RawMessage) error

// reading is a request answered from a snapshot alone.
func reading[P, R any](h func(context.Context, *snapshot, *P) (R, error)) request {
	return withServer(alone(h))
}

// everywhere is a request answered from a snapshot that also knows the files
// below the folders that nobody has opened.
func everywhere[P, R any](h func(context.Context, *snapshot, *P) (R, error)) request {
	return withServer(widely(h))
}

// widely is a handler that also knows the files that nobody has opened.
func widely[P, R any](h func(context.Context, *snapshot, *P) (R, error)) func(context.Context, *server, *snapshot, *P) (R, error) {
	return func(ctx context.Context, s *server, at *snapshot, params *P) (R, error) {
		whole, err := s.workspace.widened(ctx, at)
		if err != nil {
			var none R
			return none, err
		}
		return h(ctx, whole, params)
	}
}

// soon is a request answered from a snapshot that also knows the files below the folders,
// unless reading these takes long.
func soon[P, R any](h func(context.Context, *snapshot, *P) (R, error)) request {
	return withServer(func(ctx context.Context, s *server, at *snapshot, params *P) (R, error) {
		whole, err := s.workspace.widenedSoon(ctx, at)
		if err != nil {
			var none R
			return none, err
		}
		return h(ctx, whole, params)
	})
}

// alone is a handler that is given a snapshot and no more.
func alone[P, R any](h func(context.Context, *snapshot, *P) (R, error)) func(context.Context, *server, *snapshot, *P) (R, error) {
	return func(ctx context.Context, _ *server, at *snapshot, params *P) (R, error) { return h(ctx, at, params) }
}

// withServer is a request whose handler needs more than a snapshot: the
// client, the session, or progress.
func withServer[P, R any](h func(context.Context, *server, *snapshot, *P) (R, error)) request {
	return func(s *server, raw jsonrpc2.RawMessage) connection.Request {
		at := s.session.load()
		return connection.Request{Answer: func(ctx context.Context) (any, error) {
			params, err := connection.Decode[P](raw)
			if err != nil {
				return nil, err
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return h(ctx, s, at, params)
		}}
	}
}

// inOrder is a request that changes the session: it is answered before the
// next message is read.
func inOrder[P, R any](h func(*server, *P) (R, error)) request {
	return func(s *server, raw jsonrpc2.RawMessage) connection.Request {
		return connection.Request{InOrder: true, Answer: func(context.Context) (any, error) {
			params, err := connection.Decode[P](raw)
			if err != nil {
				return nil, err
			}
			return h(s, params)
		}}
	}
}

func notified[P any](h func(*server, *P) error) notification {
	return func(s *server, raw jsonrpc2.RawMessage) error {
		params, err := connection.Decode[P](raw)
		if err != nil {
			return err
		}
		return h(s, params)
	}
}
