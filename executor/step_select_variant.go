package executor

import (
	"context"

	"github.com/abl-lsp/abl-lsp/tool"
)

// selectVariant takes the request that the call means, where the binding holds more
// than one. What follows knows of no other.
func selectVariant(ctx context.Context, r *run, next handler) (Result, error) {
	c, ok := r.runner.(Chooser)
	if !ok {
		return next(ctx, r)
	}
	spec, err := c.Choose(ctx, r.call)
	if err != nil {
		return Result{}, err
	}
	if spec != r.call.Tool.Spec {
		chosen := *r.call.Tool
		chosen.Spec = spec
		r.call.Tool = &chosen
		r.call.Mutates = r.gatedTool().MayMutate()
	}
	return next(ctx, r)
}

// gatedTool is the tool as the gate sees it: what it may do at worst, unless the chosen
// request alone decides.
func (r *run) gatedTool() *tool.Tool {
	if t := r.call.Tool; t != nil {
		if d, ok := t.Spec.(Decider); ok && d.Decides() {
			return t
		}
	}
	return r.req.Tool
}
