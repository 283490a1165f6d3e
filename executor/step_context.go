package executor

import (
	"context"
	"maps"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// stepContext is set when a run verifies or reverts another run; it holds that run.
type stepContext struct {
	name        string // verify or revert
	step        *tool.Step
	originalRun template.Run // the run being verified or reverted

	signInParams []tool.Param      // the parameters that name the person of that run, in a revert
	foundSecrets map[string]string // secrets that were looked up before that run; nil: none were

	confirmed bool // the person confirmed that run, and this one with it
}

// toolOfStep returns a copy of t with the common properties in common and without a declared
// result type. If s has a binding, the copy has that one.
func toolOfStep(t *tool.Tool, s *tool.Step, common tool.Common) *tool.Tool {
	of := *t
	of.Common, of.Returns = common, nil
	if s.Kind != "" {
		of.Kind, of.Spec = s.Kind, s.Spec
	}
	return &of
}

// bindStepArguments sets the arguments of a run that verifies or reverts another run. If the step
// has no binding, its expression gives them, see repeatArguments. Otherwise they are the values of
// the step's `args`. Without `args` they are the arguments of the other run, of which the request
// sends only those that a template names.
func bindStepArguments(ctx context.Context, r *run, next handler) (Result, error) {
	b := r.stepContext
	if b.step.Kind == "" {
		args, err := b.repeatArguments(ctx)
		if err != nil {
			return Result{}, err
		}
		r.req.Args = encode(args)
		return chain([]step{bindArguments, identifyCaller, deriveArguments, continueWith(next)})(ctx, r)
	}
	session, err := decodeObject(r.req.Session)
	if err != nil {
		return Result{}, Errorf(KindArguments, "session", "session: %w", err)
	}
	guard, err := r.executor.guard(&r.req)
	if err != nil {
		return Result{}, err
	}
	args := maps.Clone(b.originalRun.Args)
	if b.step.Args != nil {
		if args, err = b.stepArguments(ctx); err != nil {
			return Result{}, err
		}
		r.req.Tool.Params = untypedParams(b.step.Args)
	}
	r.makeCall(guard, args, session)
	r.call.Scope.Run, r.call.NamedOnly = &b.originalRun, b.step.Args == nil
	r.binder = &argumentBinder{run: r, session: session, args: args}
	if r.reverts != "" { // the person who reverts is identified
		return identifyCaller(ctx, r, next)
	}
	return next(ctx, r)
}

// untypedParams returns an optional parameter without a type for each name in args.
func untypedParams(args tool.Assignments) []tool.Param {
	params := make([]tool.Param, len(args))
	for i, a := range args {
		params[i] = tool.Param{Name: a.Name, Optional: true}
	}
	return params
}

// stepArguments evaluates the step's `args`. Each value is "" if the other run has no result
// yet.
func (b *stepContext) stepArguments(ctx context.Context) (map[string]any, error) {
	args := map[string]any{}
	for _, a := range b.step.Args {
		if b.originalRun.Coming {
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

// repeatArguments evaluates the expression of a step without a binding. Such a step calls the
// tool itself again, and the expression gives the arguments. It returns an error if the value
// is not an object.
func (b *stepContext) repeatArguments(ctx context.Context) (map[string]any, error) {
	v, err := b.eval(ctx, b.step.Expr)
	if err != nil {
		return nil, Errorf(KindDefinition, b.name, "%s: %w", b.name, err)
	}
	args, ok := v.(map[string]any)
	if !ok {
		return nil, Errorf(KindDefinition, b.name, "%s: an expression gives the arguments with which the tool is called once more, and this one gives %s", b.name, describeValue(v)).
			WithHint("Write an object, such as {id: args.id, text: result.before}, or a binding with a type.")
	}
	return args, nil
}

func (b *stepContext) eval(ctx context.Context, source string) (any, error) {
	v, err := expression.Eval(ctx, source, map[string]any{"result": b.originalRun.Result, "args": b.originalRun.Args})
	if err != nil {
		return nil, err
	}
	return exactjson.Decode[any](encode(v)) // with json.Number, as everywhere
}

// beginVerification returns the run that verifies r. It shares the redactor of r.
func (r *run) beginVerification(s *tool.Step, past template.Run) *run {
	req := r.req
	req.Tool, req.Report, req.Repeatable = toolOfStep(req.Tool, s, tool.Common{}), nil, nil
	n := r.executor.newRun(req, time.Now())
	n.redactor, n.output.Redactor = r.redactor, r.redactor
	n.stepContext = &stepContext{name: "verify", step: s, originalRun: past, confirmed: r.call.Confirmed}
	return n
}
