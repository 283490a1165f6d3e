package executor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/state"
)

// applyBreaker refuses calls of an endpoint that failed too often in a row. After some time it
// lets one attempt through.
func applyBreaker(ctx context.Context, r *run, next handler) (Result, error) {
	b := r.pace.Breaker
	if b.Threshold <= 0 {
		return next(ctx, r)
	}
	limits, key, breaker := r.executor.state, r.endpointKey(fmt.Sprint(b)), state.Breaker(b)
	now, ok := limits.Acquire(ctx, key, breaker)
	defer func() { r.envelope.Breaker = new(string(now.State)) }()
	if !ok {
		return Result{}, r.circuitOpenError(now, b)
	}
	onTrial := now.State == state.HalfOpen
	health := healthUnknown // also if next panics
	defer func() {
		// The outcome of the one attempt on trial counts in any case, since no other attempt follows
		// before.
		if health != healthUnknown || onTrial {
			now = limits.Record(context.WithoutCancel(ctx), key, breaker, health != healthy)
		}
	}()
	result, err := next(ctx, r)
	health = healthOf(result, err)
	return result, err
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
	case errors.Is(err, state.ErrUnavailable): // says nothing about the endpoint
		return healthUnknown
	case e.Kind == KindNetwork, e.Kind == KindTimeout && e.Code == "timeout", e.Status >= 500:
		return failing
	case e.Status > 0, result.Status > 0:
		return healthy
	}
	return healthUnknown
}

// breakerOpen reports whether the circuit breaker would refuse another attempt.
func (r *run) breakerOpen() bool {
	return r.envelope.Breaker != nil && *r.envelope.Breaker == string(state.Open)
}

func (r *run) circuitOpenError(now state.Circuit, b Breaker) error {
	wait := now.Wait
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
