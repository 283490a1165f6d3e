// Package callers knows who sends a request over HTTP, by what the operator's file says: a fixed
// token, an access token, a certificate, or the header of a proxy.
package callers

import (
	"context"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/internal/operator"
)

// Caller is who sends a request.
type Caller struct {
	Name    string
	Scopes  []string       // what the caller was permitted, sorted
	Expires time.Time      // until when that holds; zero: no end is known
	Issuer  string         // of the caller's access token; "" for other callers
	Claims  map[string]any // of that token, verified
}

// HasScopes reports whether a caller has all of the scopes. A nil Caller has none.
func (c *Caller) HasScopes(scopes []string) bool {
	return !slices.ContainsFunc(scopes, func(s string) bool { return c == nil || !slices.Contains(c.Scopes, s) })
}

// Options configure a Policy.
type Options struct {
	Client *oauth.Client    // asks issuers
	Proxy  string           // the URL of the HTTP proxy; "": none
	Now    func() time.Time // nil: time.Now
}

// Policy says who may call, and how often. It is safe for concurrent use. A nil Policy lets anyone
// call.
type Policy struct {
	opts  Options
	rules atomic.Pointer[rules] // of the file as it was last read
	limit limiter
}

// rules are what one version of an operator's file says about callers.
type rules struct {
	tokens      []fixedToken // nil: callers are not known by these
	keychain    []string     // the names of those in the keychain
	issuer      *oauth.TokenIssuer
	header      *operator.Header
	authorities *authorities // each caller has a certificate of these, and is its subject if nothing else is named; nil: none needs one
	rate        float64
}

// New returns a policy for which no file was read: anyone may call.
func New(o Options) *Policy {
	if o.Now == nil {
		o.Now = time.Now
	}
	p := &Policy{opts: o}
	p.limit.now = o.Now
	p.rules.Store(&rules{})
	return p
}

// Update replaces what the policy says by that of a file. If it returns an error, it has changed
// nothing. keychain has the tokens that the file names.
func (p *Policy) Update(ctx context.Context, c *operator.Config, keychain secrets.Provider) error {
	next := &rules{header: c.Auth.Header, rate: c.Rate}
	if t := c.Auth.Tokens; t != nil {
		var err error
		if next.tokens, err = readTokens(ctx, c, keychain); err != nil {
			return err
		}
		next.keychain = t.Keychain
	}
	if o := c.Auth.OAuth; o != nil {
		issuer, err := p.tokenIssuer(o)
		if err != nil {
			return c.Errorf("auth.oauth", "%w", err)
		}
		next.issuer = issuer
	}
	if c.TLS != nil && c.TLS.ClientCA != "" {
		var err error
		if next.authorities, err = readAuthorities(c); err != nil {
			return err
		}
	}
	p.rules.Store(next)
	return nil
}

// tokenIssuer returns the issuer of a file. What the file names may be reached although it is private.
func (p *Policy) tokenIssuer(o *operator.OAuth) (*oauth.TokenIssuer, error) {
	at := &oauth.TokenIssuer{Issuer: o.Issuer, Audience: o.Audience, KeysURL: o.JWKS}
	named := []string{o.Issuer, o.JWKS}
	if in := o.Introspection; in != nil {
		at.Introspection = &oauth.Introspection{URL: in.URL, ClientID: in.ClientID, ClientSecret: in.ClientSecret}
		named = append(named, in.URL)
	}
	var hosts []string
	for _, text := range named {
		if text == "" {
			continue
		}
		u, err := dial.ParseURL(text)
		if err != nil {
			return nil, err
		}
		host := u.Host
		if u.Port() == "" {
			host += map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
		}
		hosts = append(hosts, host)
	}
	guard, err := dial.NewGuard(hosts)
	if err == nil {
		at.Guard, err = guard.WithProxy(p.opts.Proxy)
	}
	return at, err
}

// Resource returns what clients have to know of an OAuth issuer: the audience of its tokens, and its
// name. ok is false if callers are not known by such tokens.
func (p *Policy) Resource() (audience, issuer string, ok bool) {
	if p == nil {
		return "", "", false
	}
	r := p.rules.Load()
	if r.issuer == nil {
		return "", "", false
	}
	return r.issuer.Audience, r.issuer.Issuer, true
}

// TakesTokens reports whether callers are known by bearer tokens.
func (p *Policy) TakesTokens() bool {
	if p == nil {
		return false
	}
	r := p.rules.Load()
	return r.issuer != nil || r.tokens != nil
}

// KnowsCallers reports whether requests of unknown callers are refused.
func (p *Policy) KnowsCallers() bool {
	return p.TakesTokens() || p != nil && (p.rules.Load().header != nil || p.rules.Load().authorities != nil)
}

