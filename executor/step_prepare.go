package executor

import "context"

// prepare lets the kind wait for a person, whose time is not the call's.
func prepare(ctx context.Context, r *run, next handler) (Result, error) {
	if err := r.prepare(ctx); err != nil {
		return Result{}, err
	}
	if r.check != nil {
		r.check.call.Scope.Secrets = r.check.beside.kept
		if err := r.check.prepare(ctx); err != nil {
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
	subject, err := p.Prepare(ctx, r.call)
	if err != nil && ctx.Err() != nil {
		return ended(ctx)
	}
	r.subject = subject
	return err
}
