package oauth

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/state"
)

// fetch requests a new token.
func (c *Client) fetch(ctx context.Context, call executor.Call, g Grant, e *tokenEntry) (*oauth2.Token, error) {
	e.fetching.Lock()
	defer e.fetching.Unlock()
	ctx = c.withGuardedClient(ctx, call)
	at, err := endpoint(ctx, g)
	if err != nil {
		return nil, err
	}
	if g.auth == user {
		unlock, err := c.lockRenewal(ctx, g.identity(call))
		if err != nil {
			return nil, err
		}
		defer unlock()
		return c.renew(ctx, call, g, e, at)
	}
	t, err := e.request(ctx, g, at, strings.Fields(g.scopes.value), url.Values{})
	return t, endpointError(call, at.TokenURL, err)
}

// lockRenewal waits until no other process renews the same tokens: many services accept a refresh token
// only once. If the lock is not to be had, since what has it cannot be reached, renewing goes on
// without. It returns an error if ctx ends.
func (c *Client) lockRenewal(ctx context.Context, identity string) (unlock func(), err error) {
	if c.state == nil {
		return func() {}, nil
	}
	unlock, err = state.Lock(ctx, c.state, "renewal "+identity, maxFetch)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return func() {}, nil //nolint:nilerr // as the comment says
	}
	return unlock, nil
}

// request asks the token endpoint for a token. v has the parameters of this request. The caller
// holds e.fetching.
func (e *tokenEntry) request(ctx context.Context, g Grant, at oauth2.Endpoint, scopes []string, v url.Values) (*oauth2.Token, error) {
	if err := g.addParameters(v); err != nil {
		return nil, err
	}
	m := &e.config
	m.ClientID, m.ClientSecret = g.clientID.value, g.clientSecret.value
	m.TokenURL, m.AuthStyle, m.Scopes, m.EndpointParams = at.TokenURL, at.AuthStyle, scopes, v
	return m.Token(ctx)
}

// addParameters adds to v the parameters that the grant adds to a standard token request.
func (g *Grant) addParameters(v url.Values) error {
	if g.auth == saml {
		v.Set("grant_type", "urn:ietf:params:oauth:grant-type:saml2-bearer")
		v.Set("assertion", encodeAssertion(g.assertion.value))
	}
	if g.audience.value != "" {
		v.Set("audience", g.audience.value)
	}
	if g.resource == nil {
		return nil
	}
	v.Set("resource", g.resource.uri)
	return g.resource.addAssertion(v, g.clientID.value)
}

// encodeAssertion encodes an assertion as RFC 7522 requires: base64url on one line, without
// padding. text may be XML, or the base64 that SAML itself uses.
func encodeAssertion(text string) string {
	if strings.HasPrefix(text, "<") {
		return base64.RawURLEncoding.EncodeToString([]byte(text))
	}
	text = strings.NewReplacer("+", "-", "/", "_", "=", "").Replace(text)
	return strings.Join(strings.Fields(text), "")
}

// endpoint returns the URLs to use: those that are set, else those that the issuer publishes. A
// client without a secret only sends its id.
func endpoint(ctx context.Context, g Grant) (oauth2.Endpoint, error) {
	at := oauth2.Endpoint{AuthURL: g.authorizationURL.value, DeviceAuthURL: g.deviceURL.value, TokenURL: g.tokenURL.value}
	if g.clientSecret.value == "" {
		at.AuthStyle = oauth2.AuthStyleInParams
	} else if g.resource != nil {
		at.AuthStyle = g.resource.style
	}
	if !g.discovers() {
		return at, nil
	}
	issuer := g.issuer.value
	provider, err := oidc.NewProvider(ctx, issuer)
	if e := transportError(issuer, err); e != nil {
		return at, e
	}
	if err != nil {
		e := executor.Errorf(executor.KindRemote, "discovery", "%s does not say where to sign in: what it has at .well-known/openid-configuration is not what OpenID Connect Discovery wants", hostOf(issuer))
		return at, e.WithHint("See that issuer is right, or write the service with kind: oauth2, authorization_url and token_url.")
	}
	found := provider.Endpoint()
	at.TokenURL = cmp.Or(at.TokenURL, found.TokenURL)
	if at.AuthURL+at.DeviceAuthURL == "" {
		at.AuthURL = found.AuthURL
	}
	return at, requireIssuerHost(issuer, at.TokenURL)
}

// requireIssuerHost returns an error unless the token endpoint is at the host of the issuer,
// because the person allowed that host.
func requireIssuerHost(issuer, tokenURL string) error {
	if u, err := dial.ParseURL(tokenURL); err == nil && u.Host == hostOf(issuer) {
		return nil
	}
	e := executor.Errorf(executor.KindDenied, "token-host", "%s says that tokens are given by another host, %s", hostOf(issuer), hostOf(tokenURL))
	return e.WithHint("If that is meant, write the service with kind: oauth2, authorization_url and token_url.")
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return strconv.Quote(address)
	}
	return u.Host
}

// requireBearer returns an error unless a token is a bearer token, the only type that can be sent.
func requireBearer(g Grant, t *oauth2.Token) error {
	if strings.EqualFold(t.Type(), "bearer") {
		return nil
	}
	return executor.Errorf(executor.KindRemote, "token-type", "%s gave a token of the type %q; only bearer tokens can be sent", hostOf(cmp.Or(g.tokenURL.value, g.issuer.value)), t.Type())
}

// endpointError returns the error for an endpoint that gave no token. It is nil if err is nil. It
// quotes from the answer only the error that RFC 6749 defines.
func endpointError(call executor.Call, address string, err error) error {
	if err == nil {
		return nil
	}
	if e := transportError(address, err); e != nil {
		return e
	}
	r, ok := errors.AsType[*oauth2.RetrieveError](err)
	if !ok {
		e := executor.Errorf(executor.KindRemote, "no-token", "%s answered without an access token", hostOf(address))
		return e.WithHint("See that token_url is the address where tokens are given.")
	}
	status := r.Response.StatusCode
	message := executor.Shorten(call.Redact(strings.TrimSuffix(r.ErrorCode+": "+r.ErrorDescription, ": ")), maxShownAnswer)
	e := executor.Errorf(executor.KindRemote, "token-refused", "%s gives no token: %s", hostOf(address), cmp.Or(message, r.Response.Status))
	e.Status = status
	e.Details = map[string]any{"status": status, "error": executor.Shorten(call.Redact(r.ErrorCode), maxShownAnswer)}
	if seconds, err := strconv.ParseUint(r.Response.Header.Get("Retry-After"), 10, 16); err == nil {
		e.RetryAfter = max(time.Duration(seconds)*time.Second, 1)
	}
	return e
}

// transportError returns the error for an endpoint that did not answer. It is nil if err is not
// such an error. The tool's own host has received nothing then.
func transportError(address string, err error) error {
	if known := executor.FindClassified(err); known != nil {
		return known
	}
	u, ok := errors.AsType[*url.Error](err)
	if !ok {
		return nil
	}
	return executor.NetworkError(hostOf(address), u.Err, false)
}

// maxShownAnswer is the most bytes of an answer that a message shows.
const maxShownAnswer = 300
