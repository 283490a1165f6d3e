package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
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
	options := sdk.StreamableHTTPOptions{Logger: s.opts.Logger, DisableLocalhostProtection: true} // see isRebound
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
	var head messageHead
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(http.MaxBytesReader(out, r.Body, maxBody))
		if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
			out.refuse(http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest, "the message is longer than 4 MB")
			return
		}
		if err != nil {
			out.refuse(http.StatusBadRequest, jsonrpc.CodeInvalidRequest, "the body did not arrive as a whole")
			return
		}
		if !json.Valid(body) {
			out.refuse(http.StatusBadRequest, jsonrpc.CodeParseError, "the body is no JSON")
			return
		}
		messages, isList := readHeads(body)
		if !isList {
			head = messages[0]
		}
		out.id = head.ID
		if !e.server.permits(out, r, messages) {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	if r.Method == http.MethodGet || head.Method == "subscriptions/listen" {
		permitted, stop := e.server.whilePermitted(r)
		defer stop()
		r = permitted
	}
	if head.beginsWork() {
		end, ok := e.work.begin()
		if !ok {
			out.Header().Set("Retry-After", "1")
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
	case session == "" && needsSession(head.Method):
		out.refuse(http.StatusBadRequest, jsonrpc.CodeInvalidRequest, "there is no session yet: call `initialize`, and send the header Mcp-Session-Id of its answer from then on")
	default:
		out.unknownIsAnswer = true
		e.sessions.ServeHTTP(out, r)
	}
}

// messageHead is what endpoint has to know about a message.
type messageHead struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// readHeads reads the head of a message, which is empty for JSON that is none, or the heads of a list
// of messages.
func readHeads(body []byte) (messages []messageHead, isList bool) {
	if !bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		var one messageHead
		if json.Unmarshal(body, &one) != nil {
			one = messageHead{}
		}
		return []messageHead{one}, false
	}
	_ = json.Unmarshal(body, &messages) // those that it can read
	return messages, true
}

// toolName returns the name of the tool that a message calls, or "".
func (h messageHead) toolName() string {
	var params struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(h.Params, &params) != nil {
		return ""
	}
	return params.Name
}

// beginsWork reports whether a message is refused while the server ends.
func (h messageHead) beginsWork() bool { return h.Method == "tools/call" || h.Method == "initialize" }

// version returns the protocol's version that the message itself names, or "".
func (h messageHead) version() string {
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	var version string
	if json.Unmarshal(h.Params, &params) != nil || json.Unmarshal(params.Meta[sdk.MetaKeyProtocolVersion], &version) != nil {
		return ""
	}
	return version
}

// isRoutedBy reports whether the header Mcp-Name is that of a message about a task. The library checks
// that of all other messages.
func (h messageHead) isRoutedBy(header http.Header) bool {
	if h.Method != methodTasksGet && h.Method != methodTasksUpdate && h.Method != methodTasksCancel {
		return true
	}
	var params taskParams
	return json.Unmarshal(h.Params, &params) == nil && header.Get(nameHeader) == params.ID
}

// needsSession reports whether older versions of the protocol have a method in a session only.
func needsSession(method string) bool {
	switch method {
	case "tools/list", "tools/call", "prompts/list", "prompts/get", "completion/complete", "logging/setLevel",
		"resources/list", "resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe",
		methodTasksGet, methodTasksUpdate, methodTasksCancel:
		return true
	}
	return false
}

// errorWriter replaces a plain-text error by an error of JSON-RPC.
type errorWriter struct {
	http.ResponseWriter
	id              json.RawMessage // of the request; nil: unknown
	unknownIsAnswer bool            // an unknown method is a failed call, and no failed request of HTTP

	status int // of the error; 0: there is none
	text   bytes.Buffer
}

// Unwrap returns the writer below, for [http.ResponseController].
func (w *errorWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush implements [http.Flusher].
func (w *errorWriter) Flush() {
	if w.status == 0 {
		_ = http.NewResponseController(w.ResponseWriter).Flush() // the library's flushing is best-effort, too
	}
}

// WriteHeader implements [http.ResponseWriter].
func (w *errorWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [io.Writer].
func (w *errorWriter) Write(p []byte) (int, error) {
	if w.status != 0 {
		return w.text.Write(p)
	}
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
