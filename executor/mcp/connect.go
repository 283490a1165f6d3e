package mcp

import (
	"context"
	"errors"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// The protocol versions that a connection begins with: the one whose handshake every server of
// that kind understands, and the newest, which has no handshake. A server of the first kind may
// end if it is asked by the newest version.
const (
	handshakeVersion = "2025-11-25"
	newestVersion    = ""
)

// transport is one way to connect to a server, with the protocol version to begin with.
type transport struct {
	open    func(*session) sdk.Transport
	version string
	after   func(error) bool // reports whether to try it after that error of the first one; nil: it is the first
}

// transportsOf returns the transports to try for a transport of abl.yaml, in order.
func transportsOf(name string) []transport {
	switch name {
	case viaStdio:
		return []transport{{(*session).stdioTransport, handshakeVersion, nil}, {(*session).stdioTransport, newestVersion, rejectsHandshake}}
	case viaWebSocket:
		return []transport{{(*session).webSocketTransport, handshakeVersion, nil}, {(*session).webSocketTransport, newestVersion, rejectsHandshake}}
	}
	return []transport{
		{(*session).streamableTransport, handshakeVersion, nil},
		{(*session).sseTransport, handshakeVersion, isOlderHTTPServer},
		{(*session).streamableTransport, newestVersion, rejectsHandshake},
	}
}

// answerOf returns the protocol error with which a server answered. It is nil if err is not such
// an answer.
func answerOf(err error) *jsonrpc.Error {
	if answer, ok := errors.AsType[*jsonrpc.Error](err); ok && executor.FindClassified(err) == nil {
		return answer
	}
	return nil
}

// rejectsHandshake reports whether a server answered that it does not know the handshake or its
// version. With any other answer it is pointless to try another version.
func rejectsHandshake(err error) bool {
	answer := answerOf(err)
	return answer != nil && slices.Contains([]int64{
		jsonrpc.CodeMethodNotFound, jsonrpc.CodeInvalidRequest, jsonrpc.CodeInvalidParams,
		sdk.CodeUnsupportedProtocolVersion, sdk.CodeMissingRequiredClientCapabilities,
	}, answer.Code)
}

// isOlderHTTPServer reports whether an HTTP server refused a message with a status that the
// protocol defines as the sign of an older server.
func isOlderHTTPServer(err error) bool {
	e, ok := errors.AsType[*executor.Error](err)
	return ok && slices.Contains([]int{400, 404, 405}, e.Status)
}

func isDenied(err error) bool {
	e, ok := errors.AsType[*executor.Error](err)
	_, refused := errors.AsType[*dial.RefusedError](err)
	return refused || ok && e.Kind == executor.KindDenied
}

// connect tries the transports in order. If all fail, it returns the error of the first
// one, or a refusal of the guard.
func (s *session) connect() (*sdk.ClientSession, error) {
	var first, reported error
	for _, w := range transportsOf(s.target.transport) {
		if first != nil && !w.after(first) {
			continue
		}
		s.resetFault()
		client, err := s.newClient().Connect(s.ctx, w.open(s), &sdk.ClientSessionOptions{ProtocolVersion: w.version})
		if err == nil {
			return client, nil
		}
		if first == nil {
			first = err
		}
		if reported == nil || isDenied(err) {
			reported = s.connectError(err)
		}
	}
	return nil, reported
}

// newClient returns a client without capabilities: it offers servers no folders, no model and no
// dialogue.
func (s *session) newClient() *sdk.Client {
	c := sdk.NewClient(&sdk.Implementation{Name: "abl-lsp", Version: s.opts.Version}, &sdk.ClientOptions{
		Capabilities:           &sdk.ClientCapabilities{},
		MultiRoundTrip:         &sdk.MultiRoundTripOptions{Disabled: true},
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { s.noteToolsChanged() },
	})
	c.AddReceivingMiddleware(refuseRequests)
	return c
}

// refused are the requests that a server may send only to a client with that capability.
var refused = []string{"roots/list", "sampling/createMessage", "elicitation/create"}

// refuseRequests answers the refused requests as the protocol requires of a client without the
// capability.
func refuseRequests(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if slices.Contains(refused, method) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: method + " is not offered by this client"}
		}
		return next(ctx, method, req)
	}
}
