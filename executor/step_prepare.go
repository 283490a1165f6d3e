package executor

import (
	"context"
	"errors"
)

// ErrUnprepared is a cause of the error of a call that the other side did not begin, because it
// wants something that [Preparer.Prepare] obtains, such as another token. The call is then prepared
// and made again.
var ErrUnprepared = errors.New("the other side wants something that must be obtained first")

// maxPreparations bounds how often one call is prepared: a sign-in, one at another service, and two
// with further scopes.
const maxPreparations = 4

// prepareRunner lets the Runner wait for a person. The time limit of the call has not begun yet. It
// prepares the call again if only the call shows what is missing.
func prepareRunner(ctx context.Context, r *run, next handler) (Result, error) {
	for i := 1; ; i++ {
		if err := r.prepareWithVerification(ctx); err != nil {
			return Result{}, err
		}
		result, err := next(ctx, r)
		if i == maxPreparations || !errors.Is(err, ErrUnprepared) {
			return result, err
		}
		r.forgetLastAttempt()
	}
}

// forgetLastAttempt removes an attempt that did not make the call.
func (r *run) forgetLastAttempt() {
	if n := len(r.envelope.Attempts); n > 0 {
		r.envelope.Attempts = r.envelope.Attempts[:n-1]
	}
}

func (r *run) prepareWithVerification(ctx context.Context) error {
	if err := r.prepare(ctx); err != nil || r.verification == nil {
		return err
	}
	r.verification.call.Scope.Secrets = r.verification.stepContext.foundSecrets
	return r.verification.prepare(ctx)
}

func (r *run) prepare(ctx context.Context) error {
	p, ok := r.runner.(Preparer)
	if !ok {
		return nil
	}
	subject, err := p.Prepare(r.withPhases(ctx), r.call)
	if err != nil && ctx.Err() != nil {
		return contextError(ctx)
	}
	r.signInSubject = subject
	return err
}