// GivesScopes reports whether a caller can have a scope: by an access token, or by a line of the file
// of tokens.
func (p *Policy) GivesScopes() bool {
	if p == nil {
		return false
	}
	r := p.rules.Load()
	return r.issuer != nil || slices.ContainsFunc(r.tokens, func(t fixedToken) bool { return len(t.scopes) > 0 })
}

// Scheme returns how callers are known, as the scheme of a challenge.
func (p *Policy) Scheme() string {
	switch r := p.rules.Load(); {
	case r.authorities != nil:
		return "Certificate"
	case r.header != nil:
		return fmt.Sprintf("Header name=%q", http.CanonicalHeaderKey(r.header.Name))
	}
	return "Bearer"
}

// Refusal is the error for a request that is not answered.
type Refusal struct {
	Status int    // of HTTP
	Code   string // of RFC 6750, such as "invalid_token"; "" if the request names no caller
	Why    string
}

func (r *Refusal) Error() string { return r.Why }

func unknownCaller(format string, args ...any) error {
	return &Refusal{Status: http.StatusUnauthorized, Why: fmt.Sprintf(format, args...)}
}

func invalidToken(why string) error {
	return &Refusal{Status: http.StatusUnauthorized, Code: "invalid_token", Why: why}
}

// Authenticate returns who sends a request; nil if nothing has to be known of callers. The error is a
// [*Refusal].
func (p *Policy) Authenticate(r *http.Request) (*Caller, error) {
	if p == nil {
		return nil, nil
	}
	rules := p.rules.Load()
	var caller *Caller
	if rules.authorities != nil {
		var err error
		if caller, err = p.byCertificate(r, rules.authorities); err != nil {
			return nil, err
		}
	}
	switch {
	case rules.tokens != nil:
		return rules.byFixedToken(r)
	case rules.issuer != nil:
		return p.byAccessToken(r, rules.issuer)
	case rules.header != nil:
		return byHeader(r, rules.header)
	}
	return caller, nil
}

// bearerToken returns the token of a request's header.
func bearerToken(r *http.Request) (string, error) {
	values := r.Header.Values("Authorization")
	if strings.Join(values, "") == "" {
		return "", unknownCaller("this server has to know who calls: send a token in the header Authorization: Bearer")
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	if len(values) > 1 || !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsAny(token, " \t") {
		return "", unknownCaller("the header Authorization must be Bearer, followed by one token")
	}
	return token, nil
}

// maxHeaderName is the most bytes of a caller's name in a header.
const maxHeaderName = 256

func byHeader(r *http.Request, h *operator.Header) (*Caller, error) {
	values := r.Header.Values(h.Name)
	addr, err := netip.ParseAddrPort(r.RemoteAddr)
	from := addr.Addr().Unmap().WithZone("")
	isTrusted := err == nil && slices.ContainsFunc(h.From, func(p netip.Prefix) bool { return p.Contains(from) })
	switch {
	case !isTrusted && len(values) > 0:
		return nil, &Refusal{Status: http.StatusForbidden, Why: fmt.Sprintf("the header %s is not accepted from this address", http.CanonicalHeaderKey(h.Name))}
	case !isTrusted:
		return nil, unknownCaller("this server answers only its proxy")
	case len(values) != 1 || strings.TrimSpace(values[0]) == "" || len(values[0]) > maxHeaderName:
		return nil, unknownCaller("the proxy does not say who calls: the header %s must be there once, with a name", http.CanonicalHeaderKey(h.Name))
	}
	return &Caller{Name: strings.TrimSpace(values[0])}, nil
}

// byCertificate returns the subject of the client's certificate, which the handshake has verified.
func (p *Policy) byCertificate(r *http.Request, trusted *authorities) (*Caller, error) {
	if r.TLS == nil || len(r.TLS.VerifiedChains) == 0 {
		return nil, unknownCaller("this server has to know who calls: present a certificate")
	}
	cert, now := r.TLS.PeerCertificates[0], p.opts.Now()
	name := cert.Subject.String()
	switch {
	case now.After(cert.NotAfter):
		return nil, unknownCaller("the certificate has expired")
	case name == "":
		return nil, unknownCaller("the certificate has no subject")
	}
	chain := trusted.chainOf(r.TLS, now)
	if chain == nil {
		return nil, unknownCaller("the certificate's authority is none of this server's")
	}
	return &Caller{Name: name, Expires: endOf(chain)}, nil
}

// endOf returns the time until which all certificates of a chain are valid.
func endOf(chain []*x509.Certificate) time.Time {
	end := chain[0].NotAfter
	for _, c := range chain {
		if c.NotAfter.Before(end) {
			end = c.NotAfter
		}
	}
	return end
}
