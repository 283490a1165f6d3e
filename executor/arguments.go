package executor

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
)

// freeForm is the name under which a tool without parameters gets its input.
const freeForm = "input"

// arguments decodes what the caller gave, strictly: forms and flags make
// values of the declared types before they call.
func arguments(ctx context.Context, r *run, next handler) (Result, error) {
	session, err := decodeObject(r.req.Session)
	if err != nil {
		return Result{}, Errorf(KindArguments, "session", "session: %w", err)
	}
	args, err := r.decodeArguments(session)
	if err != nil {
		return Result{}, err
	}
	guard, err := r.executor.guard(r.req.AllowHosts)
	if err != nil {
		return Result{}, Errorf(KindArguments, "allow-host", "%w", err)
	}
	r.makeCall(guard, args, session)
	return next(ctx, r)
}

// makeCall is the call with these arguments, checked.
func (r *run) makeCall(guard *dial.Guard, args, session map[string]any) {
	t, env := r.req.Tool, &r.req.Environment
	r.trackWritten()
	mutates := t.Mutates()
	r.call = Call{
		Run:  r.envelope.Run,
		Tool: t,
		Scope: &template.Scope{
			Params:    declared(t),
			Args:      args,
			Session:   session,
			Variables: env.Variables,
		},
		Context:     sessionReads(t, args, session),
		Mutates:     mutates == nil || *mutates,
		Guard:       guard,
		Environment: env,
		ToolTimeout: cmp.Or(r.req.ToolTimeout, defaultTimeout),
		Permit:      r.refuse,
		Ask:         r.ask,
		Redact:      r.redactor.String,
		Track:       r.redactor.Add,
		Discovered:  r.discovered,
		Report:      r.progress,
		OpenURL:     r.req.OpenURL,
	}
}

// declared are the names that arguments may have.
func declared(t *tool.Tool) []string {
	if len(t.Params) == 0 {
		return []string{freeForm}
	}
	names := make([]string, len(t.Params))
	for i, p := range t.Params {
		names[i] = p.Name
	}
	return names
}

func (r *run) decodeArguments(session map[string]any) (map[string]any, error) {
	t, raw := r.req.Tool, bytes.TrimSpace(r.req.Args)
	if len(t.Params) == 0 && len(raw) > 0 && raw[0] == '"' {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, Errorf(KindArguments, "arguments", "the arguments are not valid JSON: %w", err)
		}
		return map[string]any{freeForm: text}, nil
	}
	given, err := decodeObject(raw)
	if err != nil {
		return nil, Errorf(KindArguments, "arguments", "the arguments: %w", err)
	}
	r.dropUnknown(given)
	if len(t.Params) == 0 {
		return takeInput(given)
	}
	return r.take(given, session)
}

// dropUnknown leaves the arguments that a caller may give.
func (r *run) dropUnknown(given map[string]any) {
	var unknown []string
	for name := range given {
		if !takes(r.req.Tool, name) {
			unknown = append(unknown, name)
			delete(given, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		r.warn("unknown argument %q was ignored", name)
	}
}

// takes reports whether a caller may give an argument of that name.
func takes(t *tool.Tool, name string) bool {
	if len(t.Params) == 0 {
		return name == freeForm
	}
	i := slices.IndexFunc(t.Params, func(p tool.Param) bool { return p.Name == name })
	return i >= 0 && !t.Params[i].FromSignIn()
}

func (r *run) warn(format string, args ...any) {
	r.envelope.Warnings = append(r.envelope.Warnings, fmt.Sprintf(format, args...))
}

// takeInput picks the free-form input.
func takeInput(given map[string]any) (map[string]any, error) {
	v := given[freeForm]
	if v == nil {
		return map[string]any{}, nil
	}
	if err := check(&tool.Type{Name: "string"}, v, freeForm); err != nil {
		return nil, wrongArgument(err)
	}
	return given, nil
}

// take picks the values of the parameters. A wrong value comes before a
// missing one. What an expression gives comes last: it may name all others.
func (r *run) take(given, session map[string]any) (map[string]any, error) {
	t := &taking{run: r, given: given, session: session, args: map[string]any{}}
	for _, computed := range []bool{false, true} {
		for _, p := range r.req.Tool.Params {
			if (p.Source == sourceExpr) != computed {
				continue
			}
			if err := t.param(p); err != nil {
				return nil, err
			}
		}
	}
	if len(t.missing) > 0 {
		return nil, r.missingArguments(t.missing, t.hints)
	}
	return t.args, r.checkInput(t.args)
}

// taking is where the values of a call's parameters are put together.
type taking struct {
	run            *run
	given, session map[string]any
	args           map[string]any
	missing, hints []string // of parameters without a value: names, and where it may come from
}

// param takes the value of one parameter: what the caller gave, else what its
// source has, else its default.
func (t *taking) param(p tool.Param) error {
	v, ok := t.given[p.Name]
	from, fault := "", wrongArgument
	if !ok || v == nil && (p.Type == nil || !p.Type.Nullable) {
		var err error
		if v, from, err = t.sourced(p); err != nil {
			return err
		}
		ok, fault = v != nil, wrongSource(from, p.Source)
	}
	if !ok {
		v, ok = defaultOf(p)
		fault = wrongDefault
	}
	switch {
	case ok:
		if err := checkParam(p, v); err != nil {
			if err := fault(err); err != nil {
				return err
			}
		}
		t.args[p.Name] = v
	case !p.Optional && p.FromSignIn():
		return Errorf(KindDefinition, "not-supported", "%s comes from a sign-in, which this version cannot ask for", p.Name)
	case !p.Optional:
		t.missing = append(t.missing, p.Name)
		if from != "" {
			t.hints = append(t.hints, p.Name+" comes from "+from+", which has none; a call may give it.")
		}
	}
	return nil
}

func (r *run) missingArguments(names, hints []string) error {
	t := r.req.Tool
	e := needs(Needs{Arguments: t.ArgumentSchema(names...)}, "missing-arguments", "%s needs %s", t.Name, strings.Join(names, ", "))
	e.Hint = strings.Join(hints, " ")
	return e
}

func wrongArgument(err error) error {
	if err == nil {
		return nil
	}
	code := "wrong-type"
	m, ok := errors.AsType[*mismatch](err)
	if ok && m.beyond {
		code = "not-allowed"
	}
	e := Errorf(KindArguments, code, "%w", err)
	if ok {
		e.Details = map[string]any{"path": m.path}
	}
	return e
}

// wrongDefault lets an author's own `{}` stand for an object whose fields are
// declared: the tool can do without them then.
func wrongDefault(err error) error {
	if m, ok := errors.AsType[*mismatch](err); err == nil || ok && m.want == "" {
		return nil
	}
	return Errorf(KindDefinition, "default-type", "the default of %w", err)
}

func defaultOf(p tool.Param) (any, bool) {
	if len(p.Default) == 0 {
		return nil, false
	}
	v, err := decode(p.Default)
	return v, err == nil && v != nil
}

// sessionReads are the values of context_access.read that no argument
// shadows.
func sessionReads(t *tool.Tool, args, session map[string]any) []tool.Member {
	if t.ContextAccess == nil {
		return nil
	}
	var out []tool.Member
	for _, path := range t.ContextAccess.Read {
		_, shadowed := args[path]
		if v, ok := template.Path(session, path); ok && !shadowed {
			out = append(out, tool.Member{Name: path, Value: v})
		}
	}
	return out
}
