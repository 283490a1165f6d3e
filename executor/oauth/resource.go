package oauth

import (
	"context"
	"crypto"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// The grants of a protected resource.
const (
	byCode        = "authorization_code"
	byCredentials = "client_credentials"
)

// Resource is a server that may want tokens and says itself who gives them. The texts of its
// settings are filled in.
type Resource struct {
	Name     string // its name in the project's file, for messages
	URL      *url.URL
	Settings tool.ServerOAuth
}

// NewResource returns a resource. It returns an error if the settings cannot work.
func NewResource(name string, at *url.URL, s tool.ServerOAuth) (*Resource, error) {
	r := &Resource{Name: name, URL: at, Settings: s}
	of := "servers." + name + ".oauth"
	machine := s.Grant == byCredentials
	proof := s.ClientSecret != "" || s.PrivateKey != ""
	switch {
	case s.Grant != "" && s.Grant != byCode && !machine:
		return nil, definitionError("%s.grant: %s is none of %s, %s", of, s.Grant, byCode, byCredentials)
	case machine && (s.ClientID == "" || !proof):
		return nil, definitionError("%s: client_credentials needs a client_id, and a client_secret or a private_key", of)
	case proof && s.ClientID == "":
		return nil, definitionError("%s: a client_secret or a private_key needs the client_id to which it belongs", of)
	case proof && s.Issuer == "":
		return nil, definitionError("%s.issuer is missing: without it, the server would choose who gets the secret", of).
			WithHint("Write the issuer with which the client is registered, such as https://login.example.com.")
	}
	return r, nil
}

// key returns the client's private key; nil if it has none.
func (r *Resource) key() (crypto.Signer, error) {
	if r.Settings.PrivateKey == "" {
		return nil, nil
	}
	key, err := parseKey(r.Settings.PrivateKey)
	if err != nil {
		return nil, definitionError("servers.%s.oauth.private_key: %w", r.Name, err)
	}
	return key, nil
}

// Identity returns a text that is equal for resources with the same settings.
func (r *Resource) Identity() string {
	s := r.Settings
	return digest(r.URL.String(), s.Grant, s.ClientID, s.ClientSecret, s.PrivateKey, s.Issuer, strings.Join(s.Scopes, " "), s.RedirectURL)
}

// Challenge is the answer of a resource that wants another token than it got.
type Challenge struct {
	Status   int    // 401, or 403 if the token's scopes are too few
	Metadata string // where the resource says how it is protected; "": at a well-known place
	Scope    string // the scopes that it wants; "": it does not say
	Token    string // the token that it got; "": none
}

// protection is what is known of how one resource is protected. Its lock is a channel, so that a
// call that waits for it can be cancelled.
type protection struct {
	lock chan struct{} // holds a value while the rest is used

	challenge *Challenge // not answered yet; nil: none
	grant     *Grant     // how tokens are obtained; nil: not known, or none are wanted
	run       string     // the run in which the grant was last changed, or found missing
}

func (c *Client) protection(call executor.Call, r *Resource) *protection {
	key := digest(call.Environment.Root, r.Identity())
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.protections[key]
	if p == nil {
		if len(c.protections) >= maxEntries {
			clear(c.protections)
		}
		p = &protection{lock: make(chan struct{}, 1)}
		c.protections[key] = p
	}
	return p
}

func (p *protection) enter(ctx context.Context) error {
	select {
	case p.lock <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *protection) leave() { <-p.lock }

// NoteChallenge keeps a challenge for the next [Client.PrepareResource]. It returns false if that
// could not answer it: this run has already found that the resource names no one who gives tokens.
func (c *Client) NoteChallenge(ctx context.Context, call executor.Call, r *Resource, ch Challenge) bool {
	p := c.protection(call, r)
	if p.enter(ctx) != nil {
		return false
	}
	defer p.leave()
	if p.grant == nil && p.run == call.Run {
		return false
	}
	p.challenge = &ch
	return true
}

// PrepareResource answers the last challenge of a resource: it finds out who gives tokens, and lets
// the person sign in if that is necessary. subject names the sign-in. It does nothing if the resource
// has not asked for a token.
func (c *Client) PrepareResource(ctx context.Context, call executor.Call, r *Resource) (subject string, err error) {
	p := c.protection(call, r)
	if err := p.enter(ctx); err != nil {
		return "", err
	}
	if p.challenge != nil {
		done := executor.StartPhase(ctx, executor.PhaseSignIn)
		err = c.answerChallenge(ctx, call, r, p)
		done()
	}
	g := p.grant
	p.leave()
	if err != nil || g == nil {
		return "", err
	}
	subject, err = c.Prepare(ctx, call, *g)
	if err != nil && g.resource.registered != "" && isUnknownClient(err) {
		c.forgetRegistration(ctx, call, g.resource.registered)
	}
	return subject, err
}

// isUnknownClient reports whether a sign-in may have failed because the issuer does not know the
// client any more. The page of an issuer tells that only to the person.
func isUnknownClient(err error) bool {
	e, ok := errors.AsType[*executor.Error](err)
	return ok && (e.Details["error"] == "invalid_client" || e.Kind == executor.KindTimeout)
}

// ResourceToken returns the token for a resource; "" if it has not asked for one.
func (c *Client) ResourceToken(ctx context.Context, call executor.Call, r *Resource) (string, error) {
	p := c.protection(call, r)
	if err := p.enter(ctx); err != nil {
		return "", err
	}
	g := p.grant
	p.leave()
	if g == nil {
		return "", nil
	}
	t, err := c.Token(ctx, call, *g)
	return t.Value, err
}

// answerChallenge finds out how the token is obtained that a challenge asks for. The caller holds the
// lock.
func (c *Client) answerChallenge(ctx context.Context, call executor.Call, r *Resource, p *protection) error {
	ch, old := *p.challenge, p.grant
	p.challenge = nil
	if old != nil {
		if t := c.validToken(c.entry(call, *old)); t != nil && t.AccessToken != ch.Token {
			return nil // another call has obtained a new one meanwhile
		}
	}
	again := p.run == call.Run
	p.run = call.Run
	g, err := c.discoverGrant(ctx, call, r, p, ch)
	if err != nil || g == nil {
		p.grant = nil
		return err
	}
	if old != nil && g.identity(call) == old.identity(call) {
		e := c.entry(call, *g)
		if again || ch.Status == http.StatusForbidden {
			c.forget(ctx, call, *g, e) // a renewed token would be the same
		}
		if again {
			return r.rejected(ch)
		}
		c.Drop(call, *g, ch.Token)
	}
	p.grant = g
	return nil
}

// rejected returns the error for a resource that rejects the token which it has just asked for.
func (r *Resource) rejected(ch Challenge) error {
	e := executor.Errorf(executor.KindRemote, "token-rejected", "%s rejects the token that it asked for", r.URL.Host)
	if ch.Status == http.StatusForbidden {
		e = executor.Errorf(executor.KindRemote, "insufficient-scope", "%s wants a token with other scopes than it gets: %s", r.URL.Host, executor.Shorten(ch.Scope, maxShownAnswer)).
			WithHint("Sign in as someone who may do this.")
	}
	e.Status = ch.Status
	return e
}

// discoverGrant finds out who gives the tokens of a resource, and as which client they are asked for.
// It returns nil if the resource does not say.
func (c *Client) discoverGrant(ctx context.Context, call executor.Call, r *Resource, p *protection, ch Challenge) (*Grant, error) {
	about, err := c.discoverResource(ctx, call, r, ch.Metadata)
	if err != nil {
		return nil, err
	}
	issuer, err := r.chooseIssuer(about)
	if err != nil {
		return nil, err
	}
	m, err := c.discoverIssuer(ctx, call, r, issuer)
	switch {
	case errors.Is(err, errNoMetadata) && about.guessed:
		return nil, nil
	case errors.Is(err, errNoMetadata):
		return nil, executor.Errorf(executor.KindRemote, "discovery", "%s wants a sign-in at %s, which does not publish how", r.URL.Host, issuer)
	case err != nil:
		return nil, err
	}
	if err := r.checkGrant(m); err != nil {
		return nil, err
	}
	key, err := r.key()
	if err != nil {
		return nil, err
	}
	who, err := c.identifyClient(ctx, call, r, m)
	if err != nil {
		return nil, err
	}
	g := &Grant{
		auth: user, clientID: who.id, clientSecret: who.secret, redirect: who.redirect,
		tokenURL: propertyText{m.TokenURL, "token_endpoint"}, authorizationURL: propertyText{m.AuthorizationURL, "authorization_endpoint"},
		resource: &resourceTerms{uri: about.Resource, issuer: m.Issuer, namesIt: m.NamesIssuer, style: styleOf(who.method), key: key, registered: who.registered},
	}
	if r.Settings.Grant == byCredentials {
		g.auth = client
	}
	g.scopes = propertyText{strings.Join(r.scopes(about, m, ch, p.grant), " "), "scopes"}
	return g, nil
}

// chooseIssuer returns the issuer of the project's file, if the resource accepts it, else the
// resource's first one.
func (r *Resource) chooseIssuer(about *resourceMetadata) (string, error) {
	want := r.Settings.Issuer
	if want == "" {
		return about.Issuers[0], nil
	}
	for _, issuer := range about.Issuers {
		if sameIssuer(issuer, want) || about.guessed {
			return want, nil
		}
	}
	return "", executor.Errorf(executor.KindDenied, "issuer-mismatch", "%s takes tokens of %s, and not of the issuer in abl.yaml, %s",
		r.URL.Host, executor.Shorten(strings.Join(about.Issuers, ", "), maxShownAnswer), want).
		WithHint("If that is meant, write it as oauth: {issuer: …} of servers.%s, with the client that is registered there.", r.Name)
}

// checkGrant returns an error if an issuer does not offer the grant in a safe way.
func (r *Resource) checkGrant(m *issuerMetadata) error {
	if (r.Settings.ClientSecret+r.Settings.PrivateKey != "") && hostOf(m.TokenURL) != hostOf(r.Settings.Issuer) {
		return executor.Errorf(executor.KindDenied, "token-host", "%s says that tokens are given by another host, %s, which would get the client's secret",
			r.Settings.Issuer, hostOf(m.TokenURL))
	}
	switch {
	case r.Settings.Grant == byCredentials:
		return nil
	case m.AuthorizationURL == "":
		return executor.Errorf(executor.KindRemote, "discovery", "%s names no page where to sign in", m.Issuer).
			WithHint("If it gives tokens to programs, write oauth: {grant: client_credentials, …} of servers.%s in abl.yaml.", r.Name)
	case !slices.Contains(m.ChallengeMethods, "S256"):
		return executor.Errorf(executor.KindDenied, "no-pkce", "%s does not protect a sign-in against a stolen code (PKCE with S256)", m.Issuer)
	}
	return nil
}

// scopes returns the scopes to ask for: those of the project's file, else of the challenge, else of
// the resource, with those that were asked for before, and the scope of a refresh token where the
// issuer has one. A challenge for further scopes is always followed.
func (r *Resource) scopes(about *resourceMetadata, m *issuerMetadata, ch Challenge, old *Grant) []string {
	wanted := strings.Fields(ch.Scope)
	switch configured := []string(r.Settings.Scopes); {
	case len(configured) > 0 && ch.Status == http.StatusForbidden:
		wanted = slices.Concat(configured, wanted)
	case len(configured) > 0:
		wanted = configured
	case len(wanted) == 0:
		wanted = about.Scopes
	}
	var all []string
	if old != nil && old.resource.issuer == m.Issuer {
		all = strings.Fields(old.scopes.value)
	}
	if r.Settings.Grant != byCredentials && slices.Contains(m.Scopes, offlineAccess) {
		wanted = append(slices.Clip(wanted), offlineAccess)
	}
	for _, scope := range wanted {
		if !slices.Contains(all, scope) {
			all = append(all, scope)
		}
	}
	return all
}
