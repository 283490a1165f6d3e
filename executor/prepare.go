package executor

import "context"

// prepare lets the kind wait for a person, whose time is not the call's.
func prepare(ctx context.Context, r *run, next handler) (Result, error) {
	p, ok := r.runner.(Preparer)
	if !ok {
		return next(ctx, r)
	}
	if err := p.Prepare(ctx, r.call); err != nil {
		if ctx.Err() != nil {
			return Result{}, ended(ctx)
		}
		return Result{}, err
	}
	return next(ctx, r)
}
