package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	nethttp "net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/rest"
)

func (s *session) streamableTransport() sdk.Transport {
	return &sdk.StreamableClientTransport{Endpoint: s.target.address(), HTTPClient: s.httpClient(false), MaxEventSize: -1}
}

// sseTransport is the older HTTP transport: answers arrive on a separate stream.
func (s *session) sseTransport() sdk.Transport {
	return &sdk.SSEClientTransport{Endpoint: s.target.address(), HTTPClient: s.httpClient(true), MaxEventSize: -1}
}

// httpClient returns a client for this server only. In the older transport the server must accept
// the first request; in the newer one it may refuse it.
func (s *session) httpClient(older bool) *nethttp.Client {
	return &nethttp.Client{Transport: &serverTransport{
		session: s, server: s.target.url, older: older, fail: s.failFunc(),
		base: s.opts.Dialer.Transport(s.target.guard),
	}}
}

// serverTransport sends every request of a session. It refuses requests to another server, to
// which a redirect or an event may lead, and limits the size of answers.
type serverTransport struct {
	session *session
	server  *url.URL
	older   bool
	fail    func(error) // gets the reason why no call will be answered any more
	base    nethttp.RoundTripper
}

// RoundTrip sends a request with the headers of the server and of the call.
func (d *serverTransport) RoundTrip(r *nethttp.Request) (*nethttp.Response, error) {
	if err := d.checkServer(r.URL); err != nil {
		return nil, err
	}
	if refusal := d.session.token.pending(); refusal != nil && !d.session.isReady() {
		return nil, refusal
	}
	sent := new(callState)
	r = r.Clone(executor.TraceRequest(r.Context(), sent.markSent))
	r.Header.Set("User-Agent", strings.TrimSuffix("abl-lsp/"+d.session.opts.Version, "/"))
	for _, headers := range []map[string]string{d.session.target.headers, headersOf(r.Context())} {
		for name, value := range headers {
			r.Header.Set(name, value)
		}
	}
	if id := taskIDOf(r.Context()); id != "" {
		r.Header.Set("Mcp-Name", id) // the library sets it for other requests
	}
	token := d.session.authorize(r)
	resp, err := d.base.RoundTrip(r)
	unsent := !sent.sent.Load()
	if t := callStateOf(r.Context()); r.Method == nethttp.MethodPost && !unsent {
		t.markSent()
	}
	if err != nil {
		return nil, d.session.networkError(err, unsent)
	}
	if refusal := d.session.challengeIn(resp, token); refusal != nil && (d.older || r.Method == nethttp.MethodPost) {
		return nil, d.session.token.noteRefusal(refusal)
	}
	return d.limitBody(r, resp)
}

// checkServer returns an error if a URL is not at the session's server.
func (d *serverTransport) checkServer(to *url.URL) error {
	if to.Scheme == d.server.Scheme && to.Host == d.server.Host {
		return nil
	}
	if err := dial.CheckURL(to); err != nil {
		return err
	}
	e := executor.Errorf(executor.KindDenied, "redirect", "%s leads to %s://%s, and MCP servers are not followed", d.server.Host, to.Scheme, to.Host)
	e.Details = map[string]any{"host": to.Host}
	return e.WithHint("If that is meant, write it as the url of %s in abl.yaml.", d.session.target.name)
}

// limitBody limits the size of a response's body, and passes its messages through
// [session.inspectMessage].
func (d *serverTransport) limitBody(r *nethttp.Request, resp *nethttp.Response) (*nethttp.Response, error) {
	if resp.StatusCode >= 400 && (d.older || r.Method == nethttp.MethodPost) {
		return d.responseError(r, resp)
	}
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case resp.StatusCode < 200 || resp.StatusCode > 299:
	case media == "text/event-stream":
		resp.Body = &eventStream{session: d.session, token: callStateOf(r.Context()).token, fail: d.breakHandler(r), body: resp.Body}
	case media == "application/json":
		body, err := d.readBody(resp)
		if err != nil {
			return nil, err
		}
		d.replaceBody(resp, d.session.inspectMessage(body, ""))
	case !d.older && isCall(r):
		_ = resp.Body.Close()
		return nil, d.session.remoteError(0, "the address does not answer as an MCP server")
	}
	return resp, nil
}

