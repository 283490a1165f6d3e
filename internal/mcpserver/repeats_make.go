package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// attempt is one attempt to answer a call. Only one goroutine uses it.
type attempt struct {
	*repeatableCall
	repeats *repeats
	process string // the name of this process

	isVerified bool // who calls is known
}

// outcome is how a call was answered.
type outcome struct {
	result *sdk.CallToolResult // for who made the call
	err    error
	answer json.RawMessage // for who repeats it; nil: the repeat is a call of its own

	store func(context.Context) error // brings the outcome to the store; nil: there is nothing to change
}

// run makes a call, unless there is an earlier one with the same key: then it waits for the answer of
// that one.
func (a *attempt) run(ctx context.Context) (*outcome, error) {
	for pause := firstPause; ; {
		if o, err := a.runOnce(ctx); o != nil || err != nil {
			return o, err
		}
		if err := wait(ctx, &pause); err != nil {
			return nil, err
		}
	}
}

// runOnce returns nil if the call cannot be answered yet, since an earlier one is running.
func (a *attempt) runOnce(ctx context.Context) (*outcome, error) {
	before, err := a.repeats.store.find(ctx, a.id)
	switch {
	case err != nil:
		return nil, err
	case before == nil:
		return a.make(ctx, nil)
	}
	if !a.isVerified {
		if fault := a.server.verify(ctx, a.req); fault != nil {
			return &outcome{result: a.refuse(fault)}, nil
		}
		a.isVerified = true
	}
	switch {
	case before.Arguments != a.arguments:
		return &outcome{result: a.refuse(otherArguments())}, nil
	case before.Target != a.target:
		return &outcome{result: a.refuse(a.otherTarget())}, nil
	case before.IsEnded:
		return a.storedAnswer(ctx, before)
	case before.Process != a.process: // else this process has broken the call off
		if alive, err := a.repeats.store.isAlive(ctx, before.Process); alive || err != nil {
			return nil, err
		}
	}
	return a.followUp(ctx, before)
}

// storedAnswer returns the answer of an ended call. If that is gone, the call is made again, unless
// it would have a second effect.
func (a *attempt) storedAnswer(ctx context.Context, before *repeatRecord) (*outcome, error) {
	answer, _ := a.repeats.unkept.Get(a.id)
	if !before.IsUnkept {
		var err error
		if answer, err = a.repeats.store.answer(ctx, a.id); err != nil {
			return nil, err
		}
	}
	switch {
	case answer != nil:
		return a.firstAnswer(ctx, answer), nil
	case a.mayRunAgain():
		return a.make(ctx, before)
	}
	return &outcome{result: a.answerGone()}, nil
}

// firstAnswer returns the outcome of a repeat that gets the answer of an earlier call.
func (a *attempt) firstAnswer(ctx context.Context, answer json.RawMessage) *outcome {
	result, err := a.decode(ctx, answer)
	return &outcome{result: result, err: err, answer: answer}
}

// followUp answers the repeat of a call that no process makes any more.
func (a *attempt) followUp(ctx context.Context, before *repeatRecord) (*outcome, error) {
	if before.Task != "" && before.Task != a.taskID() {
		if o, err := a.awaitTask(ctx, before.Task); o != nil || err != nil {
			return o, err
		}
	} else if a.req.Tool.Kind == tool.KindAsyncWebhook {
		pending, isAwaited := a.claim(ctx)
		switch {
		case pending != nil:
			return a.resume(ctx, before, *pending)
		case isAwaited:
			return nil, nil
		}
	}
	if before.IsStarted && !a.mayRunAgain() {
		return &outcome{result: a.outcomeUnknown()}, nil
	}
	return a.make(ctx, before)
}

// record returns the record of the call for this process. It has the key and the age of before.
func (a *attempt) record(before *repeatRecord) repeatRecord {
	r := repeatRecord{
		Arguments: a.arguments, Target: a.target, Key: rand.Text(), Process: a.process, Began: time.Now().UTC(),
		Task: a.taskID(), Rounds: a.client.usesRounds,
	}
	if before != nil {
		r.Key, r.Began = before.Key, before.Began
	}
	return r
}

// make makes the call. before is the record that it replaces; nil: there is none. It returns nil if
// another process was faster.
func (a *attempt) make(ctx context.Context, before *repeatRecord) (*outcome, error) {
	h, err := a.repeats.store.take(ctx, a.id, before, a.record(before))
	if h == nil || err != nil {
		return nil, err
	}
	isStarted := false
	req := a.req
	req.Repeatable = &executor.Repeatable{ID: a.id, Key: h.record.Key, Started: func(ctx context.Context) error {
		if !h.record.IsStarted && !a.mayRunAgain() {
			if err := h.start(ctx); err != nil {
				return err
			}
		}
		isStarted = true
		return nil
	}}
	result, err := a.runCall(ctx, a.tool, req)
	o := &outcome{result: result, err: err}
	switch {
	case !isStarted && !a.isAnswered(), a.isUnsent(), err != nil && ctx.Err() == nil:
		o.store = h.release
	case a.isLeftWaiting():
	case err != nil:
		o.store = h.breakOff
	default:
		return a.keep(o, h)
	}
	return o, nil
}

// isAnswered reports whether the call has succeeded. It may have done so without being sent.
func (a *attempt) isAnswered() bool { return a.last != nil && a.last.OK }

// isUnsent reports whether the last run sent nothing, or ended with a question.
func (a *attempt) isUnsent() bool {
	e := a.last
	return e.Needs != nil || e.Error != nil && e.Error.IsUnsent() && len(e.Attempts) <= 1
}

// isLeftWaiting reports whether a later process gets the result of the last run.
func (a *attempt) isLeftWaiting() bool {
	return a.last.Error != nil && a.last.Error.Code == executor.CodeContinuesLater
}

// keep makes the result of a call the answer for its repeats.
func (a *attempt) keep(o *outcome, h *heldRecord) (_ *outcome, err error) {
	if o.answer, err = json.Marshal(o.result); err != nil {
		return nil, err
	}
	isUnkept := a.repeats.isUnkept(a.id, callerName(a.call.Extra), a.tool.tool, o.answer)
	o.store = func(ctx context.Context) error {
		if err := h.end(ctx, o.answer, isUnkept); err != nil || a.req.Tool.Kind != tool.KindAsyncWebhook {
			return err
		}
		return a.server.opts.Resumer.ForgetPending(ctx, a.last.Run)
	}
	return o, nil
}

// isUnkept reports whether an answer may not be stored: the tool does not allow it, or there is no room.
// What a tool does not allow to be stored is kept in memory.
func (rs *repeats) isUnkept(id, caller string, t *tool.Tool, answer json.RawMessage) bool {
	if !executor.KeepsResult(t) {
		rs.unkept.Add(id, answer)
		return true
	}
	return !rs.quota.reserve(caller, len(answer))
}
