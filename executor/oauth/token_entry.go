package oauth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/abl-lsp/abl-lsp/executor"
)

// tokenEntry holds the tokens of one grant. The mutex of its client guards token,
// refresh, savedRefresh and subject.
type tokenEntry struct {
	key          string
	token        *oauth2.Token // nil: none
	refresh      string        // the last refresh token; "": none, or only in the keychain
	savedRefresh string        // the refresh token that the keychain has, as far as this process knows
	subject      string        // the name of their sign-in; "": not chosen yet

	fetching sync.Mutex // guards what follows
	config   clientcredentials.Config
}

// maxEntries bounds the number of entries. Arguments in a scope could make any number of them.
const maxEntries = 1000

// entry returns the entry for a grant and adds one if there is none. A grant with another secret or
// assertion has another entry, since it belongs to someone else.
func (c *Client) entry(call executor.Call, g Grant) *tokenEntry {
	key := digest(g.identity(call), g.clientSecret.value, g.assertion.value)
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		if len(c.entries) >= maxEntries {
			clear(c.entries)
		}
		e = &tokenEntry{key: key}
		c.entries[key] = e
	}
	return e
}

// identity returns a digest that names the owner of the tokens. The sign-in of a person belongs to
// one project.
func (g *Grant) identity(call executor.Call) string {
	root := ""
	if g.auth == user {
		root = call.Environment.Root
	}
	words := []string{g.auth, root, g.issuer.value, g.tokenURL.value, g.authorizationURL.value, g.deviceURL.value,
		g.clientID.value, g.scopes.value, g.audience.value}
	if g.resource != nil {
		words = append(words, g.resource.uri)
	}
	return digest(words...)
}

func digest(words ...string) string {
	text, _ := json.Marshal(words) // strings always encode
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// validToken returns the entry's token. It is nil if there is none or it is about to expire.
func (c *Client) validToken(e *tokenEntry) *oauth2.Token {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !e.token.Valid() {
		return nil
	}
	return e.token
}

// subject returns the random name of the entry's current sign-in.
func (c *Client) subject(e *tokenEntry) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.subject == "" {
		e.subject = rand.Text()
	}
	return e.subject
}

func (c *Client) store(e *tokenEntry, t *oauth2.Token) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.token, e.refresh = t, t.RefreshToken
}

// singleFlight makes several calls with the same key share one fetch. The fetch is cancelled when
// the last waiting call leaves.
type singleFlight struct {
	mu       sync.Mutex
	inFlight map[flightKey]*flight
}

// flightKey names a fetch. The transport is part of it, since another caller may be allowed to
// reach fewer hosts.
type flightKey struct {
	key       string
	transport http.RoundTripper
}

type flight struct {
	done    chan struct{}
	token   *oauth2.Token
	err     error
	waiting int
	cancel  context.CancelFunc
}

// maxFetch bounds how long a request to an endpoint may take.
const maxFetch = 30 * time.Second

func (f *singleFlight) do(ctx context.Context, key flightKey, fetch func(context.Context) (*oauth2.Token, error)) (*oauth2.Token, error) {
	one := f.join(ctx, key, fetch)
	select {
	case <-one.done:
		return one.token, one.err
	case <-ctx.Done():
		f.leave(key, one)
		return nil, context.Cause(ctx)
	}
}

func (f *singleFlight) join(ctx context.Context, key flightKey, fetch func(context.Context) (*oauth2.Token, error)) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	if one := f.inFlight[key]; one != nil {
		one.waiting++
		return one
	}
	if f.inFlight == nil {
		f.inFlight = map[flightKey]*flight{}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxFetch)
	one := &flight{done: make(chan struct{}), waiting: 1, cancel: cancel}
	f.inFlight[key] = one
	go func() {
		defer cancel()
		defer close(one.done)
		defer f.finishFlight(key, one)
		defer func() {
			if v := recover(); v != nil {
				one.err = fmt.Errorf("panic: %v", v)
			}
		}()
		one.token, one.err = fetch(ctx)
	}()
	return one
}

func (f *singleFlight) leave(key flightKey, one *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if one.waiting--; one.waiting > 0 {
		return
	}
	one.cancel()
	if f.inFlight[key] == one { // a later call starts a new fetch
		delete(f.inFlight, key)
	}
}

func (f *singleFlight) finishFlight(key flightKey, one *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.inFlight[key] == one {
		delete(f.inFlight, key)
	}
}
