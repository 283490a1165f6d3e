package executor

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// processBlock holds the `process` property of a tool: the arguments to compute and the conditions
// to check before the call, and the fields of the result to compute after the call.
type processBlock struct {
	Before struct {
		Params  tool.Assignments `json:"params"`
		Require []string         `json:"require"`
		OnFail  string           `json:"on_fail"`
		Use     string           `json:"use"`
	} `json:"before"`
	After struct {
		Result tool.Assignments `json:"result"`
		OnFail string           `json:"on_fail"`
	} `json:"after"`
}

func parseProcessBlock(t *tool.Tool) (p processBlock, err error) {
	raw := t.Extra["process"]
	if raw == nil {
		return p, nil
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return p, Errorf(KindDefinition, "process", "process: %w", err)
	}
	return p, nil
}

// processBefore computes arguments and checks the conditions of process.before. This happens
// before the person is asked to confirm the arguments.
func processBefore(ctx context.Context, r *run, next handler) (Result, error) {
	if r.req.Tool.Extra["process"] == nil {
		return next(ctx, r)
	}
	p, err := parseProcessBlock(r.req.Tool)
	if err != nil {
		return Result{}, err
	}
	if p.Before.Use != "" {
		r.warn("process.before.use: %s is a processor of the platform; it was not run", p.Before.Use)
	}
	original := *r.call.Scope
	fault := r.computeArguments(ctx, p)
	switch {
	case fault == nil:
		return next(ctx, r)
	case ctx.Err() != nil:
		return Result{}, contextError(ctx)
	}
	f, err := parseOnFail("process.before", p.Before.OnFail)
	switch {
	case err != nil:
		return Result{}, err
	case p.Before.OnFail == "":
		return Result{}, Errorf(asError(fault).Kind, "process", "%s", f.message(fault))
	case f.action == keepOriginal:
		*r.call.Scope = original
		r.warn("process.before: %v; the arguments are as they were given", fault)
	case f.action == warn:
		r.warn("%s", f.message(fault))
	case f.action == fallback:
		r.warn("process.before: %v; the tool was not run", fault)
		return f.result(), nil
	case f.action == reask:
		return Result{}, needsError(Needs{Arguments: r.req.Tool.ArgumentSchema()}, "reask", "%s", f.message(fault))
	default:
		return Result{}, Errorf(KindDenied, "process", "%s", f.message(fault))
	}
	return next(ctx, r)
}

// computeArguments sets the computed arguments in order; each expression sees those before it.
// It returns an error if a value or a condition is wrong. r.call.Scope is replaced in any case.
func (r *run) computeArguments(ctx context.Context, p processBlock) error {
	scope := *r.call.Scope
	scope.Params, scope.Args = slices.Clone(scope.Params), cloneArguments(scope.Args)
	if len(r.req.Tool.Arguments()) == 0 && len(p.Before.Params) > 0 {
		scope.Params = nil // only the computed arguments are sent
		if _, ok := scope.Args[freeForm]; ok {
			scope.Params = []string{freeForm}
		}
	}
	r.call.Scope = &scope
	for _, a := range p.Before.Params {
		v, err := expression.Eval(ctx, a.Expr, r.call.Variables())
		if err == nil {
			v, err = exactjson.Decode[any](encode(v))
		}
		if err == nil {
			err = r.setArgument(a.Name, v)
		}
		if err != nil {
			return Errorf(KindDefinition, "process", "params.%s: %w", a.Name, err)
		}
	}
	for _, condition := range p.Before.Require {
		holds, err := expression.Holds(ctx, condition, r.call.Variables())
		switch {
		case err != nil:
			return Errorf(KindDefinition, "process", "require: %s: %w", condition, err)
		case !holds:
			return Errorf(KindDenied, "process", "%s does not hold", condition)
		}
	}
	return nil
}

func cloneArguments(args map[string]any) map[string]any {
	out := make(map[string]any, len(args))
	for name, v := range args {
		out[name] = v
	}
	return out
}

