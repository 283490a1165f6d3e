package executor

import (
	"context"
	"crypto/rand"
)

// Repeatable belongs to a call that its caller may make again to get the same answer, for example
// after a lost connection. Whoever answers the repeat has to know whether the call may have had an
// effect.
type Repeatable struct {
	ID  string // names the call for later processes, see [PendingCall.Repeat]
	Key string // the idempotency key that the request of the tool carries

	// Started is called before the call is made, at most once for each run. Nothing was sent before,
	// except by sign-ins. If it returns an error, the call is not made.
	Started func(ctx context.Context) error
}

// announceStart says that the call is about to be made, once for all of its attempts.
func announceStart(ctx context.Context, r *run, next handler) (Result, error) {
	if s := r.req.Repeatable; s != nil && !r.startAnnounced {
		if err := s.Started(ctx); err != nil {
			e := Errorf(KindInternal, "state", "it cannot be kept that the call begins, so it was not made: %w", err)
			e.Unsent = true
			return Result{}, e
		}
		r.startAnnounced = true
	}
	return next(ctx, r)
}

// idempotencyKey returns the idempotency key of a call: a random one, unless the call may be repeated.
func idempotencyKey(s *Repeatable) string {
	if s == nil {
		return rand.Text()
	}
	return s.Key
}

// repeatID returns the ID of s, or "" if s is nil.
func repeatID(s *Repeatable) string {
	if s == nil {
		return ""
	}
	return s.ID
}

// IsUnsent reports whether nothing can have reached the other side in the attempt that ended with e.
func (e *Error) IsUnsent() bool { return e.Unsent || isUnsentRefusal(e) }

// identifySteps are the steps of [Executor.Identify], in order.
var identifySteps = []step{
	locateError,
	requireTrust,
	findRunner,
	bindNoArguments,
	identifyCaller,
	endIdentification,
}

// Identify verifies the tokens with which a caller would make the call req, and does nothing else. The
// arguments do not matter. It returns nil for a tool that asks for no token.
func (e *Executor) Identify(ctx context.Context, req Request) *Error {
	return e.runChain(ctx, req, chain(identifySteps)).Error
}

// bindNoArguments makes a call without arguments, of which only the caller matters.
func bindNoArguments(ctx context.Context, r *run, next handler) (Result, error) {
	guard, err := r.executor.guard(&r.req)
	if err != nil {
		return Result{}, err
	}
	r.binder = &argumentBinder{run: r, args: map[string]any{}}
	r.makeCall(guard, r.binder.args, nil)
	return next(ctx, r)
}

// endIdentification is the last step of [Executor.Identify].
func endIdentification(context.Context, *run, handler) (Result, error) { return Result{}, nil }
