package executor

import "context"

// prepare lets the kind wait for a person, whose time is not the call's.
func prepare(ctx context.Context, r *run, next handler) (Result, error) {
	p, ok := r.runner.(Preparer)
	if !ok {
		return next(ctx, r)
	}
	subject, err := p.Prepare(ctx, r.call)
	switch {
	case err != nil && ctx.Err() != nil:
		return Result{}, ended(ctx)
	case err != nil:
		return Result{}, err
	}
	r.subject = subject
	return next(ctx, r)
}
