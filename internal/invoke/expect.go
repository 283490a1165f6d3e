package invoke

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

// Failure describes how a result differs from what a case expects.
type Failure struct {
	Message          string
	Expected, Actual string    // to be shown next to each other; "" if there is nothing to compare
	Span             text.Span // of the expectation that is not met, in the file of cases
}

// FollowEdits moves the failure's span to its place in the text as it is now, which may
// have been edited while the case ran. was and now are the cases of the file then and now.
// The case is found by its name, else by its index if the number of cases is the same. If
// it is not found, FollowEdits returns false and the span does not change.
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

// counterpartSpan returns the span in a new version of a case of a part of its old version.
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

// CheckExpectation returns how a result differs from what a case expects, nil if it does not.
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
	ctx = expression.WithTime(ctx, time.Now()) // a reason sees the time of the evaluation
	met, err := evaluateCondition(ctx, want.Value, args, e)
	switch {
	case err != nil:
		return &Failure{Message: "expect.value" + err.Error(), Span: want.ValueSpan}
	case met:
		return nil
	case !e.OK:
		message := explainCondition(ctx, want.Value, args, e) + " (" + failureReason(e.Error) + ")"
		return &Failure{Message: message, Expected: want.Value, Actual: e.Error.FullMessage(), Span: want.ValueSpan}
	}
	return &Failure{
		Message:  explainCondition(ctx, want.Value, args, e),
		Expected: expectedValue(want.Value), Actual: strings.Join(showConditionValues(want.Value, e, indent.Text), "\n"), Span: want.ValueSpan,
	}
}

// failureReason says that a run failed, and why.
func failureReason(e *executor.Error) string { return e.Title() + ": " + e.Message }

// wasNotRun reports whether a call failed for a reason that no case can expect: the tool is
// broken, a person must answer something first, or a person has cancelled it.
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

// evaluateCondition evaluates a condition over a result. The text of an error continues a
// sentence that begins with the condition.
func evaluateCondition(ctx context.Context, condition string, args json.RawMessage, e executor.Envelope) (bool, error) {
	variables, err := conditionVariables(condition, args, e)
	if err != nil {
		return false, err
	}
	for name, v := range variables {
		variables[name] = expression.OwnedValue{Value: v}
	}
	outcome, err := expression.Eval(ctx, condition, variables)
	if err != nil {
		return false, fmt.Errorf(": %w", err)
	}
	is, ok := outcome.(bool)
	if !ok {
		shown, err := json.Marshal(outcome)
		if err != nil {
			shown = fmt.Append(nil, outcome)
		}
		return false, fmt.Errorf(" is %s, which is neither true nor false", shortenValue(shown))
	}
	return is, nil
}

// conditionVariables returns the variables that a condition may name, in the form that expressions
// use.
func conditionVariables(condition string, args json.RawMessage, e executor.Envelope) (map[string]any, error) {
	variables := map[string]any{"duration_ms": json.Number(duration(e))}
	for name, v := range map[string]any{"value": e.Value, "result": e.Value, "set": e.Set, "error": e.Error, "args": args} {
		if !strings.Contains(condition, name) {
			continue
		}
		value, err := expressionValue(v)
		if err != nil {
			return nil, fmt.Errorf(": %s: %w", name, err)
		}
		variables[name] = value
	}
	return variables, nil
}

// explainCondition says why a condition does not hold for a result, with the value that was
// compared.
func explainCondition(ctx context.Context, condition string, args json.RawMessage, e executor.Envelope) string {
	if variables, err := conditionVariables(condition, args, e); err == nil {
		if why := expression.Explain(ctx, condition, variables); why != "" {
			return why
		}
	}
	return fmt.Sprintf("%s does not hold for %s", oneLine(condition), strings.Join(showConditionValues(condition, e, shortenValue), ", "))
}

// showConditionValues shows the values that a condition names. It shows the result's value also
// if the condition names none.
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

// expectedValue returns the value of a condition of the form `value == …`, else the condition.
func expectedValue(condition string) string {
	literal, ok := strings.CutPrefix(strings.TrimSpace(condition), equals)
	if raw := json.RawMessage(literal); ok && json.Valid(raw) {
		return indent.Text(raw)
	}
	return condition
}

// equals is the beginning of a condition that compares the complete value.
const equals = "value == "

// expressionValue returns a value in the form that expressions use.
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

// shortenValue returns the beginning of a value, as much as fits on a line.
func shortenValue(raw []byte) string {
	const most = 200
	if len(raw) == 0 {
		return "nothing"
	}
	return executor.Shorten(oneLine(string(raw[:min(len(raw), 100*most)])), most)
}
