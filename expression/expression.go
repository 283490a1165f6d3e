// Package expression evaluates the expressions of tools, saved cases and requests.
//
// Its syntax is that of expr-lang, with the operators and functions of the language added. A path
// that only picks out a value (result.items[0].price) keeps every digit, and an integer is never
// rounded; what is computed is an int64 or a float64. Every evaluation ends: an expression that
// makes more text than its budget allows, or that takes too long, is an error.
package expression

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// maxSource is the most bytes that an expression may have.
const maxSource = 16 << 10

// pathForm matches an expression that only picks a value out of a variable.
var pathForm = lazyregexp.New(`^([A-Za-z_]\w*)(\.\w+|\[\d+\])*$`)

// OwnedValue marks a variable that nothing uses after the evaluation. Eval may change it in place,
// which saves a copy of a large value.
type OwnedValue struct{ Value any }

// Eval evaluates an expression over variables, which are JSON trees with json.Number for numbers. A
// path that leads nowhere is nil. Loops end when ctx ends.
func Eval(ctx context.Context, source string, variables map[string]any) (any, error) {
	v, err := evalAny(ctx, source, variables)
	if err != nil {
		return nil, err
	}
	return v, checkFinite(v)
}

// evalAny is [Eval] for values that may have numbers that JSON cannot hold: infinities and NaN.
func evalAny(ctx context.Context, source string, variables map[string]any) (any, error) {
	source = strings.TrimSpace(source)
	if pathForm.MatchString(source) {
		if v, ok := Path(unwrapOwned(variables), source); ok {
			return v, nil
		}
	}
	if err := checkLength(source); err != nil {
		return nil, err
	}
	env := map[string]any{"null": nil, "undefined": nil}
	for name, v := range variables {
		if strings.Contains(source, name) { // all others cost nothing
			env[name] = toNative(v)
		}
	}
	program, err := compile(ctx, source, expr.Env(env))
	if err != nil {
		return nil, plainError(err)
	}
	v, err := expr.Run(program, env)
	if err != nil {
		return nil, plainError(err)
	}
	if remainingWeight(v, maxWeight) < 0 {
		return nil, errWeight
	}
	return v, nil
}

func compile(ctx context.Context, source string, variables expr.Option) (*vm.Program, error) {
	options := append([]expr.Option{variables, expr.Patch(patcher{})}, newBudget(ctx).exprOptions()...)
	return expr.Compile(rewriteOperators(source), options...)
}

// Check returns an error if an expression is wrong whatever the values of its variables are; names
// are the variables that exist. The error is an *[UnknownNameError] for any other name.
func Check(source string, names ...string) error {
	env := types.Map{"null": types.Any, "undefined": types.Any}
	for _, name := range names {
		env[name] = types.Any
	}
	source = strings.TrimSpace(source)
	if m := pathForm.FindStringSubmatch(source); m != nil && env[m[1]] != nil {
		return nil
	}
	if err := checkLength(source); err != nil {
		return err
	}
	_, err := compile(context.Background(), source, expr.Env(env))
	if err == nil {
		return nil
	}
	err = plainError(err)
	if m := unknownName.FindStringSubmatch(err.Error()); m != nil {
		return &UnknownNameError{m[1]}
	}
	return err
}

func checkLength(source string) error {
	if len(source) > maxSource {
		return fmt.Errorf("the expression is longer than %d bytes", maxSource)
	}
	return nil
}

// Holds evaluates a condition. It is false if the value is missing, and an error if the value is no
// boolean.
func Holds(ctx context.Context, source string, variables map[string]any) (bool, error) {
	v, err := Eval(ctx, source, variables)
	switch held := v.(type) {
	case nil:
		return false, err
	case bool:
		return held, err
	}
	return false, errors.New("the condition is neither true nor false")
}

// unwrapOwned returns a copy of variables with the values of each [OwnedValue].
func unwrapOwned(variables map[string]any) map[string]any {
	values := maps.Clone(variables)
	for name, v := range values {
		if owned, ok := v.(OwnedValue); ok {
			values[name] = owned.Value
		}
	}
	return values
}

// toNative turns JSON numbers into the numbers that expressions compute with. It copies lists and
// objects, unless they are in an [OwnedValue].
func toNative(v any) any {
	switch v := v.(type) {
	case OwnedValue:
		return toNativeInPlace(v.Value)
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return int(i)
		}
		f, err := v.Float64()
		if err != nil || !strings.ContainsAny(string(v), ".eE") {
			return v // which no float64 holds: it can be passed on, but not computed with
		}
		return f
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = toNative(x)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = toNative(x)
		}
		return out
	}
	return v
}

// toNativeInPlace is [toNative] without a copy: it changes lists and objects.
func toNativeInPlace(v any) any {
	switch v := v.(type) {
	case []any:
		for i, x := range v {
			v[i] = toNativeInPlace(x)
		}
		return v
	case map[string]any:
		for k, x := range v {
			v[k] = toNativeInPlace(x)
		}
		return v
	}
	return toNative(v)
}

// plainMessage is an error of expr-lang with the first line of its message: without the lines that
// show the place in the source.
type plainMessage struct {
	text string
	err  error
}

func (m *plainMessage) Error() string { return m.text }
func (m *plainMessage) Unwrap() error { return m.err }

// conversionError matches the evaluator's message for a value of a wrong type.
var conversionError = lazyregexp.New(`interface conversion: interface \{\} is ([^,]+), not (\S+)`)

// typeWords replaces the names of Go's types by an author's words.
var typeWords = strings.NewReplacer(
	"map[string]interface {}", "an object", "[]interface {}", "a list", "json.Number", "a number that is too large",
	"float64", "a number", "int", "a number", "string", "a text", "bool", "true or false", "nil", "nothing", "<nil>", "nothing",
)

func plainError(err error) error {
	text, _, _ := strings.Cut(err.Error(), "\n")
	if m := conversionError.FindStringSubmatchIndex(text); m != nil {
		got, want := typeWords.Replace(text[m[2]:m[3]]), typeWords.Replace(text[m[4]:m[5]])
		text = text[:m[0]] + "this must be " + want + ", not " + got + text[m[1]:]
	}
	return &plainMessage{text, err}
}
