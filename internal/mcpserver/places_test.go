package mcpserver

import (
	"context"
	"errors"
	"testing"
)

// TestPlaces checks that a caller with many calls leaves places to others, and that a free place goes
// to who has the fewest.
func TestPlaces(t *testing.T) {
	p := newPlaces()
	over, end := context.WithCancel(t.Context())
	end()
	take := func(caller string) func() {
		t.Helper()
		leave, err := p.take(t.Context(), caller)
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	var leaves []func()
	for range maxRunningOfCaller {
		leaves = append(leaves, take("ann"))
	}
	if _, err := p.take(over, "ann"); !errors.Is(err, context.Canceled) {
		t.Error("ann has all places")
	}
	for range maxRunning - maxRunningOfCaller {
		leaves = append(leaves, take("bob"))
	}
	if _, err := p.take(over, ""); !errors.Is(err, context.Canceled) {
		t.Error("there is no place")
	}
	order := make(chan string, 2)
	for _, caller := range []string{"ann", "eve"} {
		queued := len(p.waiting)
		go func() {
			leave := take(caller)
			order <- caller
			leave()
		}()
		for n := queued; n == queued; { // until it waits
			p.mu.Lock()
			n = len(p.waiting)
			p.mu.Unlock()
		}
	}
	leaves[0]()
	if first, second := <-order, <-order; first != "eve" || second != "ann" {
		t.Errorf("%s, then %s", first, second)
	}
	for _, leave := range leaves[1:] {
		leave()
	}
	if p.taken != 0 || len(p.of) != 0 || len(p.waiting) != 0 {
		t.Errorf("%d are taken, by %v", p.taken, p.of)
	}
	for range maxRunning { // who is not known has no bound
		defer take("")()
	}
}
