package oauth

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// googleIssuer is the issuer of Google's identity tokens.
const googleIssuer = "https://accounts.google.com"

// Identify returns the claims of token, an identity token of the auth service s, which is called
// name. It returns an error unless the service's issuer signed token for the service's audience
// and token is valid now. It rejects a token with wrong claims before it fetches any key.
func (c *Client) Identify(ctx context.Context, call executor.Call, name string, s tool.AuthService, token string) (map[string]any, error) {
	w := tokenVerifier{call: call, service: name, issuer: s.Issuer, audience: cmp.Or(s.Audience, s.ClientID), now: c.now}
	if s.Kind == "google" {
		w.issuer = cmp.Or(s.Issuer, googleIssuer)
	}
	if err := w.checkService(); err != nil {
		return nil, err
	}
	algorithm, err := w.inspect(token)
	if err != nil {
		return nil, err
	}
	keys := &keySet{client: c, call: call, issuer: w.issuer}
	if err := keys.discover(ctx); err != nil {
		return nil, err
	}
	if !slices.Contains(keys.at.algorithms, algorithm) {
		return nil, w.deniedError("algorithm", "is signed by %s, by which %s does not sign", algorithm, hostOf(w.issuer))
	}
	claims, err := c.verify(ctx, &w, keys, token)
	if err != nil {
		return nil, err
	}
	return claims, w.requireScopes(claims, s.ScopesRequired)
}

// verify returns the claims of a token after it has checked its signature. The claims themselves have
// been inspected before.
func (c *Client) verify(ctx context.Context, w *tokenVerifier, keys *keySet, token string) (map[string]any, error) {
	verifier := oidc.NewVerifier(w.issuer, keys, &oidc.Config{ClientID: w.audience, SupportedSigningAlgs: keys.at.algorithms, Now: c.now})
	verified, err := verifier.Verify(ctx, token)
	switch {
	case keys.fault != nil:
		return nil, keys.fault
	case err != nil:
		return nil, w.deniedError("signature", "is not signed by a key of %s", hostOf(w.issuer))
	}
	var raw json.RawMessage
	if err := verified.Claims(&raw); err != nil {
		return nil, w.deniedError("malformed", "is no %s", w.noun())
	}
	claims, err := exactjson.Decode[map[string]any](raw)
	if err != nil {
		return nil, w.deniedError("malformed", "is no %s", w.noun())
	}
	return claims, nil
}

// requireScopes returns an error unless the token has all of the scopes.
func (w *tokenVerifier) requireScopes(claims map[string]any, scopes []string) error {
	scopeClaim, _ := claims["scope"].(string)
	has := strings.Fields(scopeClaim)
	for _, scope := range scopes {
		if !slices.Contains(has, scope) {
			return w.deniedError("scope", "is not for the scope %s", scope)
		}
	}
	return nil
}

// tokenVerifier checks an identity token against what its auth service requires, or an access token
// against what this program requires as a server.
type tokenVerifier struct {
	call             executor.Call
	service          string
	issuer, audience string
	isAccessToken    bool
	now              func() time.Time
}

func (w *tokenVerifier) noun() string {
	if w.isAccessToken {
		return "access token in the form of a JWT"
	}
	return "identity token"
}

// checkService returns an error if the auth service lacks an issuer or an audience.
func (w *tokenVerifier) checkService() error {
	of := "auth_services." + w.service
	u, err := dial.ParseURL(w.issuer)
	switch {
	case w.issuer == "":
		return definitionError("%s.issuer is missing", of)
	case err != nil:
		return definitionError("%s.issuer: %w", of, err)
	case u.Scheme != "https" && !isLoopbackName(u.Hostname()):
		return definitionError("%s.issuer: %s must be https, since the keys that are read there are trusted", of, w.issuer)
	case w.audience == "":
		return definitionError("%s says neither audience nor client_id, so nobody knows for whom its tokens must be", of)
	}
	return nil
}

