package lsp

import (
	"context"
	"encoding/json"
	"errors"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

// testAnswer is the answer to abl.test.
type testAnswer struct {
	Status   invoke.Outcome  `json:"status"`
	Failures []testFailure   `json:"failures"`
	Result   json.RawMessage `json:"result"` // the envelope; null if the tool was not called
}

// testFailure is a difference between the result and what the case expects.
type testFailure struct {
	Message  string         `json:"message"`
	Expected string         `json:"expected"`
	Actual   string         `json:"actual"`
	URI      uri.URI        `json:"uri"`
	Range    protocol.Range `json:"range"`
}

// testCase runs a saved case and compares the result with what the case expects.
func testCase(ctx context.Context, x execution, argument *runArgument) (any, error) {
	t, snap, err := x.findTool(ctx, argument)
	if why, ok := errors.AsType[noToolError](err); ok {
		return x.answerMissingTool(argument, why)
	}
	if err != nil {
		return nil, err
	}
	saved, err := t.FindCase(argument.Case)
	if err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	answer := func(req *executor.Request) { addAnswers(snap, req, argument.runAnswers) }
	tested := t.RunCase(ctx, saved, argument.callOptions(snap.settings), answer, func(req executor.Request) executor.Envelope {
		return x.runCall(ctx, req, "Testing ", x.opts.Executor.Run)
	})
	if f := tested.Failure; f != nil {
		now := x.files.withFile(x.session.load(), saved.File)
		if f.FollowEdits(saved, model.SavedCases(snap.workspace, saved.File), model.SavedCases(now.workspace, saved.File)) {
			snap = now
		}
	}
	return newTestAnswer(snap, tested, saved.File)
}

// answerMissingTool returns the result of a case whose tool does not exist: only this
// case fails.
func (x execution) answerMissingTool(argument *runArgument, why error) (any, error) {
	path, snap, err := x.resolveFile(argument.URI)
	if err != nil {
		return nil, err
	}
	for _, c := range model.SavedCases(snap.workspace, path) {
		if c.Tool == argument.Tool && c.Name == argument.Case {
			return newTestAnswer(snap, invoke.CaseResult{Outcome: invoke.Errored, Failure: &invoke.Failure{Message: why.Error(), Span: c.Span}}, path)
		}
	}
	return nil, why
}

// newTestAnswer converts the result of a case in a file.
func newTestAnswer(snap *snapshot, t invoke.CaseResult, file string) (answer testAnswer, err error) {
	answer = testAnswer{Status: t.Outcome, Failures: []testFailure{}, Result: json.RawMessage("null")}
	if f := t.Failure; f != nil {
		where, _ := snap.location(file, f.Span) // the file has been read
		answer.Failures = append(answer.Failures, testFailure{f.Message, f.Expected, f.Actual, where.URI, where.Range})
	}
	if t.Result != nil {
		raw, err := encodeEnvelope(*t.Result)
		if err != nil {
			return answer, err
		}
		answer.Result = json.RawMessage(raw)
	}
	return answer, nil
}
