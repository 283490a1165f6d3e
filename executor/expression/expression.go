// Package expression evaluates the expressions of a tool: what on_result and
// on_error set.
//
// It promises that a value that is only picked out (result.items[0].price)
// keeps every digit, and that a whole number is never rounded; what is
// computed is an int64 or a float64.
package expression

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/expr-lang/expr"

	"github.com/abl-lsp/abl-lsp/executor/template"
)

// path is an expression that only picks a value out of a variable.
var path = regexp.MustCompile(`^([A-Za-z_]\w*)(\.\w+|\[\d+\])*$`)

// Eval evaluates an expression over variables, which are JSON trees with
// json.Number for numbers. A path that leads nowhere is nil.
func Eval(source string, variables map[string]any) (any, error) {
	source = strings.TrimSpace(source)
	if m := path.FindStringSubmatch(source); m != nil {
		if _, ok := variables[m[1]]; ok {
			v, _ := template.Path(variables, source)
			return v, nil
		}
	}
	env := map[string]any{"null": nil}
	for name, v := range variables {
		env[name] = native(v)
	}
	program, err := expr.Compile(source, expr.Env(env))
	if err != nil {
		return nil, firstLine(err)
	}
	v, err := expr.Run(program, env)
	if err != nil {
		return nil, firstLine(err)
	}
	return v, nil
}

// native turns numbers into those that expressions compute with.
func native(v any) any {
	switch v := v.(type) {
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
			out[i] = native(x)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = native(x)
		}
		return out
	}
	return v
}

// message is an error without the picture of its place.
type message struct {
	text string
	err  error
}

func (m *message) Error() string { return m.text }
func (m *message) Unwrap() error { return m.err }

func firstLine(err error) error {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return &message{text, err}
}
