package executor

import (
	"context"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// applyOutcome sets session variables in the envelope: by on_result and
// context_access.write after a success, by on_error after a failure. A run that needs an
// answer of the person has neither succeeded nor failed. An expression that fails is only a
// warning, since the run is over. No expression sees a secret.
func applyOutcome(ctx context.Context, r *run, next handler) (Result, error) {
	result, err := next(ctx, r)
	t := r.req.Tool
	if ctx.Err() != nil { // the outcome of a cancelled run is applied, too
		ctx = context.WithoutCancel(ctx)
	}
	switch {
	case t == nil:
	case err == nil:
		r.afterSuccess(ctx, t, result)
	case t.OnError != nil && asError(err).Kind != KindNeeds:
		failure, _ := exactjson.Decode[any](encode(asError(err)))
		r.applyBlock(ctx, "on_error", t.OnError, map[string]any{"error": r.redactor.Value(failure)})
	}
	return result, err
}

func (r *run) afterSuccess(ctx context.Context, t *tool.Tool, result Result) {
	if t.OnResult == nil && t.ContextAccess == nil {
		return
	}
	value, err := result.decodeValue()
	if err != nil {
		return
	}
	value = r.redactor.Value(value)
	if t.ContextAccess != nil {
		r.setFromResult(t.ContextAccess.Write, value)
	}
	if t.OnResult != nil {
		r.applyBlock(ctx, "on_result", t.OnResult, map[string]any{"result": value})
	}
}

// setFromResult sets each session variable in paths from the field of the result that has its
// path, or else the last part of its path. It leaves variables without such a field unchanged.
func (r *run) setFromResult(paths []string, result any) {
	fields, ok := result.(map[string]any)
	if !ok {
		return
	}
	for _, path := range paths {
		last := path[strings.LastIndexByte(path, '.')+1:]
		for _, p := range []string{path, last} {
			if v, ok := expression.Path(fields, p); ok {
				r.setVariable(path, v)
				break
			}
		}
	}
}

// applyBlock sets the variables of an on_result or on_error block and runs its actions.
func (r *run) applyBlock(ctx context.Context, block string, o *tool.Outcome, variables map[string]any) {
	for _, a := range o.Set {
		r.assignVariable(ctx, block, a, variables)
	}
	r.runActions(ctx, block, o.Do, variables)
}

func (r *run) assignVariable(ctx context.Context, block string, a tool.Assignment, variables map[string]any) {
	v, err := expression.Eval(ctx, a.Expr, variables)
	if err != nil {
		r.warn("%s: %s was not set: %v", block, a.Name, err)
		return
	}
	r.setVariable(a.Name, v)
}

func (r *run) setVariable(name string, v any) {
	r.envelope.Set = r.envelope.Set.With(name, encode(v))
}
