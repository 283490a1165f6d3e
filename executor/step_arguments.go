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
	"github.com/abl-lsp/abl-lsp/executor/schema"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// freeForm is the argument name of the input of a tool without parameters.
const freeForm = tool.FreeForm

// bindArguments decodes and checks the arguments and makes the call. It converts no types: forms
// and flags convert their text before they call.
func bindArguments(ctx context.Context, r *run, next handler) (Result, error) {
	session, err := decodeObject(r.req.Session)
	if err != nil {
		return Result{}, Errorf(KindArguments, "session", "session: %w", err)
	}
	if err := r.readSchemas(); err != nil {
		return Result{}, err
	}
	r.binder = &argumentBinder{run: r, session: session, args: map[string]any{}}
	if err := r.decodeArguments(ctx); err != nil {
		return Result{}, err
	}
	guard, err := r.executor.guard(&r.req)
	if err != nil {
		return Result{}, err
	}
	r.makeCall(guard, r.binder.args, session)
	return next(ctx, r)
}

// makeCall sets r.call to a call with these arguments, and marks the secrets among them.
func (r *run) makeCall(guard *dial.Guard, args, session map[string]any) {
	t, env := r.req.Tool, &r.req.Environment
	r.trackProjectSecrets()
	r.trackArguments(args)
	r.call = Call{
		Run:            r.envelope.Run,
		Task:           r.req.Task,
		Repeat:         repeatID(r.req.Repeatable),
		IdempotencyKey: idempotencyKey(r.req.Repeatable),
		Tool:           t,
		Scope: &template.Scope{
			Params:    scopeNames(t, args),
			Args:      args,
			Session:   session,
			Variables: env.Variables,
		},
		Mutates:     t.MayMutate(),
		Guard:       guard,
		Environment: env,
		ToolTimeout: cmp.Or(r.req.ToolTimeout, defaultTimeout),
		Host:        runHost{r},
		Input:       r.req.Input,
		Folders:     foldersOf(r.req),
		OpenURL:     r.req.OpenURL,
		Unattended:  r.req.Unattended,
	}
}

// foldersOf returns the folders of the workspace: the project's, if the request names none.
func foldersOf(req Request) []string {
	if len(req.Folders) == 0 && req.Environment.Root != "" {
		return []string{req.Environment.Root}
	}
	return req.Folders
}

// declaredNames returns the names of the tool's arguments: [freeForm] if it declares none.
func declaredNames(t *tool.Tool) []string {
	if names := t.ArgumentNames(); len(names) > 0 {
		return names
	}
	return []string{freeForm}
}

// scopeNames returns the declared names, followed by the other names of args, sorted.
func scopeNames(t *tool.Tool, args map[string]any) []string {
	names := declaredNames(t)
	declared := len(names)
	for name := range args {
		if !slices.Contains(names[:declared], name) {
			names = append(names, name)
		}
	}
	slices.Sort(names[declared:])
	return names
}

// deriveArguments sets the parameters whose value is an expression, which may use all other
// arguments. Then it checks the arguments against input_schema and asks for missing ones.
func deriveArguments(ctx context.Context, r *run, next handler) (Result, error) {
	t := r.binder
	if err := t.bindParams(ctx, func(p tool.Param) bool { return p.Source == sourceExpr && !p.FromSignIn() }); err != nil {
		return Result{}, err
	}
	if !t.hasStandIns {
		if err := t.checkSchema(); err != nil {
			return Result{}, err
		}
	}
	if len(t.missing) > 0 {
		return Result{}, t.missingError()
	}
	r.call.SessionValues = readSessionValues(r.req.Tool, t.args, t.session)
	return next(ctx, r)
}