// isLoopbackName reports whether a host is this machine. It looks only at the name.
func isLoopbackName(host string) bool {
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// maxToken is the most bytes that a token may have. Some hold the groups of a large company.
const maxToken = 64 << 10

// leeway is how far in the future the beginning of a token's validity may be, since clocks differ.
const leeway = 5 * time.Minute

// unverifiedClaims are the claims of a token before its signature is verified.
type unverifiedClaims struct {
	Algorithm string
	Issuer    string
	Subject   string
	Client    string
	Audience  audience
	Expiry    *jsonTime
	NotBefore *jsonTime
}

// UnmarshalJSON reads claims by their exact names. A name in other letters, such as AUD, may come
// from someone other than the issuer.
func (s *unverifiedClaims) UnmarshalJSON(raw []byte) error {
	var claims map[string]json.RawMessage
	if err := json.Unmarshal(raw, &claims); err != nil {
		return err
	}
	for name, into := range map[string]any{
		"alg": &s.Algorithm, "iss": &s.Issuer, "sub": &s.Subject, "client_id": &s.Client, "aud": &s.Audience, "exp": &s.Expiry, "nbf": &s.NotBefore,
	} {
		if claim, ok := claims[name]; ok {
			if err := json.Unmarshal(claim, into); err != nil {
				return err
			}
		}
	}
	return nil
}

// inspect returns the algorithm that signed a token. It returns an error if the token can be
// rejected without the issuer's keys.
func (w *tokenVerifier) inspect(token string) (algorithm string, err error) {
	t, err := parseUnverified(token)
	if err != nil {
		return "", w.deniedError("malformed", "is no %s: %v", w.noun(), err)
	}
	return t.Algorithm, w.claimError(t)
}

func (w *tokenVerifier) claimError(t unverifiedClaims) error {
	now := w.now()
	switch {
	case t.Algorithm == "" || strings.EqualFold(t.Algorithm, "none"):
		return w.deniedError("unsigned", "is not signed")
	case !slices.Contains(algorithms, t.Algorithm):
		return w.deniedError("algorithm", "is signed by %s, and not with a key that its issuer alone has", w.shownText(t.Algorithm))
	case t.Issuer != w.issuer && (w.issuer != googleIssuer || "https://"+t.Issuer != googleIssuer):
		return w.deniedError("issuer", "is of another issuer: of %s, not of %s", w.shownText(t.Issuer), w.issuer)
	case !slices.Contains(t.Audience, w.audience):
		return w.deniedError("audience", "is for somebody else: for %s, not for %s", w.shownText(strings.Join(t.Audience, ", ")), w.audience)
	case t.Expiry == nil:
		return w.deniedError("expired", "does not say until when it holds")
	case t.Expiry.Before(now):
		return w.deniedError("expired", "has expired: it held until %s", t.Expiry.UTC().Format(time.RFC3339))
	case t.NotBefore != nil && now.Add(leeway).Before(t.NotBefore.Time):
		return w.deniedError("not-yet", "holds only from %s", t.NotBefore.UTC().Format(time.RFC3339))
	case t.Subject == "" && (!w.isAccessToken || t.Client == ""):
		return w.deniedError("subject", "names nobody: it has no sub")
	}
	return nil
}

func (w *tokenVerifier) deniedError(reason, format string, args ...any) error {
	e := executor.Errorf(executor.KindDenied, "token", "the token of %s %s", w.service, fmt.Sprintf(format, args...))
	e.Details = map[string]any{"service": w.service, "reason": reason}
	return e
}

// shownText returns a text of a token for a message: shortened, and without secrets.
func (w *tokenVerifier) shownText(text string) string {
	if text == "" {
		return "nobody"
	}
	return executor.Shorten(w.call.Redact(text), maxShownAnswer)
}

// parseUnverified parses a token without verifying its signature.
func parseUnverified(token string) (t unverifiedClaims, err error) {
	parts := strings.Split(token, ".")
	switch {
	case len(token) > maxToken:
		return t, fmt.Errorf("it is longer than %d KB", maxToken>>10)
	case len(parts) != 3:
		return t, fmt.Errorf("it has %d parts, and not three", len(parts))
	}
	var payload unverifiedClaims
	for i, into := range []*unverifiedClaims{&t, &payload} {
		raw, err := base64.RawURLEncoding.DecodeString(parts[i])
		if err == nil {
			err = json.Unmarshal(raw, into)
		}
		if err != nil {
			return t, fmt.Errorf("its %s cannot be read", []string{"header", "payload"}[i])
		}
	}
	payload.Algorithm = t.Algorithm
	return payload, nil
}

// audience is a claim that is a string or a list of strings.
type audience []string

// UnmarshalJSON reads a string or a list of strings.
func (a *audience) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*a = audience{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(a))
}

// jsonTime is a time that JSON holds as seconds since 1970.
type jsonTime struct{ time.Time }

// UnmarshalJSON reads the number of seconds.
func (t *jsonTime) UnmarshalJSON(raw []byte) error {
	var seconds float64
	if err := json.Unmarshal(raw, &seconds); err != nil {
		return err
	}
	t.Time = time.Unix(int64(seconds), 0)
	return nil
}
