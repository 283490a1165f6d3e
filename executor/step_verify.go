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

// The steps of preparing a verification, and those of making it, in order.
var (
	previewCheckSteps = []step{
		findRunner,
		bindStepArguments,
		selectVariant,
		showRequest,
		checkStepReach,
		endPreviewCheck,
	}
	verifySteps = []step{
		findRunner,
		bindStepArguments,
		selectVariant,
		showRequest,
		checkStepReach,
		useFoundSecrets,
		prepareRunner,
		limitCall,
		retry,
		applyBreaker,
		awaitRateLimit,
		makeAttempt,
		runKind,
	}
)

// previewCheck prepares the run that will verify this one, so that all questions to the person
// come before the call can change something.
func previewCheck(ctx context.Context, r *run, next handler) (Result, error) {
	s := r.req.Tool.Verify
	if err := cmp.Or(r.checkStepExpressions("verify", s), r.checkStepExpressions("revert", r.req.Tool.Revert)); err != nil {
		return Result{}, err
	}
	if s == nil || s.Kind == "" {
		return next(ctx, r)
	}
	r.verification = r.beginVerification(s, template.Run{Args: r.call.Scope.Args, Coming: true})
	_, err := chain(previewCheckSteps)(ctx, r.verification)
	if err == nil {
		return next(ctx, r)
	}
	// Other errors may only mean that a stand-in for the result does not fit.
	if e := asError(err); slices.Contains([]ErrorKind{KindDefinition, KindDenied}, e.Kind) {
		return Result{}, prefixProperty("verify", e)
	}
	return next(ctx, r)
}

// checkStepExpressions returns an error for the first expression of s that is not valid, whatever
// the result of the run will be. name is the step's name, verify or revert. s may be nil.
func (r *run) checkStepExpressions(name string, s *tool.Step) error {
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

// endPreviewCheck is the last step of previewCheckSteps. It sends nothing.
func endPreviewCheck(context.Context, *run, handler) (Result, error) { return Result{}, nil }

// checkStepReach stops a verification or revert if the project denies one of its accesses, or if
// it would run without a jail and was not confirmed.
func checkStepReach(ctx context.Context, r *run, next handler) (Result, error) {
	if err := r.checkReach(); err != nil {
		return Result{}, err
	}
	if why := r.reach.Unjailed; why != "" && !r.stepContext.originalRun.Coming && !r.stepContext.confirmed {
		return Result{}, Errorf(KindDenied, "unjailed", "it would run without a jail, which nobody has confirmed: %s", why)
	}
	return next(ctx, r)
}

// useFoundSecrets uses the secrets that were looked up before the run being verified. It
// returns an error if a secret was not looked up then.
func useFoundSecrets(ctx context.Context, r *run, next handler) (Result, error) {
	names, err := r.secretNames()
	if err != nil {
		return Result{}, err
	}
	for _, name := range names {
		if _, ok := r.stepContext.foundSecrets[name]; !ok {
			return Result{}, Errorf(KindDefinition, "missing-secrets", "the secret %s was not asked for in time", name)
		}
	}
	if err := r.permitSecrets(r.secretAccesses(names)); err != nil {
		return Result{}, err
	}
	r.call.Scope.Secrets = r.stepContext.foundSecrets
	return next(ctx, r)
}

// prefixProperty returns a copy of e whose message begins with the property.
func prefixProperty(property string, e *Error) *Error {
	in := *e
	in.Message = property + ": " + e.Message
	return &in
}

// verifyResult verifies a run that succeeded. A run whose verification fails, or could not be
// made, has failed, although its call was made.
func verifyResult(ctx context.Context, r *run, next handler) (Result, error) {
	result, err := next(ctx, r)
	s := r.req.Tool.Verify
	if err != nil || s == nil {
		return result, err
	}
	holds, why := r.verificationHolds(ctx, s, result)
	if why == nil {
		r.envelope.Verified = &holds
	}
	if holds && why == nil {
		return result, nil
	}
	return result, Errorf(KindResult, codeUnverified, "%s was called, but %s", r.req.Tool.Name, r.verifyFailure(s, why))
}

// codeUnverified is the code of a run whose call was made but whose verification failed.
const codeUnverified = "verify-failed"

// verifyFailure returns the end of the message for a run that is not verified by s. why is the
// error if the verification could not be made, and nil if it was made and failed.
func (r *run) verifyFailure(s *tool.Step, why error) string {
	what := cmp.Or(s.Expr, s.Expect)
	switch {
	case why != nil:
		return fmt.Sprintf("could not be verified: %v", why)
	case what != "":
		return fmt.Sprintf("verify does not hold: %s", Shorten(what, 200))
	}
	return "verify says that it did not do what it should"
}

// verificationHolds reports whether the verification s holds for result. If the other side answers
// the verification with an error, the verification does not hold, and a warning says so.
// verificationHolds returns an error if the verification could not be made.
func (r *run) verificationHolds(ctx context.Context, s *tool.Step, result Result) (bool, error) {
	value, err := result.decodeValue()
	if err != nil {
		return false, err
	}
	if s.Kind == "" {
		return r.resultHolds(ctx, s.Expr, value)
	}
	n := r.beginVerification(s, template.Run{Args: r.call.Scope.Args, Result: value})
	if r.verification != nil {
		n.stepContext.foundSecrets = r.verification.stepContext.foundSecrets
	}
	answer, err := n.callSteps(ctx, chain(verifySteps))
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
	answerValue, err := answer.decodeValue()
	if err != nil {
		return false, err
	}
	if s.Expect != "" {
		return r.resultHolds(ctx, s.Expect, answerValue)
	}
	return answerValue != false, nil
}

// resultHolds reports whether a condition holds for a result. The condition sees no secret. The
// caller must not use result afterwards.
func (r *run) resultHolds(ctx context.Context, condition string, result any) (bool, error) {
	variables := r.call.Variables()
	variables["result"] = expression.OwnedValue{Value: r.redactor.Value(result)}
	holds, err := expression.Holds(ctx, condition, variables)
	if err != nil && ctx.Err() != nil {
		return false, contextError(ctx)
	}
	return holds, err
}
