package oauth

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// TokenIssuer is an authorization server whose access tokens this program accepts as a server.
type TokenIssuer struct {
	Issuer        string
	Audience      string         // what its tokens must be for
	KeysURL       string         // where its keys are; "": its metadata says so
	Introspection *Introspection // nil: its tokens are JWTs
	Guard         *dial.Guard    // permits the hosts that are named here
}

// Introspection says where an issuer is asked about tokens (RFC 7662).
type Introspection struct{ URL, ClientID, ClientSecret string }

// Bounds of the answers about tokens that are kept.
const (
	introspectionAge  = 30 * time.Second
	maxIntrospections = 4096
)

// VerifyAccessToken returns the claims of an access token of an issuer. It returns an error of
// [executor.KindDenied], whose Details.reason says why, unless the token is valid now and was given
// for the issuer's Audience. Any other error says that this cannot be known.
func (c *Client) VerifyAccessToken(ctx context.Context, at TokenIssuer, token string) (map[string]any, error) {
	call := executor.Call{Guard: at.Guard, Host: serverHost{}}
	w := tokenVerifier{call: call, service: hostOf(at.Issuer), issuer: at.Issuer, audience: at.Audience, isAccessToken: true, now: c.now}
	if len(token) > maxToken {
		return nil, w.deniedError("malformed", "is longer than %d KB", maxToken>>10)
	}
	if at.Introspection != nil {
		return c.introspectCached(ctx, &w, at.Introspection, token)
	}
	if _, err := w.inspect(token); err != nil {
		return nil, err
	}
	keys := &keySet{client: c, call: call, issuer: at.Issuer, cacheName: "access tokens " + at.KeysURL}
	if err := keys.discoverAccess(ctx, at.KeysURL); err != nil {
		return nil, err
	}
	return c.verify(ctx, &w, keys, token)
}

// serverHost is the host of calls that are not part of a run.
type serverHost struct{ executor.Host }

func (serverHost) Permit(...tool.Permission) error { return nil }

func (serverHost) Redact(text string) string { return text }

// discoverAccess asks the issuer for the URL of its keys, unless that is given or cached.
func (k *keySet) discoverAccess(ctx context.Context, keysURL string) error {
	if at, ok := k.cachedIssuer(); ok {
		k.at = at
		return nil
	}
	k.at = issuer{keysURL: keysURL, algorithms: algorithms}
	if keysURL != "" {
		return nil
	}
	u, err := dial.ParseURL(k.issuer)
	if err != nil {
		return err
	}
	for _, place := range metadataPlaces(u) {
		var m struct {
			Issuer  string `json:"issuer"`
			KeysURL string `json:"jwks_uri"`
		}
		switch err := k.client.getMetadata(ctx, k.call, place, &m); {
		case errors.Is(err, errNoMetadata):
			continue
		case err != nil:
			return err
		case m.Issuer != k.issuer:
			return executor.Errorf(executor.KindRemote, "discovery", "the metadata of %s is that of another issuer, %s", k.issuer, executor.Shorten(m.Issuer, maxShownAnswer))
		case m.KeysURL == "":
			return executor.Errorf(executor.KindRemote, "discovery", "%s does not say where its keys are", k.issuer)
		}
		k.at.keysURL = m.KeysURL
		return k.checkSafe(m.KeysURL)
	}
	return executor.Errorf(executor.KindRemote, "discovery", "%s has no metadata that says where its keys are", k.issuer)
}

// introspectionKey is the cache key of an answer about a token.
type introspectionKey struct {
	url   string
	token [sha256.Size]byte
}

// introspection is an answer about a token.
type introspection struct {
	claims map[string]any
	until  time.Time
}

// introspectCached returns the claims of a token as its issuer has said them within
// [introspectionAge].
func (c *Client) introspectCached(ctx context.Context, w *tokenVerifier, at *Introspection, token string) (map[string]any, error) {
	key := introspectionKey{at.URL, sha256.Sum256([]byte(token))}
	known, ok := c.introspections.Get(key)
	if !ok || c.now().After(known.until) {
		claims, err := c.introspect(ctx, w, at, token)
		if err != nil {
			return nil, err
		}
		known = introspection{claims, c.now().Add(introspectionAge)}
		c.introspections.Add(key, known)
	}
	return known.claims, w.introspectionError(known.claims)
}

// introspect asks an issuer about a token.
func (c *Client) introspect(ctx context.Context, w *tokenVerifier, at *Introspection, token string) (map[string]any, error) {
	form := url.Values{"token": {token}, "token_type_hint": {"access_token"}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, at.URL, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	req.SetBasicAuth(url.QueryEscape(at.ClientID), url.QueryEscape(at.ClientSecret)) // RFC 6749, 2.3.1
	status, body, err := c.ask(w.call, req)
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, executor.Errorf(executor.KindRemote, "introspection", "%s does not say whether a token is valid: it answered %d %s", hostOf(at.URL), status, http.StatusText(status))
	}
	claims, err := exactjson.Decode[map[string]any](body)
	if err != nil || claims == nil {
		return nil, executor.Errorf(executor.KindRemote, "introspection", "%s does not say whether a token is valid: its answer is no JSON object", hostOf(at.URL))
	}
	return claims, nil
}

// introspectionError returns an error unless an issuer's answer says that a token is valid now and
// meant for the audience.
func (w *tokenVerifier) introspectionError(claims map[string]any) error {
	var t unverifiedClaims
	raw, err := exactjson.Encode(claims)
	if err == nil {
		err = t.UnmarshalJSON(raw)
	}
	if active, _ := claims["active"].(bool); !active {
		return w.deniedError("inactive", "is not valid, or not any more")
	}
	now := w.now()
	switch {
	case err != nil:
		return w.deniedError("malformed", "has claims that cannot be read")
	case t.Issuer != "" && t.Issuer != w.issuer:
		return w.deniedError("issuer", "is of another issuer: of %s, not of %s", w.shownText(t.Issuer), w.issuer)
	case !slices.Contains(t.Audience, w.audience):
		return w.deniedError("audience", "is for somebody else: for %s, not for %s", w.shownText(strings.Join(t.Audience, ", ")), w.audience)
	case t.Expiry != nil && t.Expiry.Before(now):
		return w.deniedError("expired", "has expired: it held until %s", t.Expiry.UTC().Format(time.RFC3339))
	case t.NotBefore != nil && now.Add(leeway).Before(t.NotBefore.Time):
		return w.deniedError("not-yet", "holds only from %s", t.NotBefore.UTC().Format(time.RFC3339))
	case t.Subject == "" && t.Client == "":
		return w.deniedError("subject", "names nobody: it has neither sub nor client_id")
	}
	return nil
}
