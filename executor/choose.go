package executor

import "context"

// choose takes the request that the call means, where the binding holds more
// than one. What follows knows of no other.
func choose(ctx context.Context, r *run, next handler) (Result, error) {
	c, ok := r.runner.(Chooser)
	if !ok {
		return next(ctx, r)
	}
	spec, err := c.Choose(r.call)
	if err != nil {
		return Result{}, err
	}
	if spec != r.call.Tool.Spec {
		chosen := *r.call.Tool
		chosen.Spec = spec
		r.call.Tool = &chosen
	}
	return next(ctx, r)
}
