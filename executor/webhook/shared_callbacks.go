package webhook

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/state"
)

// The buckets of callbacks that come to an [Endpoint], besides that of the expected callbacks.
const (
	callbackRuns   = "callback-runs"    // the ids of runs, by the token of the path
	callbackResult = "callback-results" // what was posted, by the id of the run
	callbackClaims = "callback-claims"  // the process that has taken over the callback of an ended one, by the id of the run
)

// sharedCallbacks are the expected callbacks that any process may get, since all of them use one
// store. It is safe for concurrent use.
type sharedCallbacks struct {
	store state.Store

	mu      sync.Mutex
	process string // the name of this process, once it expects a callback
	leave   func() // ends its presence; nil if it has no name
}

// clockSkew is by how much the clocks of the processes may differ: so much longer than its time a
// callback is taken and waited for by a process that did not request it.
const clockSkew = time.Minute

// keptAfter is how long what belongs to a callback is kept after its time, unless it is forgotten.
const keptAfter = time.Hour

// life returns how long the store keeps what belongs to a callback.
func (e entry) life() time.Duration { return time.Until(e.Ends) + keptAfter }

// processName returns the name by which other processes know whether this one is alive.
func (c *sharedCallbacks) processName(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.process != "" {
		return c.process, nil
	}
	name := rand.Text()
	leave, err := c.store.Announce(ctx, name)
	if err != nil {
		return "", err
	}
	c.process, c.leave = name, leave
	return name, nil
}

// close ends the presence of this process.
func (c *sharedCallbacks) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.leave != nil {
		c.leave()
		c.process, c.leave = "", nil
	}
}

// expect stores where the callback of a run comes, so that every process can take it.
func (c *sharedCallbacks) expect(ctx context.Context, run string, e entry) (err error) {
	if e.Process, err = c.processName(ctx); err != nil {
		return err
	}
	life := e.life()
	return errors.Join(c.store.Put(ctx, callbacks, run, e, life), c.store.Put(ctx, callbackRuns, e.Token, run, life))
}

// find returns the expected callback with a token. ok is false if none is expected.
func (c *sharedCallbacks) find(ctx context.Context, token string) (run string, e entry, ok bool, err error) {
	if ok, err = c.store.Get(ctx, callbackRuns, token, &run); !ok || err != nil {
		return run, e, false, err
	}
	ok, err = c.store.Get(ctx, callbacks, run, &e)
	return run, e, ok, err
}

// put stores what was posted for a run. isFirst is false if something was posted before.
func (c *sharedCallbacks) put(ctx context.Context, run string, e entry, posted callback) (isFirst bool, err error) {
	raw, err := json.Marshal(posted)
	if err != nil {
		return false, err
	}
	return c.store.CompareAndSwap(ctx, callbackResult, run, "", string(raw), e.life())
}

// get returns what was posted for a run. ok is false if nothing was.
func (c *sharedCallbacks) get(ctx context.Context, run string) (posted callback, ok bool, err error) {
	var raw string
	if ok, err = c.store.Get(ctx, callbackResult, run, &raw); !ok || err != nil {
		return posted, false, err
	}
	return posted, true, json.Unmarshal([]byte(raw), &posted)
}

// takeOver makes this process the one that waits for a callback. ok is false if a living process
// waits for it.
func (c *sharedCallbacks) takeOver(ctx context.Context, run string, e entry) (ok bool, err error) {
	var claimant string
	if _, err := c.store.Get(ctx, callbackClaims, run, &claimant); err != nil {
		return false, err
	}
	for _, owner := range []string{e.Process, claimant} {
		if owner == "" {
			continue
		}
		if alive, err := c.store.IsPresent(ctx, owner); alive || err != nil {
			return false, err
		}
	}
	process, err := c.processName(ctx)
	if err != nil {
		return false, err
	}
	return c.store.CompareAndSwap(ctx, callbackClaims, run, claimant, process, e.life())
}

// forget removes everything of a run.
func (c *sharedCallbacks) forget(ctx context.Context, run, token string) error {
	return errors.Join(
		c.store.Delete(ctx, callbackRuns, token), c.store.Delete(ctx, callbacks, run),
		c.store.Delete(ctx, callbackResult, run), c.store.Delete(ctx, callbackClaims, run),
	)
}
