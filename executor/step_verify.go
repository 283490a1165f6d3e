package executor

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
)

// What looking ahead to the check of a run does, in order, and what the check does.
var (
	foreseeSteps = []step{
		binding,
		besideArguments,
		choose,
		showRequest,
		reachBeside,
		foreseen,
	}
	checkSteps = []step{
		binding,
		besideArguments,
		choose,
		showRequest,
		reachBeside,
		keptSecrets,
		prepare,
		wholeCall,
		retry,
		breaker,
		rateLimit,
		attempt,
		runKind,
	}
)

// foresee looks at the binding that will check the run: nobody is asked anything once
// something may have changed, so all of it is asked before.
func foresee(ctx context.Context, r *run, next handler) (Result, error) {
	s := r.req.Tool.Verify
	if err := cmp.Or(r.unreadable("verify", s), r.unreadable("revert", r.req.Tool.Revert)); err != nil {
		return Result{}, err
	}
	if s == nil || s.Kind == "" {
		return next(ctx, r)
	}
	r.check = r.beginBeside(s, template.Run{Args: r.call.Scope.Args, Coming: true})
	_, err := chain(foreseeSteps)(ctx, r.check)
	if err == nil {
		return next(ctx, r)
	}
	// That a stand-in for the result does not fit says nothing.
	if e := asError(err); slices.Contains([]ErrorKind{KindDefinition, KindDenied}, e.Kind) {
		return Result{}, within("verify", e)
	}
	return next(ctx, r)
}

// unreadable says which expression of a step is none, whatever the run will bring.
func (r *run) unreadable(name string, s *tool.Step) error {
	if s == nil {
		return nil
	}
	past := []string{"result", "args"}
	now := append(slices.Collect(maps.Keys(r.call.Variables())), past...)
	sources := map[string][]string{s.Expect: now, s.Expr: now}
	if name == "revert" {
		sources[s.Expr] = past
	}
	for _, a := range s.Args {
		sources[a.Expr] = past
	}
	delete(sources, "")
	for _, source := range slices.Sorted(maps.Keys(sources)) {
		if err := expression.Check(source, sources[source]...); err != nil {
			return Errorf(KindDefinition, name, "%s: %s: %w", name, Shorten(source, 200), err)
		}
	}
	return nil
}

// foreseen is the end of the chain.
func foreseen(context.Context, *run, handler) (Result, error) { return Result{}, nil }

// reachBeside holds a check to what the project denies, and to what was confirmed
// before.
func reachBeside(ctx context.Context, r *run, next handler) (Result, error) {
	if err := r.reaches(); err != nil {
		return Result{}, err
	}
	if why := r.reach.Unjailed; why != "" && !r.beside.past.Coming && !r.beside.confirmed {
		return Result{}, Errorf(KindDenied, "unjailed", "it would run without a jail, which nobody has confirmed: %s", why)
	}
	return next(ctx, r)
}

// keptSecrets are those that were found before the run that is checked.
func keptSecrets(ctx context.Context, r *run, next handler) (Result, error) {
	names, err := r.secretNames()
	if err != nil {
		return Result{}, err
	}
	for _, name := range names {
		if _, ok := r.beside.kept[name]; !ok {
			return Result{}, Errorf(KindDefinition, "missing-secrets", "the secret %s was not asked for in time", name)
		}
	}
	if err := r.permitSecrets(r.sending(names)); err != nil {
		return Result{}, err
	}
	r.call.Scope.Secrets = r.beside.kept
	return next(ctx, r)
}

// within says in which property the fault is.
func within(property string, e *Error) *Error {
	in := *e
	in.Message = property + ": " + e.Message
	return &in
}

// verify checks a run that succeeded. One that does not hold, or that nobody could
// check, has failed, though it has done what it did.
func verify(ctx context.Context, r *run, next handler) (Result, error) {
	result, err := next(ctx, r)
	s := r.req.Tool.Verify
	if err != nil || s == nil {
		return result, err
	}
	held, why := r.verified(ctx, s, result)
	if why == nil {
		r.envelope.Verified = &held
	}
	if held && why == nil {
		return result, nil
	}
	return result, Errorf(KindResult, codeUnverified, "%s was called, but %s", r.req.Tool.Name, r.why(s, why))
}

// codeUnverified is the code of a run that was made, and did not hold.
const codeUnverified = "verify-failed"

// why says what is wrong.
func (r *run) why(s *tool.Step, why error) string {
	what := s.Expr
	if what == "" {
		what = s.Expect
	}
	switch {
	case why != nil:
		return fmt.Sprintf("could not be verified: %v", why)
	case what != "":
		return fmt.Sprintf("verify does not hold: %s", Shorten(what, 200))
	}
	return "verify says that it did not do what it should"
}

// verified reports whether a run holds; an error where nobody can tell.
func (r *run) verified(ctx context.Context, s *tool.Step, result Result) (bool, error) {
	value, err := result.tree()
	if err != nil {
		return false, err
	}
	if s.Kind == "" {
		return r.holdsFor(ctx, s.Expr, value)
	}
	n := r.beginBeside(s, template.Run{Args: r.call.Scope.Args, Result: value})
	if r.check != nil {
		n.beside.kept = r.check.beside.kept
	}
	answer, err := n.walk(ctx, chain(checkSteps))
	for _, w := range append(n.envelope.Warnings, answer.Warnings...) {
		r.warn("verify: %s", w)
	}
	if err != nil {
		e := asError(err)
		if e.Kind == KindRemote {
			r.warn("verify: %s", e.Message)
			return false, nil
		}
		return false, e
	}
	said, err := answer.tree()
	if err != nil {
		return false, err
	}
	if s.Expect != "" {
		return r.holdsFor(ctx, s.Expect, said)
	}
	return said != false, nil
}

// holdsFor evaluates a condition over a result, which is not needed any more. No
// expression gets to see a secret.
func (r *run) holdsFor(ctx context.Context, condition string, result any) (bool, error) {
	variables := r.call.Variables()
	variables["result"] = expression.Owned{Value: r.redactor.Value(result)}
	held, err := expression.Holds(ctx, condition, variables)
	if err != nil && ctx.Err() != nil {
		return false, ended(ctx)
	}
	return held, err
}
