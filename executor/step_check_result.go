package executor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// checkResult checks the result against the declared type. The value stays in the
// envelope in any case.
func checkResult(ctx context.Context, r *run, next handler) (Result, error) {
	result, err := next(ctx, r)
	t := r.req.Tool
	if err != nil || t.Returns == nil && t.OutputSchema == nil {
		return result, err
	}
	if t.OutputSchema == nil && json.Valid(result.Value) {
		return result, r.wrongResult(t.Returns, addPath("result", checkType(t.Returns, bytes.TrimSpace(result.Value))))
	}
	value, err := result.decodeValue()
	if err != nil {
		return result, fmt.Errorf("the result of %s: %w", t.Name, err)
	}
	if err := checkValue(t.Returns, value, "result"); err != nil {
		return result, r.wrongResult(t.Returns, err)
	}
	return result, r.checkSchema("output_schema", t.InlineOutput(), r.redactor.Value(value), "result", KindResult)
}

// wrongResult returns the error of a result that is not of its type, with the start of
// the value, secrets removed. It is nil if err is nil.
func (r *run) wrongResult(t *tool.Type, err error) error {
	if err == nil {
		return nil
	}
	if m, ok := errors.AsType[*mismatch](err); ok {
		m.got = r.redactor.Value(m.got)
	}
	e := Errorf(KindResult, "wrong-type", "the result is not of the declared type: %w", err)
	e.Details = map[string]any{"declared": t.String()}
	return e
}

// decodeValue returns the value as a JSON tree with json.Number for numbers, or the
// text if the result is no JSON.
func (r Result) decodeValue() (any, error) {
	switch {
	case r.Value != nil:
		return exactjson.Decode[any](r.Value)
	case r.Text != "":
		return r.Text, nil
	}
	return nil, nil
}
