package executor

import "context"

// binding finds what runs the tool, and makes sure that something does.
func binding(ctx context.Context, r *run, next handler) (Result, error) {
	t := r.req.Tool
	switch {
	case t == nil:
		return Result{}, Errorf(KindDefinition, "no-tool", "there is no tool to run")
	case t.Kind == "" || t.Spec == nil:
		return Result{}, Errorf(KindDefinition, "no-binding", "%s has no binding, so nothing says how to run it", t.Name).
			WithHint("Give it a type, for example `type: http` with `endpoint` and `method`.")
	}
	r.runner = r.executor.opts.Runners[t.Kind]
	if r.runner == nil {
		return Result{}, Errorf(KindDefinition, "kind-not-supported",
			"type: %s cannot be run by this version; %s is checked and shown, but not run", t.Kind, t.Name)
	}
	return next(ctx, r)
}
