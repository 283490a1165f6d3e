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
	subject      string        // of the sign-in from which they stem; "": nobody has asked yet

	fetching sync.Mutex // guards what follows
	machine  clientcredentials.Config
	person   oauth2.Config
}

// maxEntries bounds how many are kept; arguments in a scope could make any number.
const maxEntries = 1000

// entry finds what is kept under all that matters: whoever brings another secret or
// assertion is somebody else.
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

// identity says whose tokens they are. A person signs in for one project.
func (g *Grant) identity(call executor.Call) string {
	root := ""
	if g.auth == user {
		root = call.Environment.Root
	}
	return digest(g.auth, root, g.issuer.value, g.tokenURL.value, g.authorizationURL.value, g.deviceURL.value,
		g.clientID.value, g.scopes.value, g.audience.value)
}

func digest(words ...string) string {
	text, _ := json.Marshal(words) // strings always encode
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// validToken is the token that is there and not about to expire; nil for none.
func (c *Client) validToken(e *tokenEntry) *oauth2.Token {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !e.token.Valid() {
		return nil
	}
	return e.token
}

// subject is that of the sign-in that counts.
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

// singleFlight make happen once what many want at the same time. One ends when the last
// of them goes.
type singleFlight struct {
	mu       sync.Mutex
	inFlight map[flightKey]*flight
}

// flightKey: what is asked for, and by whom, for another one may be allowed less.
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

// maxFetch bounds how long an endpoint has.
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
	if f.inFlight[key] == one { // whoever comes now begins anew
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
