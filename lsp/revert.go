package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

// revertArgument is the argument of abl.revert: a run, and the person's answers as for
// abl.run.
type revertArgument struct {
	Run     string          `json:"run"`
	Session json.RawMessage `json:"session"`
	runAnswers
}

// revertRun answers with the envelope of the call that reverts a run of the journal.
func revertRun(ctx context.Context, x execution, argument *revertArgument) (any, error) {
	if x.opts.Executor == nil {
		return nil, errNoExecutor
	}
	row, err := x.findPastRun(argument.Run)
	if fault, ok := errors.AsType[*executor.Error](err); ok {
		return encodeEnvelope(executor.RefusedEnvelope(nil, fault))
	}
	if err != nil {
		return nil, fmt.Errorf("the journal: %w", err)
	}
	req, refused, err := x.prepareRevert(ctx, argument, row)
	return answerCall(refused, err, func() executor.Envelope {
		return x.runCall(ctx, req, "Reverting ", func(ctx context.Context, req executor.Request) executor.Envelope {
			return x.opts.Executor.Revert(ctx, req, argument.Run)
		})
	})
}

// findPastRun returns the run of the journal with an id. If there is none, the error is
// executor.NoSuchRunError.
func (x execution) findPastRun(id string) (executor.PastRun, error) {
	row, ok, err := x.opts.Executor.FindRun(id)
	if err == nil && !ok {
		return row, executor.NoSuchRunError(id)
	}
	return row, err
}

// prepareRevert builds the request that reverts the run row, from the tool in the current
// text. refused is the answer if the tool does not exist any more or has errors, otherwise
// nil.
func (x execution) prepareRevert(ctx context.Context, a *revertArgument, row executor.PastRun) (req executor.Request, refused *executor.Envelope, err error) {
	path := cmp.Or(row.RequestedFrom, row.File)
	snap := x.files.withFile(x.snap, path)
	t, ok := invoke.FindToolOfRun(snap.workspace, row, x.checkAllIn(ctx, snap))
	if !ok {
		return req, new(executor.RefusedEnvelope(nil, invoke.ToolGoneError(row))), nil
	}
	return newCallRequest(snap, t, invoke.CallOptions{Environment: row.Environment, Session: nilIfNull(a.Session)}, a.runAnswers)
}
