package mcpserver

import (
	"context"
	"slices"
	"sync"
)

// places bounds the calls of tasks that work on this machine at once, and shares that among callers: a
// known caller never has all of the places, and a place that becomes free goes to who has the fewest.
// It is safe for concurrent use.
type places struct {
	mu      sync.Mutex
	taken   int
	of      map[string]int // those of each caller
	waiting []*placeWaiter // in the order in which they came
}

type placeWaiter struct {
	caller string
	ready  chan struct{} // closed when the place is taken
}

func newPlaces() *places { return &places{of: map[string]int{}} }

// take waits until there is a place for a call of a caller, who is "" if that is not known.
// The caller of take must call leave after the call.
func (p *places) take(ctx context.Context, caller string) (leave func(), err error) {
	w := &placeWaiter{caller, make(chan struct{})}
	p.mu.Lock()
	p.waiting = append(p.waiting, w)
	p.share()
	p.mu.Unlock()
	select {
	case <-w.ready:
		return func() { p.leave(caller) }, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	i := slices.Index(p.waiting, w)
	if i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
	}
	p.mu.Unlock()
	if i < 0 { // it has just been given
		p.leave(caller)
	}
	return nil, ctx.Err()
}

func (p *places) leave(caller string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	if p.of[caller]--; p.of[caller] == 0 {
		delete(p.of, caller)
	}
	p.share()
}

// share gives the free places to those who wait. The caller holds the lock.
func (p *places) share() {
	for p.taken < maxRunning {
		next := -1
		for i, w := range p.waiting {
			mayHave := w.caller == "" || p.of[w.caller] < maxRunningOfCaller
			if mayHave && (next < 0 || p.of[w.caller] < p.of[p.waiting[next].caller]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		w := p.waiting[next]
		p.waiting = slices.Delete(p.waiting, next, next+1)
		p.taken++
		p.of[w.caller]++
		close(w.ready)
	}
}
