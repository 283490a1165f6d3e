package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"

	"github.com/abl-lsp/abl-lsp/lsp/connection"
)

// requestTable returns the handlers of requests, by method.
func requestTable() map[string]requestHandler {
	table := map[string]requestHandler{}
	for _, m := range methods() {
		if m.request != nil {
			table[m.name] = m.request
		}
	}
	return table
}

// notificationTable returns the handlers of notifications, by method.
func notificationTable() map[string]notificationHandler {
	table := map[string]notificationHandler{}
	for _, m := range methods() {
		if m.notification != nil {
			table[m.name] = m.notification
		}
	}
	return table
}

// requestHandler binds the parameters of a request, and the state when it arrived, to a
// handler.
type requestHandler func(*server, jsonrpc2.RawMessage) connection.Request

// notificationHandler applies a notification before the next message is read.
type notificationHandler func(*server, jsonrpc2.RawMessage) error

// onSnapshot is a request whose answer needs only a snapshot.
func onSnapshot[P, R any](h func(context.Context, *snapshot, *P) (R, error)) requestHandler {
	return withServer(noServer(h))
}

// onWorkspace is a request whose answer needs a snapshot with the files of the folders
// that are not open.
func onWorkspace[P, R any](h func(context.Context, *snapshot, *P) (R, error)) requestHandler {
	return withServer(withWorkspace(h))
}

// withWorkspace is a handler whose snapshot has the files of the folders that are not
// open.
func withWorkspace[P, R any](h func(context.Context, *snapshot, *P) (R, error)) func(context.Context, *server, *snapshot, *P) (R, error) {
	return onExtendedSnapshot((*workspaceFiles).withIndex, h)
}

// onWorkspaceSoon is onWorkspace, except that it does not wait for the files if reading
// them takes long.
func onWorkspaceSoon[P, R any](h func(context.Context, *snapshot, *P) (R, error)) requestHandler {
	return withServer(onExtendedSnapshot((*workspaceFiles).withIndexSoon, h))
}

// onExtendedSnapshot is a handler whose snapshot is extended first. If that fails, its
// error is the answer.
func onExtendedSnapshot[P, R any](
	extend func(*workspaceFiles, context.Context, *snapshot) (*snapshot, error), h func(context.Context, *snapshot, *P) (R, error),
) func(context.Context, *server, *snapshot, *P) (R, error) {
	return func(ctx context.Context, s *server, snap *snapshot, params *P) (R, error) {
		whole, err := extend(s.files, ctx, snap)
		if err != nil {
			var none R
			return none, err
		}
		return h(ctx, whole, params)
	}
}

// noServer is a handler that needs only a snapshot.
func noServer[P, R any](h func(context.Context, *snapshot, *P) (R, error)) func(context.Context, *server, *snapshot, *P) (R, error) {
	return func(ctx context.Context, _ *server, snap *snapshot, params *P) (R, error) {
		return h(ctx, snap, params)
	}
}

// withServer is a request whose handler needs the client, the session or progress.
func withServer[P, R any](h func(context.Context, *server, *snapshot, *P) (R, error)) requestHandler {
	return func(s *server, raw jsonrpc2.RawMessage) connection.Request {
		snap := s.session.load()
		return connection.Request{Answer: func(ctx context.Context) (any, error) {
			params, err := connection.Decode[P](raw)
			if err != nil {
				return nil, err
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return h(ctx, s, snap, params)
		}}
	}
}

// inOrder is a request that changes the session. It is answered before the next message
// is read.
func inOrder[P, R any](h func(*server, *P) (R, error)) requestHandler {
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

// onNotification is a notification whose parameters are decoded first.
func onNotification[P any](h func(*server, *P) error) notificationHandler {
	return func(s *server, raw jsonrpc2.RawMessage) error {
		params, err := connection.Decode[P](raw)
		if err != nil {
			return err
		}
		return h(s, params)
	}
}
