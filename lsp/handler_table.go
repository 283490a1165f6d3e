package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"

	"github.com/abl-lsp/abl-lsp/lsp/connection"
)

// requestTable returns the handler of each request.
func requestTable() map[string]requestHandler {
	table := map[string]requestHandler{}
	for _, m := range methods() {
		if m.request != nil {
			table[m.name] = m.request
		}
	}
	return table
}

// notificationTable returns the handler of each notification.
func notificationTable() map[string]notificationHandler {
	table := map[string]notificationHandler{}
	for _, m := range methods() {
		if m.notification != nil {
			table[m.name] = m.notification
		}
	}
	return table
}

// requestHandler binds a request's parameters and the state at its arrival to a
// handler.
type requestHandler func(*server, jsonrpc2.RawMessage) connection.Request

// notificationHandler applies a notification before the next message is read.
type notificationHandler func(*server, jsonrpc2.RawMessage) error

// onSnapshot is a request that is answered from a snapshot alone.
func onSnapshot[P, R any](h func(context.Context, *snapshot, *P) (R, error)) requestHandler {
	return withServer(noServer(h))
}

// onWorkspace is a request that is answered from a snapshot with the unopened files of
// the folders.
func onWorkspace[P, R any](h func(context.Context, *snapshot, *P) (R, error)) requestHandler {
	return withServer(withWorkspace(h))
}

// withWorkspace is a handler whose snapshot has the unopened files of the folders.
func withWorkspace[P, R any](h func(context.Context, *snapshot, *P) (R, error)) func(context.Context, *server, *snapshot, *P) (R, error) {
	return onExtendedSnapshot((*workspaceFiles).withIndex, h)
}

// onWorkspaceSoon is onWorkspace, except that it does not wait for the unopened files
// if reading them takes long.
func onWorkspaceSoon[P, R any](h func(context.Context, *snapshot, *P) (R, error)) requestHandler {
	return withServer(onExtendedSnapshot((*workspaceFiles).withIndexSoon, h))
}

// onExtendedSnapshot is a handler whose snapshot is extended first.
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

// noServer is a handler that needs a snapshot and no server.
func noServer[P, R any](h func(context.Context, *snapshot, *P) (R, error)) func(context.Context, *server, *snapshot, *P) (R, error) {
	return func(ctx context.Context, _ *server, snap *snapshot, params *P) (R, error) {
		return h(ctx, snap, params)
	}
}

// withServer is a request whose handler needs more than a snapshot: the
// client, the session, or progress.
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

// inOrder is a request that changes the session: it is answered before the
// next message is read.
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

func onNotification[P any](h func(*server, *P) error) notificationHandler {
	return func(s *server, raw jsonrpc2.RawMessage) error {
		params, err := connection.Decode[P](raw)
		if err != nil {
			return err
		}
		return h(s, params)
	}
}
