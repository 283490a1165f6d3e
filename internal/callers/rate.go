package callers

import (
	"math"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// maxCallers is the number of callers whose calls are counted. The one that has not called for the
// longest time is forgotten.
const maxCallers = 10000

// maxBurst bounds the calls that a caller may make at once.
const maxBurst = 1e6

// limiter counts the calls of each caller.
type limiter struct {
	now func() time.Time

	mu      sync.Mutex
	callers *lru.Cache[string, *rate.Limiter] // made with the first call
}

// TakeCall counts a call of a caller, who is named by any text. If the caller has made too many, wait
// is the time after which a call may be made again; else it is 0.
func (p *Policy) TakeCall(caller string) (wait time.Duration) {
	if p == nil {
		return 0
	}
	perSecond := p.rules.Load().rate
	if perSecond == 0 {
		return 0
	}
	return p.limit.take(caller, perSecond)
}

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
		one = rate.NewLimiter(rate.Limit(perSecond), int(min(maxBurst, max(1, math.Ceil(perSecond)))))
		l.callers.Add(caller, one)
	}
	r := one.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
}
