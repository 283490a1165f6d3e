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
)

// fetch asks for a new token.
func (c *Client) fetch(ctx context.Context, call executor.Call, g Grant, e *tokenEntry) (*oauth2.Token, error) {
	e.fetching.Lock()
	defer e.fetching.Unlock()
	ctx = c.withGuardedClient(ctx, call)
	at, err := endpoint(ctx, g)
	if err != nil {
		return nil, err
	}
	if g.auth == user {
		return c.renew(ctx, call, g, e, at)
	}
	m := &e.machine
	m.ClientID, m.ClientSecret = g.clientID.value, g.clientSecret.value
	m.TokenURL, m.AuthStyle, m.Scopes = at.TokenURL, at.AuthStyle, strings.Fields(g.scopes.value)
	m.EndpointParams = g.parameters()
	t, err := m.Token(ctx)
	return t, endpointError(call, at.TokenURL, err)
}

// parameters are what the grant sends besides the usual ones.
func (g *Grant) parameters() url.Values {
	v := url.Values{}
	if g.auth == saml {
		v.Set("grant_type", "urn:ietf:params:oauth:grant-type:saml2-bearer")
		v.Set("assertion", encodeAssertion(g.assertion.value))
	}
	if g.audience.value != "" {
		v.Set("audience", g.audience.value)
	}
	return v
}

// encodeAssertion writes an assertion as RFC 7522 wants it: base64url on one line,
// without padding. It may come as XML, or in the base64 that SAML itself uses.
func encodeAssertion(text string) string {
	if strings.HasPrefix(text, "<") {
		return base64.RawURLEncoding.EncodeToString([]byte(text))
	}
	text = strings.NewReplacer("+", "-", "/", "_", "=", "").Replace(text)
	return strings.Join(strings.Fields(text), "")
}

// endpoint is where to go: what is said, else what the issuer says of itself. A
// client that has no secret only names itself.
func endpoint(ctx context.Context, g Grant) (oauth2.Endpoint, error) {
	at := oauth2.Endpoint{AuthURL: g.authorizationURL.value, DeviceAuthURL: g.deviceURL.value, TokenURL: g.tokenURL.value}
	if g.clientSecret.value == "" {
		at.AuthStyle = oauth2.AuthStyleInParams
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

// requireIssuerHost wants a token endpoint at the host of the issuer: the person was asked
// about that one.
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

// requireBearer wants a token of the kind that can be sent.
func requireBearer(g Grant, t *oauth2.Token) error {
	if strings.EqualFold(t.Type(), "bearer") {
		return nil
	}
	return executor.Errorf(executor.KindRemote, "token-type", "%s gave a token of the type %q; only bearer tokens can be sent", hostOf(cmp.Or(g.tokenURL.value, g.issuer.value)), t.Type())
}

// endpointError says what kept an endpoint from giving a token; nil for nothing. It quotes
// no more of an answer than the error that RFC 6749 defines.
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
	said := executor.Shorten(call.Redact(strings.TrimSuffix(r.ErrorCode+": "+r.ErrorDescription, ": ")), maxShownAnswer)
	e := executor.Errorf(executor.KindRemote, "token-refused", "%s gives no token: %s", hostOf(address), cmp.Or(said, r.Response.Status))
	e.Status = status
	e.Details = map[string]any{"status": status, "error": executor.Shorten(call.Redact(r.ErrorCode), maxShownAnswer)}
	if seconds, err := strconv.ParseUint(r.Response.Header.Get("Retry-After"), 10, 16); err == nil {
		e.RetryAfter = max(time.Duration(seconds)*time.Second, 1)
	}
	return e
}

// transportError is what kept an answer from coming at all; nil where one came. The
// tool's own host has heard nothing of it.
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

// maxShownAnswer is how much is shown of what an answer says.
const maxShownAnswer = 300
