package executor

import "context"

// prepareRunner lets the Runner wait for a person. The time limit of the call has not begun yet.
func prepareRunner(ctx context.Context, r *run, next handler) (Result, error) {
	if err := r.prepare(ctx); err != nil {
		return Result{}, err
	}
	if r.verification != nil {
		r.verification.call.Scope.Secrets = r.verification.stepContext.foundSecrets
		if err := r.verification.prepare(ctx); err != nil {
			return Result{}, err
		}
	}
	return next(ctx, r)
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