// isCall reports whether a request carries a call, which the protocol requires to be answered.
func isCall(r *nethttp.Request) bool {
	if r.Method != nethttp.MethodPost || r.GetBody == nil {
		return false
	}
	body, err := r.GetBody()
	if err != nil {
		return false
	}
	data, _ := io.ReadAll(body) // it is in memory
	msg, _ := jsonrpc.DecodeMessage(data)
	req, ok := msg.(*jsonrpc.Request)
	return ok && req.IsCall()
}

// breakHandler returns the function to call when a stream breaks. In the older transport all calls
// have failed then, else only the call that the stream answers. A stream that belongs to no call is
// not needed.
func (d *serverTransport) breakHandler(r *nethttp.Request) func(error) {
	switch {
	case d.older:
		return d.fail
	case r.Method == nethttp.MethodPost:
		return func(err error) { callStateOf(r.Context()).fail(d.session.networkError(err, false)) }
	}
	return func(error) {}
}

func (d *serverTransport) readBody(resp *nethttp.Response) ([]byte, error) {
	defer resp.Body.Close()
	limit := d.session.target.max
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case err != nil:
		return nil, d.session.networkError(err, false)
	case int64(len(body)) > limit:
		return nil, d.session.tooLarge()
	}
	return body, nil
}

func (d *serverTransport) replaceBody(resp *nethttp.Response, body []byte) {
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
}

// maxRefusalBody is the most bytes of an error response that are read.
const maxRefusalBody = 64 << 10

// responseError returns the error for a response with an error status. If the body is an error of
// the protocol, it returns the response instead, unless the server no longer knows the session.
func (d *serverTransport) responseError(r *nethttp.Request, resp *nethttp.Response) (*nethttp.Response, error) {
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusalBody))
	if r.Header.Get("Mcp-Session-Id") != "" && isUnknownSession(resp.StatusCode, body) {
		d.session.stale.Store(true)
		e := executor.Errorf(executor.KindNetwork, "session", "%s does not know the session any more", d.server.Host)
		e.Unsent = true
		return nil, e
	}
	if msg, err := jsonrpc.DecodeMessage(body); err == nil {
		if answer, ok := msg.(*jsonrpc.Response); ok && answer.Error != nil {
			d.replaceBody(resp, body)
			return resp, nil
		}
	}
	e := d.session.remoteError(resp.StatusCode, string(body))
	e.RetryAfter = rest.RetryAfter(resp.Header.Get("Retry-After"))
	return nil, e
}

// isUnknownSession reports whether a server answers that it does not know the session. The protocol
// says 404; many servers follow an example that answers 400 with a message about the session.
func isUnknownSession(status int, body []byte) bool {
	return status == nethttp.StatusNotFound ||
		status == nethttp.StatusBadRequest && bytes.Contains(bytes.ToLower(body), []byte("session"))
}

// remoteError returns the error for an answer that does not follow the protocol. status is the
// HTTP status of an error response, with its body in body. If status is 0, body says what is
// wrong.
func (s *session) remoteError(status int, body string) *executor.Error {
	if status == 0 {
		return executor.Errorf(executor.KindRemote, "no-mcp", "%s: %s", s.target.host(), body)
	}
	e := executor.Errorf(executor.KindRemote, fmt.Sprintf("http-%d", status), "%s answered %s", s.target.host(),
		strings.TrimSpace(fmt.Sprintf("%d %s", status, nethttp.StatusText(status))))
	e.Status = status
	e.Details = map[string]any{"status": status, "body": shorten(s.redact(strings.ToValidUTF8(body, "\ufffd")))}
	if status == nethttp.StatusUnauthorized {
		return e.WithHint("Say who you are: `headers: {Authorization: …}` of servers.%s in abl.yaml.", s.target.name)
	}
	return e
}

// networkError returns the error for a server that did not answer.
func (s *session) networkError(err error, unsent bool) error {
	if isMiscoded(err) {
		return rest.Miscoded(s.target.host())
	}
	if executor.FindClassified(err) != nil || errors.Is(err, context.Canceled) {
		return err
	}
	return executor.NetworkError(s.target.host(), err, !unsent)
}
