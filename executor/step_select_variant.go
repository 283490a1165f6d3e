package executor

import (
	"context"

	"github.com/abl-lsp/abl-lsp/tool"
)

// selectVariant selects the request of a binding that has several. The steps after it see
// only that one.
func selectVariant(ctx context.Context, r *run, next handler) (Result, error) {
	c, ok := r.runner.(VariantSelector)
	if !ok {
		return next(ctx, r)
	}
	spec, err := c.SelectVariant(ctx, r.call)
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

// gatedTool returns the tool by which the gate decides: the tool with all of its requests, or
// with the selected one if that one alone decides.
func (r *run) gatedTool() *tool.Tool {
	if t := r.call.Tool; t != nil {
		if d, ok := t.Spec.(GateDecider); ok && d.DecidesGate() {
			return t
		}
	}
	return r.req.Tool
}
