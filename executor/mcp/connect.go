package mcp

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// The protocol versions that a connection begins with. The library begins with the newest one, and goes
// on with the handshake of older ones if the server does not know that.
const (
	newestVersion    = ""
	handshakeVersion = "2025-11-25"
)

// transport is one way to connect to a server, with the protocol version to begin with.
type transport struct {
	open    func(*session) sdk.Transport
	version string
	patient bool             // the server may take any time to answer in the newest version
	after   func(error) bool // reports whether to try it after that error of the first one; nil: it is the first
}

// transportsOf returns the transports to try for a transport of abl.yaml, in order. A process may end
// when it is asked by the newest version, or answer too late. HTTP has an answer to every request.
func transportsOf(name string) []transport {
	open := (*session).stdioTransport
	switch name {
	case viaHTTP:
		return []transport{
			{(*session).streamableTransport, newestVersion, true, nil},
			{(*session).sseTransport, handshakeVersion, false, isOlderHTTPServer},
		}
	case viaWebSocket:
		open = (*session).webSocketTransport
	}
	return []transport{{open, newestVersion, false, nil}, {open, handshakeVersion, false, isLost}, {open, newestVersion, true, rejectsHandshake}}
}

// discoverTimeout is how long a server may take to answer in the newest version of the protocol before
// it is asked in an older one: some servers ignore what they do not know.
const discoverTimeout = 5 * time.Second

// limitDiscover returns a middleware that limits how long a server may take to say what it knows.
func limitDiscover(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if method == "server/discover" {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, discoverTimeout)
			defer cancel()
		}
		return next(ctx, method, req)
	}
}

// isLost reports whether the connection ended before there was a session.
func isLost(err error) bool { return answerOf(err) == nil && executor.FindClassified(err) == nil }

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
		client, err := s.newClient(w).Connect(s.ctx, w.open(s), &sdk.ClientSessionOptions{ProtocolVersion: w.version})
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

// newClient returns a client that lets servers ask the person, and those of this machine also for the
// folders of the workspace. It offers no model.
func (s *session) newClient(w transport) *sdk.Client {
	can := &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}, URL: &sdk.URLElicitationCapabilities{}}}
	can.AddExtension(tasksExtension, nil)
	roots := s.target.roots()
	if len(roots) > 0 {
		can.RootsV2 = &sdk.RootCapabilities{} //nolint:staticcheck // for as long as servers use it
	}
	c := sdk.NewClient(&sdk.Implementation{Name: "abl-lsp", Version: s.opts.Version}, &sdk.ClientOptions{
		Capabilities:           can,
		MultiRoundTrip:         &sdk.MultiRoundTripOptions{Disabled: true},
		ElicitationHandler:     s.elicit,
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { s.noteToolsChanged() },
	})
	c.AddRoots(roots...) //nolint:staticcheck // as above
	addTaskMethods(c)
	if !w.patient {
		c.AddSendingMiddleware(limitDiscover)
	}
	refused := []string{"sampling/createMessage"}
	if len(roots) == 0 {
		refused = append(refused, "roots/list")
	}
	c.AddReceivingMiddleware(refuseRequests(refused))
	return c
}

// roots returns the folders that the server may ask for.
//
//nolint:staticcheck // for as long as servers use them
func (t *target) roots() []*sdk.Root {
	if !t.offersFolders() {
		return nil
	}
	var roots []*sdk.Root
	for _, folder := range t.folders {
		roots = append(roots, &sdk.Root{URI: fileURI(folder), Name: filepath.Base(folder)})
	}
	return roots
}

// fileURI returns the URI of a file.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// refuseRequests answers requests as the protocol requires of a client without the capability.
func refuseRequests(refused []string) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if slices.Contains(refused, method) {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: method + " is not offered by this client"}
			}
			return next(ctx, method, req)
		}
	}
}
