package callers

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/abl-lsp/abl-lsp/executor/state"
)

// maxCallers is the number of callers whose calls are counted. The one that has not called for the
// longest time is forgotten.
const maxCallers = 10000

// maxBurst bounds the calls that a caller may make at once.
const maxBurst = 1e6

// limiter counts the calls of each caller.
type limiter struct {
	now    func() time.Time
	shared state.Limits // of all servers; nil: this one has its own

	mu      sync.Mutex
	callers *lru.Cache[string, *rate.Limiter] // made with the first call
}

// ShareLimits makes the callers' rates those of all processes that use the limits. It must be called
// before the first TakeCall.
func (p *Policy) ShareLimits(l state.Limits) { p.limit.shared = l }

// TakeCall counts a call of a caller, who is named by any text. If the caller has made too many, wait
// is the time after which a call may be made again; else it is 0.
func (p *Policy) TakeCall(ctx context.Context, caller string) (wait time.Duration) {
	if p == nil {
		return 0
	}
	perSecond := p.rules.Load().rate
	switch {
	case perSecond == 0:
		return 0
	case p.limit.shared == nil:
		return p.limit.take(caller, perSecond)
	}
	key := fmt.Sprintf("calls %v %s", perSecond, caller) // another rate begins anew
	turn := p.limit.shared.Reserve(ctx, key, state.Rate{PerSecond: perSecond, Burst: burstOf(perSecond)}, 0)
	if turn.Taken {
		return 0
	}
	return max(turn.Wait, 1)
}

// burstOf returns how many calls a caller may make at once: those of one second.
func burstOf(perSecond float64) int { return int(min(maxBurst, max(1, math.Ceil(perSecond)))) }

// take takes a call from the share of a caller. Within one second a caller may make the calls of one
// second at once.
func (l *limiter) take(caller string, perSecond float64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.callers == nil {
		l.callers, _ = lru.New[string, *rate.Limiter](maxCallers) // fails for no size only
	}
	now := l.now()
	one, known := l.callers.Get(caller)
	if !known || one.Limit() != rate.Limit(perSecond) {
		one = rate.NewLimiter(rate.Limit(perSecond), burstOf(perSecond))
		l.callers.Add(caller, one)
	}
	r := one.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
}
