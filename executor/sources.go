package executor

import (
	"context"
	"maps"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// The sources of a parameter's value, besides the caller.
const (
	sourceSystem  = "system"
	sourceRuntime = "runtime"
	sourceConfig  = "config"
	sourceExpr    = "expr"
	sourceLookup  = "lookup"
)

// sourceValue returns the value that a parameter's source has, and the source in words
// for a message; nil if it has none. If the parameter has no `value`, the source is
// asked for the parameter's own name.
func (t *argumentBinder) sourceValue(ctx context.Context, p tool.Param) (v any, from string, err error) {
	name := referencedPath(p)
	switch p.Source {
	case sourceSystem, sourceRuntime:
		v, _ := expression.Path(t.session, name)
		return v, "the session variable " + name, nil
	case sourceConfig:
		text, ok := t.run.req.Environment.Variables[name]
		if !ok {
			return nil, "the variable " + name + " of abl.yaml", nil
		}
		return parseVariable(p.Type, text), "the variable " + name + " of abl.yaml", nil
	case sourceExpr:
		v, err := t.expressionValue(ctx, p)
		return v, "the expression " + p.Value, err
	case sourceLookup:
		return nil, "the look-up table " + p.Table + " of the platform", nil
	}
	return nil, "", nil
}

// referencedPath returns the path that the `value` of a parameter names. It may be
// written with or without braces and namespace: user.id, session.user.id,
// {{session.user.id}}.
func referencedPath(p tool.Param) string {
	name := strings.TrimSpace(p.Value)
	if inner, ok := strings.CutPrefix(name, "{{"); ok && strings.HasSuffix(inner, "}}") {
		name = strings.TrimSpace(strings.TrimSuffix(inner, "}}"))
	}
	for _, space := range []string{"session.", "config.", "env.", "system.", "runtime."} {
		name = strings.TrimPrefix(name, space)
	}
	if name == "" {
		return p.Name
	}
	return name
}

// expressionValue is the value of a parameter's expression.
func (t *argumentBinder) expressionValue(ctx context.Context, p tool.Param) (any, error) {
	if strings.TrimSpace(p.Value) == "" {
		return nil, Errorf(KindDefinition, "source", "parameters.%s: `source: expr` needs a `value`, the expression", p.Name)
	}
	names := declaredNames(t.run.req.Tool)
	v, err := expression.Eval(ctx, p.Value, expressionVariables(names, t.args, t.session, t.run.req.Environment.Variables))
	if err != nil {
		return nil, Errorf(KindDefinition, "source", "parameters.%s.value: %w", p.Name, err)
	}
	return exactjson.Decode[any](encode(v)) // numbers as everywhere
}

// parseVariable reads the text of a variable as a parameter wants it.
func parseVariable(t *tool.Type, text string) any {
	if t == nil || t.Name == "string" {
		return text
	}
	if v, err := exactjson.Decode[any]([]byte(text)); err == nil {
		return v
	}
	return text
}

// wrongSource is the error for a value that came from a source: the caller's where
// that is the session, else the definition's.
func wrongSource(from, source string) func(error) error {
	return func(err error) error {
		kind := KindDefinition
		if source == sourceSystem || source == sourceRuntime {
			kind = KindArguments
		}
		return Errorf(kind, "source", "%w (from %s)", err, from)
	}
}

// expressionVariables returns the variables of an expression that is evaluated before
// the call: each argument, all arguments as args and input, the session, and the
// environment's variables.
func expressionVariables(names []string, args, session map[string]any, environment map[string]string) map[string]any {
	env := make(map[string]any, len(environment))
	for name, v := range environment {
		env[name] = v
	}
	all := make(map[string]any, len(names))
	for _, name := range names {
		all[name] = args[name] // null where it was left out
	}
	out := map[string]any{"args": all, "input": all, "session": session, "env": env, "config": env}
	maps.Copy(out, all)
	return out
}

// Variables returns what expressions of a binding may name.
func (c Call) Variables() map[string]any {
	return expressionVariables(c.Scope.Params, c.Scope.Args, c.Scope.Session, c.Scope.Variables)
}
