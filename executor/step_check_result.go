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

// checkResult checks the result against the declared type. The envelope has the value even if
// it is wrong.
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

// wrongResult returns the error for a result of the wrong type. Its message shows the start of
// the value, without secrets. It is nil if err is nil.
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

// decodeValue returns the value as decoded JSON with json.Number for numbers, or the text if
// the result is not JSON. It is nil if the result is empty.
func (r Result) decodeValue() (any, error) {
	switch {
	case r.Value != nil:
		return exactjson.Decode[any](r.Value)
	case r.Text != "":
		return r.Text, nil
	}
	return nil, nil
}
