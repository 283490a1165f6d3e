package executor

import (
	"context"

	"github.com/abl-lsp/abl-lsp/tool"
)

// selectVariant selects one request of a binding that has several. Later steps see only that
// request.
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

// gatedTool returns the tool by which the gate decides. It has only the selected request if that
// request decides (see [GateDecider]); otherwise it has all requests.
func (r *run) gatedTool() *tool.Tool {
	if t := r.call.Tool; t != nil {
		if d, ok := t.Spec.(GateDecider); ok && d.DecidesGate() {
			return t
		}
	}
	return r.req.Tool
}
