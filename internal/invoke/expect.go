package invoke

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/expression"
)

// Judge says why a result is not what a case expects; nil where it is.
func Judge(want projectfile.Expect, args json.RawMessage, e executor.Envelope) error {
	ok := want.OK == nil || *want.OK
	switch {
	case notRun(e):
		return fmt.Errorf("it was not run: %s", e.Error.Message)
	case ok && !e.OK:
		return fmt.Errorf("%s: %s", e.Error.Kind, e.Error.Message)
	case !ok && e.OK:
		return fmt.Errorf("it succeeded with %s, and was to fail", short(e.Value))
	case want.Value == "":
		return nil
	}
	return judgeValue(want.Value, args, e)
}

// notRun reports whether a call failed for what no case can expect: the tool is
// broken, or a person was to say something first.
func notRun(e executor.Envelope) bool {
	if e.Error == nil {
		return false
	}
	missingArguments := e.Needs != nil && e.Needs.Arguments != nil
	return e.Error.Kind == executor.KindDefinition || e.Error.Kind == executor.KindNeeds && !missingArguments
}

func judgeValue(condition string, args json.RawMessage, e executor.Envelope) error {
	variables := map[string]any{"duration_ms": json.Number(strconv.FormatFloat(e.DurationMS, 'f', -1, 64))}
	for name, v := range map[string]any{"value": e.Value, "result": e.Value, "set": e.Set, "error": e.Error, "args": args} {
		var err error
		if variables[name], err = tree(v); err != nil {
			return fmt.Errorf("expect.value: %s: %w", name, err)
		}
	}
	held, err := expression.Eval(condition, variables)
	switch {
	case err != nil:
		return fmt.Errorf("expect.value: %w", err)
	case held == true:
		return nil
	case held == false:
		return fmt.Errorf("%s does not hold for %s", oneLine(condition), short(e.Value))
	}
	return fmt.Errorf("expect.value is %v, which is neither true nor false", held)
}

// tree is a value as expressions see it.
func tree(v any) (any, error) {
	if raw, ok := v.(json.RawMessage); ok && len(raw) == 0 {
		return nil, nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var out any
	if err := d.Decode(&out); err != nil {
		return nil, errors.New("it is no JSON")
	}
	return out, nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// short is as much of a value as fits a line.
func short(raw json.RawMessage) string {
	const most = 200
	if len(raw) == 0 {
		return "nothing"
	}
	return executor.Shorten(oneLine(string(raw)), most)
}
