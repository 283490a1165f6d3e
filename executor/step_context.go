package executor

import (
	"context"
	"maps"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
)

// beside is what a run is there for that checks another one, or undoes it.
type beside struct {
	name string // verify or revert
	step *tool.Step
	past template.Run // the run that it is about

	signedIn []tool.Param      // whom that run was made for, where this one undoes it
	kept     map[string]string // secrets that were found for it before that run; nil: none were looked for

	confirmed bool // a person has confirmed that run, and this one with it
}

// bindTo makes a tool of a step: its binding, and what else holds for it.
func bindTo(t *tool.Tool, s *tool.Step, common tool.Common) *tool.Tool {
	of := *t
	of.Common, of.Returns = common, nil
	if s.Kind != "" {
		of.Kind, of.Spec = s.Kind, s.Spec
	}
	return &of
}

// besideArguments are those of a binding that checks or undoes a run: what its `args`
// compute, else those of the run, of which a request sends what it names.
func besideArguments(ctx context.Context, r *run, next handler) (Result, error) {
	b := r.beside
	if b.step.Kind == "" {
		args, err := b.again(ctx)
		if err != nil {
			return Result{}, err
		}
		r.req.Args = encode(args)
		return chain([]step{arguments, identify, derive, onward(next)})(ctx, r)
	}
	session, err := decodeObject(r.req.Session)
	if err != nil {
		return Result{}, Errorf(KindArguments, "session", "session: %w", err)
	}
	guard, err := r.executor.guard(&r.req)
	if err != nil {
		return Result{}, err
	}
	args := maps.Clone(b.past.Args)
	if b.step.Args != nil {
		if args, err = b.computed(ctx); err != nil {
			return Result{}, err
		}
		r.req.Tool.Params = untyped(b.step.Args)
	}
	r.makeCall(guard, args, session)
	r.call.Scope.Run, r.call.NamedOnly = &b.past, b.step.Args == nil
	r.taking = &taking{run: r, session: session, args: args}
	if r.reverts != "" { // in the name of whoever undoes it
		return identify(ctx, r, next)
	}
	return next(ctx, r)
}

// untyped are parameters of the names that expressions give values to.
func untyped(args tool.Assignments) []tool.Param {
	params := make([]tool.Param, len(args))
	for i, a := range args {
		params[i] = tool.Param{Name: a.Name, Optional: true}
	}
	return params
}

// computed are the arguments that `args` gives. Before the run nobody knows them.
func (b *beside) computed(ctx context.Context) (map[string]any, error) {
	args := map[string]any{}
	for _, a := range b.step.Args {
		if b.past.Coming {
			args[a.Name] = ""
			continue
		}
		v, err := b.eval(ctx, a.Expr)
		if err != nil {
			return nil, Errorf(KindDefinition, b.name, "%s.args.%s: %w", b.name, a.Name, err)
		}
		args[a.Name] = v
	}
	return args, nil
}

// again are the arguments with which the tool itself is called once more.
func (b *beside) again(ctx context.Context) (map[string]any, error) {
	v, err := b.eval(ctx, b.step.Expr)
	if err != nil {
		return nil, Errorf(KindDefinition, b.name, "%s: %w", b.name, err)
	}
	args, ok := v.(map[string]any)
	if !ok {
		return nil, Errorf(KindDefinition, b.name, "%s: an expression gives the arguments with which the tool is called once more, and this one gives %s", b.name, describe(v)).
			WithHint("Write an object, such as {id: args.id, text: result.before}, or a binding with a type.")
	}
	return args, nil
}

func (b *beside) eval(ctx context.Context, source string) (any, error) {
	v, err := expression.Eval(ctx, source, map[string]any{"result": b.past.Result, "args": b.past.Args})
	if err != nil {
		return nil, err
	}
	return decode(encode(v)) // numbers as everywhere
}

// beginBeside begins the run that checks r.
func (r *run) beginBeside(s *tool.Step, past template.Run) *run {
	req := r.req
	req.Tool, req.Report = bindTo(req.Tool, s, tool.Common{}), nil
	n := r.executor.begin(req, time.Now())
	n.redactor, n.output.Redactor = r.redactor, r.redactor
	n.beside = &beside{name: "verify", step: s, past: past, confirmed: r.call.Confirmed}
	return n
}