// setArgument sets an argument after it checks the value against the parameter. It declares a
// new parameter if there is none of that name. nil removes the argument.
func (r *run) setArgument(name string, v any) error {
	for _, p := range r.req.Tool.Arguments() {
		if p.Name == name && v != nil {
			if err := checkParam(p, v); err != nil {
				return err
			}
		}
	}
	if !r.call.Scope.Declared(name) {
		r.call.Scope.Params = append(r.call.Scope.Params, name)
	}
	r.call.Scope.Args[name] = v
	if v == nil {
		delete(r.call.Scope.Args, name)
	}
	return nil
}

// processAfter sets the computed fields of the result, before the result is checked against its
// type.
func processAfter(ctx context.Context, r *run, next handler) (Result, error) {
	result, err := next(ctx, r)
	if err != nil || r.req.Tool.Extra["process"] == nil {
		return result, err
	}
	p, err := parseProcessBlock(r.req.Tool)
	if err != nil || len(p.After.Result) == 0 {
		return result, err
	}
	processed, fault := r.computeResult(ctx, p, result)
	switch {
	case fault == nil:
		return processed, nil
	case ctx.Err() != nil:
		return result, contextError(ctx)
	}
	f, err := parseOnFail("process.after", p.After.OnFail)
	switch {
	case err != nil:
		return result, err
	case f.action == keepOriginal:
		r.warn("process.after: %v; the result is as it came", fault)
	case f.action == warn:
		r.warn("%s", f.message(fault))
	case f.action == fallback:
		r.warn("process.after: %v; the result is its fallback", fault)
		return f.result(), nil
	default:
		return result, Errorf(KindResult, "process", "%s", f.message(fault))
	}
	return result, nil
}

func (r *run) computeResult(ctx context.Context, p processBlock, result Result) (Result, error) {
	value, err := result.decodeValue()
	if err != nil {
		return result, err
	}
	value = r.redactor.Value(value) // no expression sees a secret
	fields, _ := value.(map[string]any)
	fields = cloneArguments(fields)
	variables := r.call.Variables()
	variables["result"] = value
	for _, a := range p.After.Result {
		v, err := expression.Eval(ctx, a.Expr, variables)
		if err != nil {
			return result, Errorf(KindResult, "process", "result.%s: %w", a.Name, err)
		}
		fields[a.Name] = v
	}
	result.Value, result.Text, result.Encoding, result.Content = encode(fields), "", "", nil
	return result, nil
}

// The actions that on_fail may name.
const (
	block        = "block"
	reask        = "reask"
	warn         = "warn"
	keepOriginal = "use_original"
	fallback     = "fallback"
)

// onFailAction is a parsed on_fail: the block it belongs to, the action, and the action's text.
type onFailAction struct{ of, action, text string }

// parseOnFail parses onFail, such as `reask("Which one?")` or `use_original`. An empty onFail
// means block, and an unknown action is an error. of names the property for messages.
func parseOnFail(of, onFail string) (onFailAction, error) {
	action, rest, called := strings.Cut(strings.TrimSpace(onFail), "(")
	f := onFailAction{of: of, action: cmp.Or(strings.ToLower(strings.TrimSpace(action)), block)}
	if called {
		f.text = unquoted(strings.TrimSuffix(strings.TrimSpace(rest), ")"))
	}
	if !slices.Contains([]string{block, reask, warn, keepOriginal, fallback}, f.action) {
		return f, Errorf(KindDefinition, "process", "%s.on_fail: %q is none of block, reask, warn, use_original and fallback", of, f.action)
	}
	return f, nil
}

func unquoted(text string) string {
	text = strings.TrimSpace(text)
	if s, err := strconv.Unquote(text); err == nil {
		return s
	}
	return strings.Trim(text, `'"`)
}

// message returns the author's text, or a description of the fault if there is no text.
func (f onFailAction) message(fault error) string {
	if f.text != "" {
		return f.text
	}
	return f.of + ": " + fault.Error()
}

// result returns the fallback text as the result of the tool.
func (f onFailAction) result() Result {
	if raw := json.RawMessage(f.text); json.Valid(raw) {
		return Result{Value: raw, ContentType: "application/json"}
	}
	return Result{Text: f.text, ContentType: "text/plain"}
}
