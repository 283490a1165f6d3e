package executor

import (
	"context"
	"errors"
	"fmt"

	"github.com/abl-lsp/abl-lsp/tool"
)

// checkResult compares what came with what is declared. What came is kept in
// any case.
func checkResult(ctx context.Context, r *run, next handler) (Result, error) {
	result, err := next(ctx, r)
	if err != nil || r.req.Tool.Returns == nil {
		return result, err
	}
	value, err := result.tree()
	if err != nil {
		return result, fmt.Errorf("the result of %s: %w", r.req.Tool.Name, err)
	}
	if err := check(r.req.Tool.Returns, value, ""); err != nil {
		return result, r.wrongResult(r.req.Tool.Returns, err)
	}
	return result, nil
}

// wrongResult shows a part of the value, in which a secret would no longer be
// known.
func (r *run) wrongResult(t *tool.Type, err error) error {
	if m, ok := errors.AsType[*mismatch](err); ok {
		m.got = r.redactor.Value(m.got)
	}
	e := Errorf(KindResult, "wrong-type", "the result is not of the declared type: %w", err)
	e.Details = map[string]any{"declared": t.String()}
	return e
}

// tree is the value, with json.Number for numbers; text where it is no JSON.
func (r Result) tree() (any, error) {
	switch {
	case r.Value != nil:
		return decode(r.Value)
	case r.Text != "":
		return r.Text, nil
	}
	return nil, nil
}
