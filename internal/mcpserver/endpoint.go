package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Headers of the protocol over HTTP.
const (
	versionHeader = "Mcp-Protocol-Version"
	nameHeader    = "Mcp-Name"
	sessionHeader = "Mcp-Session-Id"
)

// maxBody limits the body of a request, in bytes.
const maxBody = 4 << 20

// maxInitialize limits the body of a request that begins a session, in bytes: the session keeps it.
const maxInitialize = 64 << 10

// codeNoSession is the code of the error for a session that this process does not have.
const codeNoSession = -32001

// codeEnding is the code of the error for a call that comes when the server is ending.
const codeEnding = -32000

// endpoint serves the protocol at one path. In older versions a client has a session, which belongs
// to this process; from firstRoundsVersion on each request stands alone. The library has a handler
// for each, and answers some faults by plain text, which endpoint replaces by errors of JSON-RPC.
type endpoint struct {
	server              *Server
	sessions, stateless http.Handler
	work                *work
}

// newEndpoint returns the handler of one path at which the tools are served.
func (s *Server) newEndpoint() *endpoint {
	choose := func(*http.Request) *sdk.Server { return s.sdk }
	options := sdk.StreamableHTTPOptions{Logger: libraryLogger(s.opts), DisableLocalhostProtection: true} // see isRebound
	sessions, stateless := options, options
	sessions.SessionTimeout = sessionTimeout
	stateless.Stateless, stateless.PropagateRequestCancellation = true, true
	return &endpoint{
		work:      s.work,
		server:    s,
		sessions:  withTokenInfo(sdk.NewStreamableHTTPHandler(choose, &sessions)),
		stateless: withTokenInfo(sdk.NewStreamableHTTPHandler(choose, &stateless)),
	}
}

// ServeHTTP implements [http.Handler].
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out := &errorWriter{ResponseWriter: w}
	defer out.finish()
	requireSameOrigin(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { e.serve(out, r) })).ServeHTTP(out, r)
}

// serve answers a request that is not refused because of its origin.
func (e *endpoint) serve(out *errorWriter, r *http.Request) {
	if e.server.isRebound(r) {
		out.refuse(http.StatusForbidden, jsonrpc.CodeInvalidRequest, "this server is not called "+r.Host)
		return
	}
	var sent requestBody
	if r.Method == http.MethodPost {
		var ok bool
		if sent, ok = readRequest(out, r); !ok || !e.server.permits(out, r, sent.messages) {
			return
		}
	}
	head := sent.only()
	if r.Method == http.MethodGet || head.Method == "subscriptions/listen" {
		permitted, stop := e.server.whilePermitted(r)
		defer stop()
		r = permitted
	}
	if slices.ContainsFunc(sent.messages, messageHead.beginsWork) {
		end, ok := e.work.begin()
		if !ok {
			out.Header().Set("Retry-After", "1")
			out.Header().Set("Connection", "close") // the next connection is to another process
			out.refuse(http.StatusServiceUnavailable, codeEnding, errEnding.Error()+": call again, and another one answers")
			return
		}
		defer end()
	}
	version, session := r.Header.Get(versionHeader), r.Header.Get(sessionHeader)
	if version == "" && session == "" {
		version = head.version()
	}
	switch {
	case version >= firstRoundsVersion && !head.isRoutedBy(r.Header):
		out.refuse(http.StatusBadRequest, sdk.CodeHeaderMismatch, "the header Mcp-Name is not the taskId of the message")
	case version >= firstRoundsVersion:
		e.stateless.ServeHTTP(out, r)
	case session == "" && slices.ContainsFunc(sent.messages, messageHead.needsSession):
		out.refuse(http.StatusBadRequest, jsonrpc.CodeInvalidRequest, "there is no session yet: call `initialize`, and send the header Mcp-Session-Id of its answer from then on")
	default:
		out.unknownIsAnswer = true
		e.serveSession(out, r, sent)
	}
}

// serveSession answers a request of a session, or one that begins a session.
func (e *endpoint) serveSession(out *errorWriter, r *http.Request, sent requestBody) {
	all, caller, id := e.server.sessions, callerAddress(r), r.Header.Get(sessionHeader)
	switch {
	case id == "" && slices.ContainsFunc(sent.messages, messageHead.beginsSession):
		place, ok := all.reserve(caller)
		if !ok {
			out.Header().Set("Retry-After", "1")
			out.refuse(http.StatusTooManyRequests, codeTooManyCalls, "too many sessions have a call under way")
			return
		}
		defer all.leave(place)
		out.beforeHead = func() {
			if id := out.Header().Get(sessionHeader); e.session(id) != nil {
				all.begin(place, id, func() { e.endSession(id) })
			}
		}
		e.sessions.ServeHTTP(out, r)
	case r.Method == http.MethodPost:
		defer all.use(id, caller)()
		e.sessions.ServeHTTP(out, r)
	default:
		e.sessions.ServeHTTP(out, r)
	}
}

