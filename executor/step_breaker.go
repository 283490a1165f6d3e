package executor

import (
	"context"
	"fmt"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
)

// circuit is the circuit breaker of one endpoint.
type circuit struct {
	circuitbreaker.CircuitBreaker[any]
}

// maxThreshold bounds the threshold that an author may set, since a circuit remembers that many
// attempts.
const maxThreshold = 10_000

// applyBreaker refuses calls of an endpoint that failed too often in a row. After some time it
// lets one attempt through.
func applyBreaker(ctx context.Context, r *run, next handler) (Result, error) {
	b := r.pace.Breaker
	if b.Threshold <= 0 {
		return next(ctx, r)
	}
	c := getOrMake(r.executor.breakers, r.endpointKey(fmt.Sprint(b)), func() *circuit { return newCircuit(b) })
	defer r.showBreaker(c)
	if !c.TryAcquirePermit() {
		return Result{}, r.circuitOpenError(c, b)
	}
	health := healthUnknown // also if next panics
	defer func() { c.recordHealth(health) }()
	result, err := next(ctx, r)
	health = healthOf(result, err)
	return result, err
}

func newCircuit(b Breaker) *circuit {
	return &circuit{circuitbreaker.NewBuilder[any]().
		WithFailureThreshold(uint(min(b.Threshold, maxThreshold))).
		WithSuccessThreshold(1).
		WithDelay(b.Reset).
		Build()}
}

// endpointHealth says whether an attempt shows that the endpoint works, that it fails, or neither.
type endpointHealth int

const (
	healthUnknown endpointHealth = iota // it was not reached, or the caller cancelled
	healthy
	failing
)

// healthOf returns what the outcome of an attempt tells. No answer, a late answer and an error
// of the server are failures. Any other answer shows that the endpoint works.
func healthOf(result Result, err error) endpointHealth {
	if err == nil {
		return healthy
	}
	e := asError(err)
	switch {
	case e.Kind == KindNetwork, e.Kind == KindTimeout && e.Code == "timeout", e.Status >= 500:
		return failing
	case e.Status > 0, result.Status > 0:
		return healthy
	}
	return healthUnknown
}

// recordHealth records a success or a failure. It ignores an unknown health, except that of the
// one attempt that was let through: this is recorded as a failure, since otherwise no other
// attempt would follow.
func (c *circuit) recordHealth(t endpointHealth) {
	switch {
	case t == healthy:
		c.RecordSuccess()
	case t == failing || c.IsHalfOpen():
		c.RecordFailure()
	}
}

func (r *run) showBreaker(c *circuit) { r.envelope.Breaker = new(c.State().String()) }

// breakerOpen reports whether the circuit breaker would refuse another attempt.
func (r *run) breakerOpen() bool {
	return r.envelope.Breaker != nil && *r.envelope.Breaker == circuitbreaker.OpenState.String()
}

func (r *run) circuitOpenError(c *circuit, b Breaker) error {
	wait := c.RemainingDelay()
	e := Errorf(KindNetwork, "circuit-open", "%s is not called: it failed %d times in a row (circuit_breaker); it is tried again %s",
		r.endpointName(), b.Threshold, retryTime(wait))
	e.Unsent, e.Retryable = true, true
	e.Details = map[string]any{"retry_after_ms": milliseconds(wait)}
	return e
}

// endpointName returns the name of the endpoint for messages: its host, or the tool's name if
// there is no host.
func (r *run) endpointName() string {
	if r.reach.Receiver != "" {
		return r.reach.Receiver
	}
	return r.req.Tool.Name
}

func retryTime(wait time.Duration) string {
	if wait <= 0 {
		return "once the call that tries it now is over"
	}
	return fmt.Sprintf("in %v", roundWait(wait))
}
