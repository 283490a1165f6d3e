package oauth

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"

	"golang.org/x/oauth2"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// withGuardedClient returns a context with which the OAuth libraries send all requests through the
// guard of a call.
func (c *Client) withGuardedClient(ctx context.Context, call executor.Call) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, c.guardedClient(call))
}

// guardedClient returns an HTTP client whose requests go through the guard of a call.
func (c *Client) guardedClient(call executor.Call) *http.Client {
	return &http.Client{
		Transport:     cappedTransport{c.dialer.Transport(call.Guard), call.Permit},
		CheckRedirect: refuseRedirect,
		Timeout:       maxFetch,
	}
}

// refuseRedirect refuses every redirect, since the request is meant only for the endpoint.
func refuseRedirect(next *http.Request, via []*http.Request) error {
	e := executor.Errorf(executor.KindDenied, "token-redirect", "%s redirects to %s, and a sign-in is not sent on", via[0].URL.Host, next.URL.Host)
	return e.WithHint("If that is meant, write the address to which it leads.")
}

// maxAnswer is the most bytes that an endpoint's answer may have.
const maxAnswer = 1 << 20

// cappedTransport refuses requests that the project denies, and limits the size of answers.
type cappedTransport struct {
	base   http.RoundTripper
	permit func(...tool.Permission) error
}

func (t cappedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := t.permit(executor.WebAccesses(strings.ToLower(r.Method), r.URL)...); err != nil {
		return nil, err
	}
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxAnswer {
		return nil, executor.Errorf(executor.KindLimit, "response-size", "the answer of %s is larger than 1 MB", r.URL.Host)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}