// session returns the session with an id; nil if there is none.
func (e *endpoint) session(id string) *sdk.ServerSession {
	if id == "" {
		return nil
	}
	for session := range e.server.sdk.Sessions() {
		if session.ID() == id {
			return session
		}
	}
	return nil
}

// readRequest reads the messages that a request has in its body, and gives r a body that can be read
// again. If the body is not one of messages, it answers that, and returns false.
func readRequest(out *errorWriter, r *http.Request) (sent requestBody, ok bool) {
	body, err := io.ReadAll(http.MaxBytesReader(out, r.Body, maxBody))
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
		out.refuse(http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest, "the message is longer than 4 MB")
		return sent, false
	}
	if err != nil {
		out.refuse(http.StatusBadRequest, jsonrpc.CodeInvalidRequest, "the body did not arrive as a whole")
		return sent, false
	}
	if !json.Valid(body) {
		out.refuse(http.StatusBadRequest, jsonrpc.CodeParseError, "the body is no JSON")
		return sent, false
	}
	sent, err = readHeads(body, r.Header.Get(versionHeader))
	out.id = sent.only().ID
	if err != nil {
		out.refuse(http.StatusBadRequest, jsonrpc.CodeInvalidRequest, err.Error())
		return sent, false
	}
	if len(body) > maxInitialize && slices.ContainsFunc(sent.messages, messageHead.beginsSession) {
		out.refuse(http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest, "a message that begins a session is longer than 64 KB")
		return sent, false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return sent, true
}

// endSession ends the session with an id, if it has not ended.
func (e *endpoint) endSession(id string) {
	if session := e.session(id); session != nil {
		_ = session.Close() // whatever it says, the session is gone
	}
}

// errorWriter replaces a plain-text error by an error of JSON-RPC.
type errorWriter struct {
	http.ResponseWriter
	id              json.RawMessage // of the request; nil: unknown
	unknownIsAnswer bool            // an unknown method is a failed call, and no failed request of HTTP
	beforeHead      func()          // is called before the status is written, unless it is nil

	status int // of the error; 0: there is none
	text   bytes.Buffer
}

// Unwrap returns the writer below, for [http.ResponseController].
func (w *errorWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush implements [http.Flusher].
func (w *errorWriter) Flush() {
	if w.status == 0 {
		w.passHead()
		_ = http.NewResponseController(w.ResponseWriter).Flush() // the library's flushing is best-effort, too
	}
}

// WriteHeader implements [http.ResponseWriter].
func (w *errorWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	w.passHead()
	w.ResponseWriter.WriteHeader(status)
}

// passHead calls beforeHead once.
func (w *errorWriter) passHead() {
	if before := w.beforeHead; before != nil {
		w.beforeHead = nil
		before()
	}
}

// Write implements [io.Writer].
func (w *errorWriter) Write(p []byte) (int, error) {
	if w.status != 0 {
		return w.text.Write(p)
	}
	w.passHead()
	return w.ResponseWriter.Write(p)
}

// finish writes the error, if there is one.
func (w *errorWriter) finish() {
	text := strings.TrimSpace(w.text.String())
	switch status := w.status; {
	case status == 0:
	case status == http.StatusNotFound:
		w.id = nil // clients take an answer to their call for a failure of that call alone
		w.refuse(status, codeNoSession, text+": begin a new one by `initialize`")
	case strings.Contains(text, "not handled"):
		if w.unknownIsAnswer && len(w.id) > 0 {
			status = http.StatusOK
		}
		w.refuse(status, jsonrpc.CodeMethodNotFound, text)
	case status >= http.StatusInternalServerError:
		w.refuse(status, jsonrpc.CodeInternalError, text)
	default:
		w.refuse(status, jsonrpc.CodeInvalidRequest, text)
	}
}

// refuse writes an error of JSON-RPC.
func (w *errorWriter) refuse(status int, code int64, why string) {
	raw, err := json.Marshal(errorReply{Version: "2.0", ID: w.id, Error: jsonrpc.Error{Code: code, Message: why}})
	if err != nil {
		raw = nil
	}
	w.status = 0
	w.Header().Del("Content-Length")
	w.Header().Set("Content-Type", "application/json")
	w.ResponseWriter.WriteHeader(status)
	_, _ = w.ResponseWriter.Write(raw) // who does not hear it is gone
}
