// Package expression evaluates the expressions of tools, saved cases and requests.
//
// It promises expr-lang's syntax, with the operators and functions of the language
// added; that a value that is only picked out (result.items[0].price) keeps every
// digit, and that a whole number is never rounded; what is computed is an int64 or a
// float64. And it promises an end: an expression that makes more text than fits its
// budget, or does not come to an end, is an error.
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

// pathForm is an expression that only picks a value out of a variable.
var pathForm = lazyregexp.New(`^([A-Za-z_]\w*)(\.\w+|\[\d+\])*$`)

// OwnedValue is a variable that no one needs after the evaluation, which may change it: a copy
// of a large value would take as much memory again.
type OwnedValue struct{ Value any }

// Eval evaluates an expression over variables, which are JSON trees with
// json.Number for numbers. A path that leads nowhere is nil. What loops ends with ctx.
func Eval(ctx context.Context, source string, variables map[string]any) (any, error) {
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
	return v, checkFinite(v)
}

func compile(ctx context.Context, source string, variables expr.Option) (*vm.Program, error) {
	options := append([]expr.Option{variables, expr.Patch(patcher{})}, newBudget(ctx).exprOptions()...)
	return expr.Compile(rewriteOperators(source), options...)
}

// Check reports what is wrong with an expression over variables of these names,
// whatever their values are.
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

// Holds evaluates a condition. What is not there does not hold.
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

// unwrapOwned are the variables themselves.
func unwrapOwned(variables map[string]any) map[string]any {
	values := maps.Clone(variables)
	for name, v := range values {
		if owned, ok := v.(OwnedValue); ok {
			values[name] = owned.Value
		}
	}
	return values
}

// toNative turns numbers into those that expressions compute with. It copies what is not
// owned.
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

// toNativeInPlace is native without a copy.
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

// plainMessage is an error without the picture of its place.
type plainMessage struct {
	text string
	err  error
}

func (m *plainMessage) Error() string { return m.text }
func (m *plainMessage) Unwrap() error { return m.err }

// conversionError is how the evaluator says that a value is of another type.
var conversionError = lazyregexp.New(`interface conversion: interface \{\} is ([^,]+), not (\S+)`)

// typeWords are Go's types in an author's words.
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
