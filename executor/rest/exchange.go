package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/tool"
)

// exchange sends one request, follows its redirects and reads the answer.
type exchange struct {
	client      nethttp.Client
	request     *request
	host        string   // the host that is being asked
	next        *url.URL // the target of the last redirect; nil if there was none
	max         int64
	permit      func(...tool.Permission) error
	upgrade     bool // http may redirect to https
	live        bool // the answer is shown while it arrives
	takesErrors bool // an error status is a result, too
	answer      bytes.Buffer
	sent        atomic.Bool // there was a connection, so the other side may have begun
}

func (t *exchange) send(ctx context.Context, call executor.Call) (executor.Result, error) {
	resp, err := t.open(ctx)
	if err != nil {
		return executor.Result{}, err
	}
	defer resp.Body.Close()
	return t.read(ctx, call, resp)
}

// open sends the request and returns the response. The caller closes its body.
func (t *exchange) open(ctx context.Context) (*nethttp.Response, error) {
	ctx = executor.TraceRequest(ctx, func() { t.sent.Store(true) })
	req, err := nethttp.NewRequestWithContext(ctx, t.request.method, "", t.body()) // the URL has been parsed
	if err != nil {
		return nil, err
	}
	req.URL, req.Host, req.Header = t.request.url, t.request.url.Host, t.request.header
	if req.Method != nethttp.MethodHead {
		req.Header.Set("Accept-Encoding", "gzip") // as the transport does, which cannot tell a broken body from a lost connection
	}
	for name, value := range executor.TraceHeaders(ctx) {
		if req.Header.Get(name) == "" { // the tool's own header wins
			req.Header.Set(name, value)
		}
	}
	t.client.CheckRedirect = t.redirect
	resp, err := t.client.Do(req)
	if err != nil {
		return nil, t.fault(err)
	}
	return resp, nil
}

// body returns a new reader of the request's body, nil if it has none.
func (t *exchange) body() io.Reader {
	if t.request.body == nil {
		return nil
	}
	return bytes.NewReader(t.request.body)
}

// noRetryTransport prevents http.Transport from repeating a request by itself after a lost
// connection. http.Transport does so for requests that it considers safe, which are GET and all
// with an idempotency key, but never for a body that it cannot read twice.
type noRetryTransport struct{ base nethttp.RoundTripper }

func (o noRetryTransport) RoundTrip(r *nethttp.Request) (*nethttp.Response, error) {
	if r.Method != nethttp.MethodGet && r.Header.Get("Idempotency-Key") == "" && r.Header.Get("X-Idempotency-Key") == "" {
		return o.base.RoundTrip(r)
	}
	single := *r
	single.GetBody = nil
	if r.Body == nil {
		single.Body = io.NopCloser(strings.NewReader(""))
	}
	return o.base.RoundTrip(&single)
}

const maxRedirects = 10

// crossHostHeaders are the headers that are sent along when a redirect leads to another host. All
// other headers are dropped, since any header of the author may be a credential.
var crossHostHeaders = []string{"Accept", "Accept-Encoding", "Accept-Language", "Content-Type", "User-Agent"}

// redirect decides about one redirect; it is the client's CheckRedirect. via are the earlier
// requests.
func (t *exchange) redirect(next *nethttp.Request, via []*nethttp.Request) error {
	first := via[0].URL
	if len(via) > maxRedirects {
		return executor.Errorf(executor.KindLimit, "redirects", "%s redirects more than %d times", first.Host, maxRedirects)
	}
	last := via[len(via)-1].URL
	t.next = next.URL
	if err := dial.CheckURL(next.URL); err != nil {
		return redirectRefusal(first, next.URL, err)
	}
	if err := t.permit(executor.WebAccesses(next.Method, next.URL)...); err != nil {
		return err
	}
	if next.URL.Scheme != last.Scheme && (!t.upgrade || next.URL.Scheme != "https") {
		e := executor.Errorf(executor.KindDenied, "redirect-scheme", "%s redirects from %s to %s", last.Host, last.Scheme, next.URL.Scheme)
		e.Details = map[string]any{"host": next.URL.Host}
		return e.WithHint("If %s://%s is meant, write that as the endpoint.", next.URL.Scheme, next.URL.Host)
	}
	t.host = next.URL.Host
	next.Header.Del("Referer") // it would reveal the query
	if !changesHost(next, via) {
		return nil
	}
	if next.Body != nil && t.request.secrets {
		e := executor.Errorf(executor.KindDenied, "redirect-secret", "%s redirects to %s, and the body holds a secret", first.Host, next.URL.Host)
		e.Details = map[string]any{"host": next.URL.Host}
		return e
	}
	headers := nethttp.Header{}
	for _, name := range crossHostHeaders {
		if v := next.Header.Values(name); len(v) > 0 {
			headers[name] = v
		}
	}
	next.Header = headers
	return nil
}

