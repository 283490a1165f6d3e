package webhook

import (
	"context"
	nethttp "net/http"
	"strings"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/state"
)

// Endpoint gets the callbacks at the address of a server of this program, in place of listeners on
// loopback. Each callback has a path of its own, which cannot be guessed and works once. Processes
// with the same store are one: each of them takes the callbacks of all, so that a proxy may lead a
// callback to any of them. It is safe for concurrent use.
type Endpoint struct {
	shared sharedCallbacks
	path   string // of the server, before the token

	mu      sync.Mutex
	address string             // of the server, a URL without a path
	waiters map[string]*waiter // of this process, by token
}

// NewEndpoint returns an Endpoint whose processes share a store. Its server calls ServeHTTP for what
// comes below path, which ends with a slash.
func NewEndpoint(store state.Store, path string) *Endpoint {
	return &Endpoint{shared: sharedCallbacks{store: store}, path: path, waiters: map[string]*waiter{}}
}

// SetAddress says at which URL, without a path, the server is reached that calls ServeHTTP. It is
// where callbacks come if the project names no other address.
func (p *Endpoint) SetAddress(url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.address = url
}

// url returns the URL of a callback. base is the beginning that the project sets; "": none.
func (p *Endpoint) url(base, token string) string {
	if base == "" {
		p.mu.Lock()
		base = p.address
		p.mu.Unlock()
	}
	return strings.TrimRight(base, "/") + p.path + token
}

// addWaiter returns a waiter for a callback. The caller must pass it to removeWaiter.
func (p *Endpoint) addWaiter(token string, max int64) *waiter {
	v := newWaiter(token, max)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiters[token] = v
	return v
}

func (p *Endpoint) removeWaiter(v *waiter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(v.done)
	delete(p.waiters, v.token)
}

func (p *Endpoint) findWaiter(token string) *waiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiters[token]
}

// ServeHTTP implements [nethttp.Handler]. The last part of the path is the token.
func (p *Endpoint) ServeHTTP(w nethttp.ResponseWriter, r *nethttp.Request) {
	token := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	run, e, ok, err := p.shared.find(r.Context(), token)
	switch {
	case err != nil:
		writeUnavailable(w)
	case !ok || time.Now().After(e.Ends.Add(clockSkew)):
		nethttp.NotFound(w, r)
	default:
		answerPost(w, r, func(w nethttp.ResponseWriter) { p.acceptCallback(w, r, run, e) })
	}
}

// writeUnavailable asks the sender to post the result again, since it cannot be stored.
func writeUnavailable(w nethttp.ResponseWriter) {
	w.Header().Set("Retry-After", "1")
	nethttp.Error(w, "the result cannot be taken at the moment; post it again", nethttp.StatusServiceUnavailable)
}

// acceptCallback stores the first complete callback of a run, for whichever process waits for it.
func (p *Endpoint) acceptCallback(w nethttp.ResponseWriter, r *nethttp.Request, run string, e entry) {
	if _, came, err := p.shared.get(r.Context(), run); came || err != nil {
		p.refuse(w, err)
		return
	}
	v := p.findWaiter(e.Token)
	isHere := v != nil
	if !isHere {
		v = newWaiter(e.Token, e.Max) // no run of this process waits
	}
	c, ok := v.readCallback(w, r)
	if !ok {
		return
	}
	stored := c
	if isHere && e.Unkept {
		stored = callback{IsElsewhere: true}
	}
	if isFirst, err := p.shared.put(r.Context(), run, e, stored); !isFirst || err != nil {
		p.refuse(w, err)
		return
	}
	c.thank(w)
	v.deliver(c)
}

// refuse refuses a callback: it has come already, or cannot be stored because of err.
func (p *Endpoint) refuse(w nethttp.ResponseWriter, err error) {
	if err != nil {
		writeUnavailable(w)
		return
	}
	writeGone(w)
}

// The pauses between two looks at the store for a callback that another process has taken: they grow
// from the first to the longest.
const (
	firstPause   = 50 * time.Millisecond
	longestPause = time.Second
)

// watch passes a callback on to the waiter of a run that another process has taken, until ctx ends.
// While the store cannot be read, it tries again.
func (c *sharedCallbacks) watch(ctx context.Context, run string, v *waiter) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		if c.pass(ctx, run, v) {
			return
		}
		timer.Reset(pause)
	}
}

// pass passes a callback on to the waiter of a run, if another process has taken it.
func (c *sharedCallbacks) pass(ctx context.Context, run string, v *waiter) (passed bool) {
	posted, ok, err := c.get(ctx, run)
	if !ok || err != nil || posted.IsElsewhere {
		return false
	}
	v.deliver(posted)
	return true
}
