package state

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// maxLimits is the number of keys whose rates, and of those whose circuits, are remembered. The
// least recently used ones are forgotten.
const maxLimits = 1024

// maxThreshold bounds the threshold that an author may set, since a circuit remembers that many
// attempts.
const maxThreshold = 10_000

// LocalLimits are the limits of this process alone.
type LocalLimits struct {
	limiters *lru.Cache[string, *rate.Limiter]
	circuits *lru.Cache[string, circuitbreaker.CircuitBreaker[any]]
}

// NewLocalLimits returns limits that nothing has used yet.
func NewLocalLimits() *LocalLimits {
	limiters, _ := lru.New[string, *rate.Limiter](maxLimits) // fails only for a size below 1
	circuits, _ := lru.New[string, circuitbreaker.CircuitBreaker[any]](maxLimits)
	return &LocalLimits{limiters, circuits}
}

// getOrMake returns the value of a key in c. If c has none, it adds the one that fresh makes.
func getOrMake[V any](c *lru.Cache[string, V], key string, fresh func() V) V {
	if v, ok := c.Get(key); ok {
		return v
	}
	v := fresh()
	if earlier, ok, _ := c.PeekOrAdd(key, v); ok {
		return earlier
	}
	return v
}

// Reserve implements [Limits].
func (l *LocalLimits) Reserve(_ context.Context, key string, r Rate, longest time.Duration) Turn {
	limiter := getOrMake(l.limiters, key, func() *rate.Limiter { return rate.NewLimiter(rate.Limit(r.PerSecond), max(r.Burst, 1)) })
	now := time.Now()
	turn := limiter.ReserveN(now, 1)
	wait := turn.DelayFrom(now)
	if wait > longest {
		turn.CancelAt(now)
		return Turn{Wait: wait}
	}
	return NewTurn(wait, turn.Cancel)
}

// Acquire implements [Limits].
func (l *LocalLimits) Acquire(_ context.Context, key string, b Breaker) (now Circuit, ok bool) {
	c := l.circuit(key, b)
	ok = c.TryAcquirePermit()
	return circuitOf(c), ok
}

// Record implements [Limits].
func (l *LocalLimits) Record(_ context.Context, key string, b Breaker, failed bool) Circuit {
	c := l.circuit(key, b)
	if failed {
		c.RecordFailure()
	} else {
		c.RecordSuccess()
	}
	return circuitOf(c)
}

func (l *LocalLimits) circuit(key string, b Breaker) circuitbreaker.CircuitBreaker[any] {
	return getOrMake(l.circuits, key, func() circuitbreaker.CircuitBreaker[any] {
		return circuitbreaker.NewBuilder[any]().
			WithFailureThreshold(uint(b.Failures())).
			WithSuccessThreshold(1).
			WithDelay(b.Reset).
			Build()
	})
}

func circuitOf(c circuitbreaker.CircuitBreaker[any]) Circuit {
	s := CircuitState(c.State().String())
	if s != Open {
		return Circuit{State: s}
	}
	return Circuit{s, c.RemainingDelay()}
}

// Failures returns the number of failures in a row that open the circuit: Threshold, within bounds.
func (b Breaker) Failures() int { return min(cmp.Or(max(b.Threshold, 0), 1), maxThreshold) }

// String describes the breaker, for keys.
func (b Breaker) String() string { return fmt.Sprintf("%d in a row, %v", b.Threshold, b.Reset) }
