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

// Outcome says what became of a saved case.
type Outcome string

// The outcomes.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"  // the result is not what it expects
	Skipped Outcome = "skipped" // it says why
	Errored Outcome = "errored" // the tool was not called
)

// CaseResult is what became of a saved case.
type CaseResult struct {
	Outcome Outcome
	Failure *Failure           // why it did not pass; nil where it did
	Result  *executor.Envelope // nil where nothing was called
	Args    []byte             // with which it was called, as JSON
}

// RunCase calls the tool as a saved case says, with the choice laid over it, and judges
// the result. answer adds what the person says to the request; call makes it.
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

// testRequest is what a case asks for. One that expects what nobody can judge is not
// called.
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
