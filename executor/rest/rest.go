// Package rest makes the one request of a tool of `type: http`, and the first request
// of a tool of `type: async_webhook`.
//
// It promises that the scheme and the host come only from the author's text, that an
// argument stays in its place in the request, that the answer is read only up to a
// limit, and that credentials are not sent to another host after a redirect.
package rest

import (
	"cmp"
	"context"
	nethttp "net/http"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/executor/schema"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Options configure a Client.
type Options struct {
	Dialer    *dial.Dialer  // owns the connections; nil: one of its own
	Tokens    *oauth.Client // obtains tokens; nil: one of its own
	UserAgent string        // "": abl-lsp
}

// Client makes requests. It is safe for concurrent use.
type Client struct {
	opts    Options
	header  nethttp.Header // of every request
	schemas schema.Cache   // of bodies
}

// Binding describes a request.
type Binding struct {
	*tool.HTTP
	Edit func(body []byte) ([]byte, error) // changes the finished body; nil: no change. A nil body means none
	Live bool                              // shows a text answer while it arrives
}

// New returns a Client. The caller must call [Client.Close].
func New(o Options) *Client {
	o.Dialer = cmp.Or(o.Dialer, dial.New(dial.Options{}))
	if o.Tokens == nil {
		o.Tokens = oauth.New(oauth.Options{Dialer: o.Dialer})
	}
	o.UserAgent = cmp.Or(o.UserAgent, "abl-lsp")
	return &Client{opts: o, header: nethttp.Header{"User-Agent": {o.UserAgent}, "Accept": {"application/json, */*;q=0.8"}}}
}

// Close cancels the sign-ins that still wait for a person. It leaves requests alone, and its error
// is always nil.
func (c *Client) Close() error { return c.opts.Tokens.Close() }

// Send sends the request once and follows its redirects. If the host rejects a token that was
// obtained earlier, the request has done nothing, so Send sends it again with a new token.
func (c *Client) Send(ctx context.Context, call executor.Call, b Binding) (executor.Result, error) {
	var got oauth.Token
	obtain := func(call executor.Call, g oauth.Grant) (token string, err error) {
		got, err = c.opts.Tokens.Token(ctx, call, g)
		return got.Value, err
	}
	req, err := c.rebuild(call, b, obtain)
	if err != nil {
		return executor.Result{}, err
	}
	if err := c.checkBody(req, b.HTTP); err != nil {
		return executor.Result{}, err
	}
	result, host, err := c.sendOnce(ctx, call, b, req)
	if req.grant == nil || result.Status != nethttp.StatusUnauthorized || host != req.url.Host {
		return result, err
	}
	c.opts.Tokens.Drop(call, *req.grant, got.Value)
	if !got.Cached {
		return result, err
	}
	if req, err = c.rebuild(call, b, obtain); err != nil {
		return result, err
	}
	result, _, err = c.sendOnce(ctx, call, b, req)
	return result, err
}

// sendOnce sends the request once. It also returns the host that answered, after redirects.
func (c *Client) sendOnce(ctx context.Context, call executor.Call, b Binding, req *request) (executor.Result, string, error) {
	transport := c.opts.Dialer.Transport(call.Guard)
	if call.Mutates {
		transport = noRetryTransport{transport}
	}
	t := &exchange{
		client:  nethttp.Client{Transport: transport},
		request: req,
		host:    req.url.Host,
		max:     call.Environment.Limits.MaxBytes(),
		permit:  call.Permit,
		live:    b.Live,

		takesErrors: strings.EqualFold(b.OnHTTPError, "data"),
	}
	result, err := t.send(ctx, call)
	result.Warnings = append(req.warnings, result.Warnings...)
	return result, t.host, err
}

// requestPreview is a request as a preview shows it.
type requestPreview struct {
	Method  string         `json:"method"`
	URL     string         `json:"url"`
	Headers previewHeaders `json:"headers"`
	Body    any            `json:"body"` // JSON, or text; nil for none

	of      *tool.HTTP
	request *request
}

// previewHeaders are headers with one value each. They encode as a JSON object of strings, sorted
// by name.
type previewHeaders nethttp.Header

// MarshalJSON writes the headers as an object.
func (h previewHeaders) MarshalJSON() ([]byte, error) {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	out := append(make([]byte, 0, 64*(1+len(h))), '{')
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(exactjson.AppendString(out, name), ':')
		out = exactjson.AppendString(out, h[name][0])
	}
	return append(out, '}'), nil
}

// previewOf returns the request that a call previewed for a binding. It is nil if there is none.
func previewOf(call executor.Call, b Binding) *request {
	if s, ok := call.Previewed.(*requestPreview); ok && s.of == b.HTTP {
		return s.request
	}
	return nil
}

// previewKey replaces the idempotency key of the call in a preview.
const previewKey = "(a key of its own for each call)"

// Preview returns the first request that Send would send.
func (c *Client) Preview(call executor.Call, b Binding) (any, error) {
	call.IdempotencyKey = previewKey
	req, err := c.build(call, b, func(executor.Call, oauth.Grant) (string, error) { return secrets.Mark(oauth.TokenMark), nil })
	if err != nil {
		return nil, err
	}
	if !req.secrets { // a stand-in may not have the form of the secret
		if err := c.checkBody(req, b.HTTP); err != nil {
			return nil, err
		}
	}
	return &requestPreview{Method: req.method, URL: req.url.String(), Headers: previewHeaders(req.header), Body: req.shownBody(), of: b.HTTP, request: req}, nil
}

// Reach returns the host of the request, with the hosts that issue its tokens.
func (c *Client) Reach(call executor.Call, binding Binding) (executor.Reach, error) {
	b := c.builder(call, binding)
	u, err := b.target(previewOf(call, binding))
	if err != nil {
		return executor.Reach{}, err
	}
	reach := executor.Reach{Accesses: call.Environment.WebAccesses(binding.Method, u), Receiver: u.Hostname(), Host: u.Host}
	return reach, b.reachTokens(&reach)
}

// Prepare lets the person sign in if the call needs that. subject names the sign-in; it is "" if
// there is none.
func (c *Client) Prepare(ctx context.Context, call executor.Call, binding Binding) (subject string, err error) {
	if !oauth.NeedsSignIn(strings.ToLower(binding.Auth)) {
		return "", nil
	}
	g, err := c.builder(call, binding).planGrant()
	if err != nil || g == nil {
		return "", err
	}
	filled, err := g.Fill(call.Scope, nil)
	if err != nil {
		return "", err
	}
	return c.opts.Tokens.Prepare(ctx, call, filled)
}
