package callers_test

import (
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/state/redis"
	"github.com/abl-lsp/abl-lsp/internal/callers"
	"github.com/abl-lsp/abl-lsp/internal/redistest"
)

// TestSharedRate checks that a caller has one rate at two servers, and one at each while they cannot
// reach what they share.
func TestSharedRate(t *testing.T) {
	server := redistest.Start(t)
	var policies []*callers.Policy
	for range 2 {
		p, err := newPolicy(t, "", "rate: 0.02", time.Now)
		if err != nil {
			t.Fatal(err)
		}
		store, err := redis.Open(redis.Options{URL: server.URL(), Key: "the state key"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = store.Close() })
		p.ShareLimits(store)
		policies = append(policies, p)
	}
	one, other := policies[0], policies[1]
	if wait := one.TakeCall(t.Context(), "ann"); wait != 0 {
		t.Errorf("the first call waits %v", wait)
	}
	for _, p := range policies {
		if wait := p.TakeCall(t.Context(), "ann"); wait < 10*time.Second || wait > 50*time.Second {
			t.Errorf("the second call waits %v", wait)
		}
	}
	if wait := other.TakeCall(t.Context(), "bob"); wait != 0 {
		t.Errorf("another caller waits %v", wait)
	}
	server.Stop()
	for _, p := range policies {
		if wait := p.TakeCall(t.Context(), "ann"); wait != 0 {
			t.Errorf("a rate of its own: %v", wait)
		}
		if wait := p.TakeCall(t.Context(), "ann"); wait == 0 {
			t.Error("no rate")
		}
	}
}
