package invoke

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Outcome is how the run of a saved case ended.
type Outcome string

// The outcomes.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"  // the result is not what it expects
	Skipped Outcome = "skipped" // the case says so, with a reason
	Errored Outcome = "errored" // the tool was not called
)

// CaseResult is the result of a saved case.
type CaseResult struct {
	Outcome Outcome
	Failure *Failure           // why it did not pass; nil if it passed
	Result  *executor.Envelope // nil if the tool was not called
	Args    []byte             // the arguments of the call, as JSON
}

// RunCase calls the tool with the case saved, overridden by the options, and checks the
// result. answer adds the person's answers to the request; call makes the call. Neither is
// called if the case is to be skipped, the tool is broken or there can be no request.
func (t Tool) RunCase(ctx context.Context, saved projectfile.Case, c CallOptions, answer func(*executor.Request), call func(executor.Request) executor.Envelope) CaseResult {
	if saved.Skip != "" {
		return CaseResult{Outcome: Skipped, Failure: &Failure{Message: saved.Skip, Span: saved.Span}}
	}
	if len(t.Broken) > 0 {
		refused := t.RefusedEnvelope(filepath.Base(t.BrokenIn.Path))
		return uncalledResult(saved.Span, refused.Error, &refused)
	}
	req, err := t.testRequest(saved, c)
	if fault, ok := errors.AsType[*executor.Error](err); ok {
		refused := executor.RefusedEnvelope(&t.Tool, fault)
		return uncalledResult(saved.Span, err, &refused)
	}
	if err != nil {
		return uncalledResult(saved.Span, err, nil)
	}
	req.Fresh = true // a test asks what the tool answers now
	answer(&req)
	result := call(req)
	tested := CaseResult{Outcome: Passed, Result: &result, Args: req.Args}
	if tested.Failure = CheckExpectation(ctx, saved.Expect, req.Args, result); tested.Failure != nil {
		tested.Outcome = Failed
	}
	if wasNotRun(result) {
		tested.Outcome = Errored
	}
	return tested
}

// testRequest returns the request of a case. It is an error if the case has an expectation
// that cannot be checked.
func (t Tool) testRequest(saved projectfile.Case, c CallOptions) (executor.Request, error) {
	if want := saved.Expect.Value; want != "" {
		if err := expression.Check(want, projectfile.ExpectNames()...); err != nil {
			return executor.Request{}, executor.Errorf(executor.KindDefinition, "expect", "expect.value: %w", err)
		}
	}
	return t.CaseRequest(saved, c)
}

func uncalledResult(at text.Span, why error, refused *executor.Envelope) CaseResult {
	return CaseResult{Outcome: Errored, Failure: &Failure{Message: why.Error(), Span: at}, Result: refused}
}
