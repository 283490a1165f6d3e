package invoke

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

// Failure says what about a result is not as a case expects it.
type Failure struct {
	Message          string
	Expected, Actual string    // to be set side by side; "" where there is nothing to compare
	Span             text.Span // in the file of cases, of what does not hold
}

// FollowEdits takes the place that a failure of a case has in the text as it is now: it may
// have been typed on while the case ran. It is the case of that name, else the one at
// its place among as many; where there is neither, the place stays.
func (f *Failure) FollowEdits(saved projectfile.Case, was, now []projectfile.Case) bool {
	same := func(c projectfile.Case) bool { return c.Tool == saved.Tool && c.Name == saved.Name }
	i := slices.IndexFunc(now, same)
	if i < 0 && len(now) == len(was) {
		i = slices.IndexFunc(was, same)
	}
	if i < 0 || now[i].Tool != saved.Tool {
		return false
	}
	f.Span = counterpartSpan(f.Span, saved, now[i])
	return true
}

// counterpartSpan is the part of one case that is what a part of another is.
func counterpartSpan(of text.Span, was, is projectfile.Case) text.Span {
	switch of {
	case was.Expect.ValueSpan:
		return is.Expect.ValueSpan
	case was.Expect.OKSpan:
		return is.Expect.OKSpan
	case was.Expect.Span:
		return is.Expect.Span
	}
	return is.Span
}

// CheckExpectation says why a result is not what a case expects; nil where it is.
func CheckExpectation(ctx context.Context, want projectfile.Expect, args json.RawMessage, e executor.Envelope) *Failure {
	ok := want.OK == nil || *want.OK
	switch {
	case wasNotRun(e):
		return &Failure{Message: "it was not run: " + e.Error.Message, Span: want.Span}
	case ok && !e.OK:
		return &Failure{Message: failureReason(e.Error), Expected: "it succeeds", Actual: e.Error.FullMessage(), Span: want.OKSpan}
	case !ok && e.OK:
		return &Failure{
			Message:  fmt.Sprintf("it succeeded with %s, and was to fail", shortenValue(e.Value)),
			Expected: "it fails", Actual: indent.Text(e.Value), Span: want.OKSpan,
		}
	case want.Value == "":
		return nil
	}
	held, err := evaluateCondition(ctx, want.Value, args, e)
	switch {
	case err != nil:
		return &Failure{Message: "expect.value" + err.Error(), Span: want.ValueSpan}
	case held:
		return nil
	case !e.OK:
		message := fmt.Sprintf("%s does not hold for %s", oneLine(want.Value), failureReason(e.Error))
		return &Failure{Message: message, Expected: want.Value, Actual: e.Error.FullMessage(), Span: want.ValueSpan}
	}
	return &Failure{
		Message:  fmt.Sprintf("%s does not hold for %s", oneLine(want.Value), strings.Join(showConditionValues(want.Value, e, shortenValue), ", ")),
		Expected: expectedValue(want.Value), Actual: strings.Join(showConditionValues(want.Value, e, indent.Text), "\n"), Span: want.ValueSpan,
	}
}

func failureReason(e *executor.Error) string { return fmt.Sprintf("%s: %s", e.Kind, e.Message) }

// wasNotRun reports whether a call failed for what no case can expect: the tool is broken, a
// person was to say something first, or has stopped it.
func wasNotRun(e executor.Envelope) bool {
	if e.Error == nil {
		return false
	}
	missingArguments := e.Needs != nil && e.Needs.Arguments != nil
	switch e.Error.Kind {
	case executor.KindDefinition:
		return true
	case executor.KindNeeds:
		return !missingArguments
	case executor.KindDenied:
		return e.Error.Code == string(dial.Private)
	case executor.KindTimeout:
		return e.Error.Code == executor.CodeCancelled
	}
	return false
}

// evaluateCondition evaluates a condition over a result. An error goes on where the name of the
// condition ends.
func evaluateCondition(ctx context.Context, condition string, args json.RawMessage, e executor.Envelope) (bool, error) {
	variables := map[string]any{"duration_ms": json.Number(duration(e))}
	for name, v := range map[string]any{"value": e.Value, "result": e.Value, "set": e.Set, "error": e.Error, "args": args} {
		if !strings.Contains(condition, name) {
			continue
		}
		value, err := expressionValue(v)
		if err != nil {
			return false, fmt.Errorf(": %s: %w", name, err)
		}
		variables[name] = expression.OwnedValue{Value: value}
	}
	held, err := expression.Eval(ctx, condition, variables)
	if err != nil {
		return false, fmt.Errorf(": %w", err)
	}
	is, ok := held.(bool)
	if !ok {
		shown, err := json.Marshal(held)
		if err != nil {
			shown = fmt.Append(nil, held)
		}
		return false, fmt.Errorf(" is %s, which is neither true nor false", shortenValue(shown))
	}
	return is, nil
}

// showConditionValues shows what a condition is about: the value, unless it names others only.
func showConditionValues(condition string, e executor.Envelope, show func([]byte) string) (shown []string) {
	names := map[string]bool{}
	for _, m := range resultNames.FindAllStringSubmatch(stringLiterals.ReplaceAllString(condition, `""`), -1) {
		names[m[1]] = true
	}
	others := names["duration_ms"] || names["set"]
	if names["value"] || names["result"] || !others {
		shown = append(shown, show(e.Value))
	}
	if names["set"] {
		set, _ := json.Marshal(e.Set) // as in the result
		shown = append(shown, "set "+show(set))
	}
	if names["duration_ms"] {
		shown = append(shown, "duration_ms "+duration(e))
	}
	return shown
}

func duration(e executor.Envelope) string { return strconv.FormatFloat(e.DurationMS, 'f', -1, 64) }

var (
	stringLiterals = lazyregexp.New(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`)
	resultNames    = lazyregexp.New(`(?:^|[^.\w])(value|result|set|duration_ms)\b`)
)

// expectedValue is what a condition wants a value to be, where it says just that; else the
// condition.
func expectedValue(condition string) string {
	literal, ok := strings.CutPrefix(strings.TrimSpace(condition), equals)
	if raw := json.RawMessage(literal); ok && json.Valid(raw) {
		return indent.Text(raw)
	}
	return condition
}

// equals is how a condition begins that is a whole value.
const equals = "value == "

// expressionValue is a value as expressions see it.
func expressionValue(v any) (any, error) {
	raw, ok := v.(json.RawMessage)
	if ok && len(raw) == 0 {
		return nil, nil
	}
	if !ok {
		var err error
		if raw, err = json.Marshal(v); err != nil {
			return nil, err
		}
	}
	out, err := exactjson.Decode[any](raw)
	if err != nil {
		return nil, errors.New("it is no JSON")
	}
	return out, nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// shortenValue is as much of a value as fits a line.
func shortenValue(raw []byte) string {
	const most = 200
	if len(raw) == 0 {
		return "nothing"
	}
	return executor.Shorten(oneLine(string(raw[:min(len(raw), 100*most)])), most)
}
