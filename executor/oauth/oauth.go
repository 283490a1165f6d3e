// Package oauth obtains the tokens of tools with `auth: oauth2_client`, `oauth2_user`
// and `saml`, and verifies the identity tokens of callers.
//
// Every endpoint is asked once, through the SSRF guard and without following redirects, and its
// answer is read only up to a limit. Runs of the same client share a token and its renewal. Tokens
// are kept only in memory, and refresh tokens also in the keychain of the system. Each token is
// tracked as a secret of the run that gets it.
//
// A kind that sends tokens makes a [Grant], reports its [Grant.Reach], fills it in, and
// asks a [Client] for the token. A kind whose servers say themselves who gives tokens makes a
// [Resource] and passes their challenges on.
package oauth

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/oauth2"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/state"
)

// TokenMark replaces the token in a request that is only shown.
const TokenMark = "access token"

// Options configure a Client.
type Options struct {
	Dialer        *dial.Dialer     // owns the connections; nil: one of its own
	SignInTimeout time.Duration    // how long a person has to sign in; 0: five minutes
	Now           func() time.Time // the clock for identity tokens; nil: time.Now
	State         state.Store      // has the lock of those who renew a token; nil: other processes renew at the same time
}

// Client obtains tokens and caches them. It is safe for concurrent use.
type Client struct {
	dialer        *dial.Dialer
	state         state.Store // may be nil
	signInTimeout time.Duration
	now           func() time.Time
	flights       singleFlight
	life          context.Context // of the sign-ins; ends with Close
	end           context.CancelFunc

	mu      sync.Mutex
	entries map[string]*tokenEntry
	signIns map[string]*signIn
	issuers map[issuerKey]issuer

	introspections *lru.Cache[introspectionKey, introspection]

	protections   map[string]*protection
	registrations map[string]registration
}

// New returns a Client. The caller must call [Client.Close].
func New(o Options) *Client {
	o.Dialer = cmp.Or(o.Dialer, dial.New(dial.Options{}))
	if o.Now == nil {
		o.Now = time.Now
	}
	c := &Client{
		dialer: o.Dialer, state: o.State, signInTimeout: cmp.Or(o.SignInTimeout, 5*time.Minute), now: o.Now,
		entries: map[string]*tokenEntry{}, signIns: map[string]*signIn{}, issuers: map[issuerKey]issuer{},
		protections: map[string]*protection{}, registrations: map[string]registration{},
	}
	c.introspections, _ = lru.New[introspectionKey, introspection](maxIntrospections) // fails for no size only
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// Close cancels the sign-ins that have not ended, and leaves requests for tokens alone. Its error
// is always nil.
func (c *Client) Close() error {
	c.end()
	return nil
}

// Token is an access token.
type Token struct {
	Value  string
	Cached bool // obtained earlier: the other side may have revoked it
}

// Token returns the token of a filled-in grant: a cached one that is still valid, else a
// new one. It does not wait for a person.
func (c *Client) Token(ctx context.Context, call executor.Call, g Grant) (Token, error) {
	call.Track(g.clientSecret.from, g.clientSecret.value) // it may be in plain text
	call.Track(g.assertion.from, g.assertion.value)
	call.Track(g.assertion.from, encodeAssertion(g.assertion.value))
	e := c.entry(call, g)
	if t := c.validToken(e); t != nil {
		track(call, t)
		return Token{t.AccessToken, true}, nil
	}
	defer executor.StartPhase(ctx, executor.PhaseSignIn)()
	t, err := c.flights.do(ctx, flightKey{e.key, c.dialer.Transport(call.Guard)}, func(ctx context.Context) (*oauth2.Token, error) {
		if t := c.validToken(e); t != nil { // it came while this one waited
			return t, nil
		}
		t, err := c.fetch(ctx, call, g, e)
		if err == nil {
			err = requireBearer(g, t)
		}
		if err == nil {
			c.store(e, t)
		}
		return t, err
	})
	if err != nil {
		return Token{}, err
	}
	track(call, t)
	return Token{Value: t.AccessToken}, nil
}

// Drop removes a rejected token from the cache, unless the token has been replaced meanwhile.
func (c *Client) Drop(call executor.Call, g Grant, token string) {
	e := c.entry(call, g)
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.token != nil && e.token.AccessToken == token {
		e.token = nil
	}
}

// Prepare lets the person sign in if the grant needs that and there is neither a token nor a way
// to renew one. subject names the sign-in; each sign-in has another subject, since the next person
// may be someone else. subject is "" if the kind of auth needs no sign-in.
func (c *Client) Prepare(ctx context.Context, call executor.Call, g Grant) (subject string, err error) {
	if g.auth != user {
		return "", nil
	}
	if c.validToken(c.entry(call, g)) == nil {
		defer executor.StartPhase(ctx, executor.PhaseSignIn)()
	}
	_, err = c.Token(ctx, call, g)
	switch {
	case !errors.Is(err, errSignedOut):
	case call.Unattended:
		err = unattendedError(call)
	default:
		err = c.signIn(ctx, call, g)
	}
	if err != nil {
		return "", err
	}
	return c.subject(c.entry(call, g)), nil
}

// errSignedOut is the cause of an error that only a new sign-in can remove.
var errSignedOut = errors.New("not signed in")

func signedOutError() error {
	e := executor.Errorf(executor.KindRemote, "signed-out", "the sign-in is over: %w", errSignedOut)
	return e.WithHint("Run it again to sign in.")
}

// track marks the obtained tokens as secret.
func track(call executor.Call, t *oauth2.Token) {
	call.Track(TokenMark, t.AccessToken)
	call.Track("refresh token", t.RefreshToken)
	if id, ok := t.Extra("id_token").(string); ok {
		call.Track("id token", id)
	}
}