func (r *run) decodeArguments(ctx context.Context) error {
	names, raw := r.req.Tool.ArgumentNames(), bytes.TrimSpace(r.req.Args)
	nameless := len(names) == 0
	if nameless && len(raw) > 0 && raw[0] == '"' {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return Errorf(KindArguments, "arguments", "the arguments are not valid JSON: %w", err)
		}
		r.binder.args[freeForm] = text
		return nil
	}
	given, err := decodeObject(raw)
	if err != nil {
		return Errorf(KindArguments, "arguments", "the arguments: %w", err)
	}
	r.dropUnknown(given, names)
	r.binder.given = given
	if nameless && !r.req.Tool.TakesMore() {
		return r.binder.bindFreeForm()
	}
	r.binder.bindExtra()
	return r.binder.bindParams(ctx, func(p tool.Param) bool { return p.Source != sourceExpr && !p.FromSignIn() })
}

// dropUnknown removes from given each argument that a caller may not give, and warns of it.
// names are the declared arguments; without any, only free-form input may be given.
func (r *run) dropUnknown(given map[string]any, names []string) {
	more := r.req.Tool.TakesMore()
	if len(names) == 0 {
		names = []string{freeForm}
	}
	var dropped []string
	for name := range given {
		if r.whyIgnored(name, names, more) != "" {
			dropped = append(dropped, name)
		}
	}
	slices.Sort(dropped)
	for _, name := range dropped {
		r.warn("%s", r.whyIgnored(name, names, more))
		delete(given, name)
	}
}

// whyIgnored returns the warning that an argument is ignored. It is "" if a caller may give the
// argument. more says that the tool accepts names that are not in names.
func (r *run) whyIgnored(name string, names []string, more bool) string {
	switch p := findParameter(r.req.Tool, name); {
	case p != nil && p.FromSignIn():
		return fmt.Sprintf("the argument %q was ignored: it is taken from the token of whoever calls", name)
	case p != nil && p.Hidden && p.Source == sourceExpr:
		return fmt.Sprintf("the argument %q was ignored: its value follows from other arguments", name)
	case p != nil && r.req.FromModel && !p.Shown():
		return fmt.Sprintf("the argument %q was ignored: no model is shown it", name)
	case p == nil && !more && !slices.Contains(names, name):
		return fmt.Sprintf("unknown argument %q was ignored", name)
	}
	return ""
}

// findParameter returns the parameter that has a name. It is nil if there is none.
func findParameter(t *tool.Tool, name string) *tool.Param {
	params := t.Arguments()
	if i := slices.IndexFunc(params, func(p tool.Param) bool { return p.Name == name }); i >= 0 {
		return &params[i]
	}
	return nil
}

func (r *run) warn(format string, args ...any) {
	r.envelope.Warnings = append(r.envelope.Warnings, fmt.Sprintf(format, args...))
}

// argumentBinder collects the values of the parameters of one call.
type argumentBinder struct {
	run            *run
	given, session map[string]any
	args           map[string]any
	missing, hints []string // of parameters without a value: their names, and hints about their source
	hasStandIns    bool     // args contains stand-ins
}

// bindFreeForm sets the free-form input of a tool without parameters.
func (t *argumentBinder) bindFreeForm() error {
	v := t.given[freeForm]
	if v == nil {
		return nil
	}
	if err := checkValue(&tool.Type{Name: "string"}, v, freeForm); err != nil {
		return wrongArgument(err)
	}
	t.args[freeForm] = v
	return nil
}

// schemaArguments returns the arguments that input_schema describes, without free-form input.
func (t *argumentBinder) schemaArguments() map[string]any {
	tl := t.run.req.Tool
	if len(tl.ArgumentNames()) > 0 || tl.TakesMore() {
		return t.args
	}
	return map[string]any{}
}

// checkSchema checks the arguments against input_schema. An argument that only the schema
// requires is noted as missing. While arguments are missing, other faults are not reported.
func (t *argumentBinder) checkSchema() error {
	tl := t.run.req.Tool
	if tl.InputSchema == nil {
		return nil
	}
	err := t.run.checkInput(t.schemaArguments())
	fault, ok := errors.AsType[*schema.Fault](err)
	if !ok || len(fault.Path) > 0 {
		return err
	}
	for _, name := range fault.Missing {
		known := slices.Contains(tl.ArgumentNames(), name) || tl.TakesMore()
		if known && !slices.Contains(t.missing, name) {
			t.missing = append(t.missing, name)
		}
	}
	if len(t.missing) > 0 {
		return nil
	}
	return err
}

