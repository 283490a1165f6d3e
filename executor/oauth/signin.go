package oauth

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"

	"golang.org/x/oauth2"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
)

// signIn is a sign-in that waits for the person. The mutex of its client guards waiting
// and err.
type signIn struct {
	page    string // the page where the person begins
	ask     string // what the person is asked
	done    chan struct{}
	once    sync.Once
	err     error // valid after done is closed
	waiting int   // calls that wait
	cancel  context.CancelFunc
}

// signIn lets the person sign in and waits for the end. If the page cannot be opened, the call that
// began the sign-in returns an error with the page, and the next call waits.
func (c *Client) signIn(ctx context.Context, call executor.Call, g Grant) error {
	e := c.entry(call, g)
	s, begun, isOnlyCaller, err := c.joinSignIn(ctx, call, g, e)
	if err != nil {
		return err
	}
	shown := false
	defer func() { c.leaveSignIn(e.key, s, shown) }()
	if s.isOver() {
		return s.err
	}
	if call.OpenURL != nil {
		shown = !isOnlyCaller || call.OpenURL(ctx, s.page) == nil || ctx.Err() != nil
	}
	if !shown && begun {
		return s.signInError(call)
	}
	call.Report(executor.Progress{Message: s.ask})
	select {
	case <-s.done:
		return s.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *signIn) signInError(call executor.Call) error {
	return executor.SignInError(s.page, "%s: %s", call.Tool.Name, s.ask).
		WithHint("Open the page, sign in, and run the tool again within five minutes.")
}

// unattendedError returns the error for a call that needs a sign-in when no one will ever open a
// page.
func unattendedError(call executor.Call) error {
	return executor.Errorf(executor.KindNeeds, "sign-in", "%s: a person has to sign in first", call.Tool.Name).
		WithHint("Sign in with `abl-lsp run` in a terminal: a keychain keeps that for later runs.")
}

// joinSignIn returns the sign-in that is under way, or begins one. begun says that this call began
// it, and alone that no other call waits for it.
func (c *Client) joinSignIn(ctx context.Context, call executor.Call, g Grant, e *tokenEntry) (s *signIn, begun, isOnlyCaller bool, err error) {
	c.mu.Lock()
	s = c.signIns[e.key]
	if s != nil {
		defer c.mu.Unlock()
		s.waiting++
		return s, false, s.waiting == 1, nil
	}
	c.mu.Unlock()
	fresh, err := c.beginSignIn(ctx, call, g, e)
	if err != nil {
		return nil, false, false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s = c.signIns[e.key]; s != nil { // another call was faster
		fresh.cancel()
		s.waiting++
		return s, false, s.waiting == 1, nil
	}
	c.signIns[e.key] = fresh
	fresh.waiting++
	return fresh, true, true, nil
}

// leaveSignIn ends one call's wait. It forgets a finished sign-in. It ends a sign-in whose page is
// open if no call waits for it any more, because the call that opened it was cancelled.
func (c *Client) leaveSignIn(key string, s *signIn, opened bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.waiting--
	if s.isOver() {
		c.forgetSignIn(key, s)
	} else if opened && s.waiting == 0 {
		c.forgetSignIn(key, s)
		s.cancel()
	}
}

// forgetSignIn removes a sign-in from the map. The caller holds the mutex.
func (c *Client) forgetSignIn(key string, s *signIn) {
	if c.signIns[key] == s {
		delete(c.signIns, key)
	}
}

func (s *signIn) isOver() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// finish ends a sign-in with err, which waiting calls then read. Only the first call of finish has
// an effect.
func (s *signIn) finish(err error) {
	s.once.Do(func() {
		s.err = err
		close(s.done)
	})
}

// beginSignIn starts a sign-in in the browser, or by device code if there is no browser page. It
// does not wait for the person.
func (c *Client) beginSignIn(ctx context.Context, call executor.Call, g Grant, e *tokenEntry) (*signIn, error) {
	at, err := endpoint(c.withGuardedClient(ctx, call), g)
	if err != nil {
		return nil, err
	}
	config := &oauth2.Config{ClientID: g.clientID.value, ClientSecret: g.clientSecret.value, Endpoint: at, Scopes: strings.Fields(g.scopes.value)}
	own, cancel := context.WithTimeout(c.withGuardedClient(c.life, call), c.signInTimeout)
	s := &signIn{done: make(chan struct{}), cancel: cancel}
	got := func(t *oauth2.Token, err error) error {
		return c.storeSignIn(own, call, g, e, t, endpointError(call, at.TokenURL, err))
	}
	if at.AuthURL == "" {
		err = s.signInByDevice(own, call, g, config, got)
	} else {
		err = s.signInByBrowser(own, call, g, config, got)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	context.AfterFunc(own, func() {
		s.finish(executor.Errorf(executor.KindTimeout, "sign-in", "nobody signed in at %s within %v", hostOf(s.page), c.signInTimeout))
		c.mu.Lock()
		defer c.mu.Unlock()
		c.forgetSignIn(e.key, s)
	})
	return s, nil
}

// storeSignIn stores the tokens of a sign-in.
func (c *Client) storeSignIn(ctx context.Context, call executor.Call, g Grant, e *tokenEntry, t *oauth2.Token, err error) error {
	if err == nil {
		err = requireBearer(g, t)
	}
	if err != nil {
		return err
	}
	track(call, t)
	c.store(e, t)
	c.mu.Lock()
	e.subject = ""           // it may be another person
	delete(c.signIns, e.key) // a later call finds the token
	c.mu.Unlock()
	c.saveRefreshToken(ctx, call, g, e, t.RefreshToken)
	return nil
}

// signInByDevice lets the person enter a code on any device (RFC 8628).
func (s *signIn) signInByDevice(ctx context.Context, call executor.Call, g Grant, config *oauth2.Config, got func(*oauth2.Token, error) error) error {
	device, err := config.DeviceAuth(ctx, g.options()...)
	if err != nil {
		return endpointError(call, config.Endpoint.DeviceAuthURL, err)
	}
	call.Track("device code", device.DeviceCode)
	s.page = cmp.Or(device.VerificationURIComplete, device.VerificationURI)
	if _, err := dial.ParseURL(s.page); err != nil {
		return executor.Errorf(executor.KindRemote, "sign-in", "%s names no page where to sign in", hostOf(config.Endpoint.DeviceAuthURL))
	}
	s.ask = "sign in at " + hostOf(s.page) + " in your browser, with the code " + device.UserCode
	go func() {
		t, err := config.DeviceAccessToken(ctx, device)
		s.finish(got(t, s.deviceFault(err)))
	}()
	return nil
}

// deviceFault returns the error of a device sign-in. A refusal by the person and an expired code
// have their own errors; other errors are returned as they are.
func (s *signIn) deviceFault(err error) error {
	r, answered := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case answered && r.ErrorCode == "access_denied":
		return executor.Errorf(executor.KindDenied, "sign-in-denied", "the sign-in at %s was denied", hostOf(s.page))
	case answered && r.ErrorCode == "expired_token", errors.Is(err, context.DeadlineExceeded):
		return executor.Errorf(executor.KindTimeout, "sign-in", "nobody signed in at %s before the code expired", hostOf(s.page))
	}
	return err
}

// signInByBrowser lets the person's browser bring a code to a listener on loopback (RFC
// 8252). PKCE binds the code to this process, and the state binds it to this sign-in.
func (s *signIn) signInByBrowser(ctx context.Context, call executor.Call, g Grant, config *oauth2.Config, got func(*oauth2.Token, error) error) error {
	if _, err := dial.ParseURL(config.Endpoint.AuthURL); err != nil {
		return executor.Errorf(executor.KindRemote, "sign-in", "%s names no page where to sign in", hostOf(g.issuer.value))
	}
	verifier := oauth2.GenerateVerifier()
	l := &listener{state: rand.Text() + rand.Text(), start: "/" + rand.Text(), server: hostOf(config.Endpoint.AuthURL), resource: g.resource, redact: call.Redact}
	l.exchange = func(code string) error {
		call.Track("authorization code", code)
		sent := url.Values{}
		if err := g.addParameters(sent); err != nil {
			return err
		}
		return got(config.Exchange(ctx, code, append(options(sent), oauth2.VerifierOption(verifier))...))
	}
	l.finish = s.finish
	back, err := g.redirectURL()
	if err != nil {
		return err
	}
	l.path = back.Path
	if back.Host, err = l.listen(ctx, back); err != nil {
		return err
	}
	config.RedirectURL = back.String()
	l.target = config.AuthCodeURL(l.state, append(g.options(), oauth2.S256ChallengeOption(verifier))...)
	s.page = l.target
	if call.Redact(s.page) != s.page { // the URL must not show a secret
		s.page = "http://" + back.Host + l.start
	}
	s.ask = "sign in at " + l.server + " in your browser"
	return nil
}

// options returns the parameters that the grant adds to the page where a person signs in, or to the
// request for a device code.
func (g *Grant) options() []oauth2.AuthCodeOption {
	v := url.Values{}
	if g.audience.value != "" {
		v.Set("audience", g.audience.value)
	}
	if g.resource != nil {
		v.Set("resource", g.resource.uri)
		if slices.Contains(strings.Fields(g.scopes.value), offlineAccess) {
			v.Set("prompt", "consent") // OpenID Connect demands it for that scope
		}
	}
	return options(v)
}

func options(v url.Values) []oauth2.AuthCodeOption {
	var all []oauth2.AuthCodeOption
	for name := range v {
		all = append(all, oauth2.SetAuthURLParam(name, v.Get(name)))
	}
	return all
}

// renew exchanges the refresh token for a new token. It forgets a refresh token that the service
// no longer accepts; the error then has the cause errSignedOut.
func (c *Client) renew(ctx context.Context, call executor.Call, g Grant, e *tokenEntry, at oauth2.Endpoint) (*oauth2.Token, error) {
	old := c.refreshToken(ctx, call, g, e)
	if old == "" {
		return nil, signedOutError()
	}
	call.Track("refresh token", old)
	t, err := e.request(ctx, g, at, nil, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {old}})
	if r, ok := errors.AsType[*oauth2.RetrieveError](err); ok && r.ErrorCode == "invalid_grant" {
		c.forget(ctx, call, g, e)
		return nil, signedOutError()
	}
	if err != nil {
		return nil, endpointError(call, at.TokenURL, err)
	}
	if t.RefreshToken == "" {
		t.RefreshToken = old
	}
	if t.RefreshToken != old {
		c.saveRefreshToken(ctx, call, g, e, t.RefreshToken)
	}
	return t, nil
}

// forget removes the tokens of a sign-in, also from the keychain.
func (c *Client) forget(ctx context.Context, call executor.Call, g Grant, e *tokenEntry) {
	c.mu.Lock()
	e.token, e.refresh, e.savedRefresh = nil, "", ""
	c.mu.Unlock()
	secrets.SignIns(call.Environment.Root).Remove(ctx, g.identity(call))
}

// refreshToken returns the refresh token. If another process has stored a new one in the keychain,
// it returns that, since the one in memory may be used up. It is "" if there is none.
func (c *Client) refreshToken(ctx context.Context, call executor.Call, g Grant, e *tokenEntry) string {
	kept, ok := secrets.SignIns(call.Environment.Root).Load(ctx, g.identity(call))
	c.mu.Lock()
	defer c.mu.Unlock()
	if ok && kept != e.savedRefresh {
		e.refresh, e.savedRefresh = kept, kept
		e.subject = "" // it may be another person
	}
	return e.refresh
}

// saveRefreshToken stores a refresh token in the keychain, if there is one. Memory has the token in
// any case.
func (c *Client) saveRefreshToken(ctx context.Context, call executor.Call, g Grant, e *tokenEntry, token string) {
	if token == "" || !secrets.SignIns(call.Environment.Root).Save(ctx, g.identity(call), token) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e.savedRefresh = token
}
