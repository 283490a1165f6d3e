package executor

import (
	"context"
	"maps"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// The sources from which a parameter may get its value, other than the caller.
const (
	sourceSystem  = "system"
	sourceRuntime = "runtime"
	sourceConfig  = "config"
	sourceExpr    = "expr"
	sourceLookup  = "lookup"
)

// sourceValue returns the value that p gets from its source, and from, a description of the source
// for messages. v is nil if the source has no value. If p has no `value`, its own name is looked
// up.
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

// expressionValue returns the value of a parameter's expression.
func (t *argumentBinder) expressionValue(ctx context.Context, p tool.Param) (any, error) {
	if strings.TrimSpace(p.Value) == "" {
		return nil, Errorf(KindDefinition, "source", "parameters.%s: `source: expr` needs a `value`, the expression", p.Name)
	}
	names := declaredNames(t.run.req.Tool)
	v, err := expression.Eval(ctx, p.Value, expressionVariables(names, t.args, t.session, t.run.req.Environment.Variables))
	if err != nil {
		return nil, Errorf(KindDefinition, "source", "parameters.%s.value: %w", p.Name, err)
	}
	return exactjson.Decode[any](encode(v)) // with json.Number, as everywhere
}

// parseVariable returns the text of a variable as a value for a parameter of type t: the text
// itself for a string, else the JSON value, or the text if it is not JSON.
func parseVariable(t *tool.Type, text string) any {
	if t == nil || t.Name == "string" {
		return text
	}
	if v, err := exactjson.Decode[any]([]byte(text)); err == nil {
		return v
	}
	return text
}

// wrongSource returns a function that makes the error for a wrong value from a source. The
// caller is at fault for a session variable, and the definition for any other source.
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

// Variables returns the variables that expressions of a binding may use.
func (c Call) Variables() map[string]any {
	return expressionVariables(c.Scope.Params, c.Scope.Args, c.Scope.Session, c.Scope.Variables)
}