// bindExtra sets the arguments that are not parameters but that input_schema allows.
func (t *argumentBinder) bindExtra() {
	for name, v := range t.given {
		if findParameter(t.run.req.Tool, name) == nil {
			t.args[name] = v
		}
	}
}

// bindParams sets the parameters for which which reports true. It returns an error for a wrong
// value, and notes a missing one.
func (t *argumentBinder) bindParams(ctx context.Context, which func(tool.Param) bool) error {
	for _, p := range t.run.req.Tool.Arguments() {
		if !which(p) {
			continue
		}
		if err := t.bindParam(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// bindParam sets p to the value that the caller gave, else to that of its source, else to its
// default. If there is none and p is not optional, bindParam notes p as missing.
func (t *argumentBinder) bindParam(ctx context.Context, p tool.Param) error {
	v, ok := t.given[p.Name]
	from, fault := "", wrongArgument
	if !ok || v == nil && (p.Type == nil || !p.Type.Nullable) {
		var err error
		if v, from, err = t.sourceValue(ctx, p); err != nil {
			return err
		}
		ok, fault = v != nil, wrongSource(from, p.Source)
	}
	if !ok {
		v, ok = defaultOf(p)
		fault = wrongDefault
	}
	if ok && p.IsSecret() {
		secretArguments{addSecret: t.run.trackSecure}.addParts(p.Name, v)
	}
	switch {
	case ok:
		if err := checkParam(p, v); err != nil {
			if err := fault(err); err != nil {
				return err
			}
		}
		t.args[p.Name] = v
	case !p.Optional:
		t.missing = append(t.missing, p.Name)
		switch {
		case t.run.req.FromModel && !p.Shown():
			t.hints = append(t.hints, p.Name+" is for whoever runs the server to give, with --session, and for no model.")
		case from != "":
			t.hints = append(t.hints, p.Name+" comes from "+from+", which has none; a call may give it.")
		}
	}
	return nil
}

// missingError returns the error that asks for the missing arguments.
func (t *argumentBinder) missingError() error {
	tl := t.run.req.Tool
	if b := t.run.stepContext; b != nil { // an expression gives it, not the caller
		return Errorf(KindDefinition, "missing-arguments", "%s gives no %s, which %s needs: %s", b.name, strings.Join(t.missing, " and no "), tl.QualifiedName(), Shorten(b.step.Expr, 200)).
			WithHint("It may name what neither the arguments nor the result of the run have, or what is null there.")
	}
	e := needsError(Needs{Arguments: tl.ArgumentSchema(t.missing...)}, "missing-arguments", "%s needs %s", tl.QualifiedName(), strings.Join(t.missing, ", "))
	e.Hint = strings.Join(t.hints, " ")
	return e
}

func wrongArgument(err error) error {
	if err == nil {
		return nil
	}
	code := "wrong-type"
	m, ok := errors.AsType[*mismatch](err)
	if ok && m.notAllowed {
		code = "not-allowed"
	}
	e := Errorf(KindArguments, code, "%w", err)
	if ok {
		e.Details = map[string]any{"path": m.path}
	}
	return e
}

// wrongDefault returns the error for a wrong default. It is nil if only fields of the default
// are missing, so that an author may write `{}` for an object with declared fields.
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
	v, err := exactjson.Decode[any](p.Default)
	return v, err == nil && v != nil
}

// readSessionValues returns the session values of context_access.read, except those whose path
// is also the name of an argument.
func readSessionValues(t *tool.Tool, args, session map[string]any) []tool.Member {
	if t.ContextAccess == nil {
		return nil
	}
	var out []tool.Member
	for _, path := range t.ContextAccess.Read {
		_, shadowed := args[path]
		if v, ok := expression.Path(session, path); ok && !shadowed {
			out = append(out, tool.Member{Name: path, Value: v})
		}
	}
	return out
}