// redirectRefusal adds to the refusal of a redirect's target which host redirected to it. The
// message leaves out parts of the URL that may be a password or a token. That host already has
// the request and may have acted on it, so a repeated call sends it a second time.
func redirectRefusal(from, to *url.URL, err error) error {
	r, ok := errors.AsType[*dial.RefusedError](err)
	if !ok {
		return err
	}
	shown := url.URL{Scheme: to.Scheme, Opaque: to.Opaque, Host: to.Host, Path: to.Path}
	e := executor.Errorf(executor.KindDenied, string(r.Reason), "%s has got the request and redirects to %s: %w", from.Host, executor.Shorten(shown.String(), 200), err)
	e.Hint = r.Hint()
	e.Details = map[string]any{"sent": from.Host}
	if r.Host != "" {
		e.Details["host"] = r.Host
	}
	return e
}

// changesHost reports whether the redirects have led to another host, even if they led back.
func changesHost(next *nethttp.Request, via []*nethttp.Request) bool {
	for _, r := range via[1:] {
		if r.URL.Host != via[0].URL.Host {
			return true
		}
	}
	return next.URL.Host != via[0].URL.Host
}

// transportFaults are the net/http errors for an answer that it rejects, by a part of their
// message.
var transportFaults = []struct {
	part string // of its message
	kind executor.ErrorKind
	code string
	msg  string
}{
	{"response headers exceeded", executor.KindLimit, "response-size", "the header of the response is too large"},
	{"parse Location header", executor.KindRemote, "redirect", "the address that it redirects to is no URL"},
}

// fault returns the error of a failed round trip as an error with a kind.
func (t *exchange) fault(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the URL, whose query may contain secrets
	}
	if e, ok := errors.AsType[*executor.Error](err); ok {
		return e
	}
	if r, ok := errors.AsType[*dial.RefusedError](err); ok {
		if t.next != nil {
			return redirectRefusal(t.request.url, t.next, r)
		}
		return r
	}
	if errors.Is(err, dial.ErrUpgrade) {
		return executor.Errorf(executor.KindRemote, "upgrade", "%s: %w", t.host, dial.ErrUpgrade)
	}
	for _, f := range transportFaults {
		if strings.Contains(err.Error(), f.part) {
			return executor.Errorf(f.kind, f.code, "%s: %s", t.host, f.msg)
		}
	}
	return executor.NetworkError(t.host, err, t.sent.Load())
}

// read reads the answer, up to the size limit.
func (t *exchange) read(ctx context.Context, call executor.Call, resp *nethttp.Response) (executor.Result, error) {
	if resp.ContentLength != 0 && resp.Body != nethttp.NoBody {
		defer executor.StartPhase(ctx, executor.PhaseBody)()
	}
	response := executor.NewResponse(resp)
	failed := executor.Result{Status: resp.StatusCode, Response: response}
	if !isSuccess(resp) && !t.takesErrors {
		return failed, t.statusError(call, resp, response)
	}
	if err := t.readBody(call, resp); err != nil {
		response.SetBody(t.answer.Bytes(), int64(t.answer.Len()))
		return failed, err
	}
	result := Answer(call.Tool.Returns, resp.Header.Get("Content-Type"), t.answer.Bytes())
	if t.answer.Len() == 0 && asksForHeaders(t.request.method) {
		result.Value = headersOf(response)
	}
	setBody(response, resp, t.answer.Bytes())
	result.Status, result.Response = resp.StatusCode, response
	return result, nil
}

// readBody reads the body into t.answer.
func (t *exchange) readBody(call executor.Call, resp *nethttp.Response) error {
	from, err := body(resp)
	if err != nil {
		return t.fault(err)
	}
	buf := &t.answer
	if n := resp.ContentLength; n > 0 && n <= t.max {
		buf.Grow(int(n) + bytes.MinRead)
	}
	to := io.Writer(buf)
	if t.live && isShownLive(resp.Header.Get("Content-Type")) {
		shown := &textStream{report: call.Report}
		defer shown.end()
		to = io.MultiWriter(buf, shown)
	}
	n, err := io.Copy(to, io.LimitReader(from, t.max+1))
	switch {
	case n > t.max:
		return executor.Errorf(executor.KindLimit, "response-size", "the response of %s is larger than %s", t.host, Size(t.max))
	case err != nil:
		return t.fault(err)
	}
	return nil
}

// headersOf returns the status and headers of a response as the value of an answer without a body.
func headersOf(r *executor.Response) json.RawMessage {
	value, _ := json.Marshal(map[string]any{"status": r.Status, "headers": r.Headers}) // strings and a number always encode
	return value
}

func isSuccess(resp *nethttp.Response) bool { return resp.StatusCode >= 200 && resp.StatusCode <= 299 }

// Size returns a number of bytes as text for a person.
func Size(n int64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}
