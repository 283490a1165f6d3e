package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
)

// Resumer continues calls that outlive the process which made them.
type Resumer interface {
	ClaimPending(ctx context.Context, mine func(executor.PendingCall) bool) (claimed []executor.PendingCall, busy int, err error)
	Resume(ctx context.Context, req executor.Request, p executor.PendingCall) executor.Envelope
	ForgetPending(ctx context.Context, run string) error
}

// taskOf returns the task of an earlier call with the idempotency key of r. ok is false if there is
// none.
func (rs *repeats) taskOf(ctx context.Context, s *Server, t servedTool, r *sdk.CallToolRequest) (head taskHead, ok bool) {
	key, fault := clientKey(r)
	if fault != nil || key == "" {
		return head, false
	}
	req, fault := s.requestOf(t, r.Extra)
	if fault != nil {
		return head, false
	}
	k := newRepeatableCall(&conversation{server: s, call: r}, t, req, key)
	before, err := rs.store.find(ctx, k.id)
	if err != nil || before == nil || before.Task == "" || before.Arguments != k.arguments || before.Target != k.target {
		return head, false
	}
	now, _, err := rs.tasks.lookUp(withRequester(ctx, requester{ownerOf(r.Extra), r.Extra}), before.Task)
	return now.taskHead, err == nil
}

// awaitTask waits for the task of an earlier call. The outcome is nil if the task ends without a
// result.
func (a *attempt) awaitTask(ctx context.Context, id string) (*outcome, error) {
	asCaller := withRequester(ctx, requester{owner: ownerOf(a.call.Extra)}) // who is verified
	for pause := firstPause; ; {
		now, _, err := a.repeats.tasks.lookUp(asCaller, id)
		switch {
		case err != nil, now.Status.isEnd() && now.Status != taskCompleted:
			return nil, nil //nolint:nilerr // the task is forgotten
		case now.Status == taskCompleted:
			return a.firstAnswer(ctx, now.Result), nil
		}
		if err := wait(ctx, &pause); err != nil {
			return nil, err
		}
	}
}

// claim takes over the callback of the call, if its process has left one. isAwaited says that
// another process waits for it.
func (a *attempt) claim(ctx context.Context) (p *executor.PendingCall, isAwaited bool) {
	resumer := a.server.opts.Resumer
	if resumer == nil {
		return nil, false
	}
	claimed, busy, err := resumer.ClaimPending(ctx, func(p executor.PendingCall) bool { return p.Repeat == a.id })
	switch {
	case err != nil:
		return nil, true // it is looked at again
	case len(claimed) > 0 && claimed[0].Fault == nil:
		return &claimed[0], false
	}
	return nil, busy > 0
}

// resume waits for the callback of the call, whose process has ended.
func (a *attempt) resume(ctx context.Context, before *repeatRecord, p executor.PendingCall) (*outcome, error) {
	h, err := a.repeats.store.take(ctx, a.id, before, a.record(before))
	if h == nil || err != nil {
		return nil, err
	}
	envelope := a.server.opts.Resumer.Resume(ctx, a.req, p)
	a.last = &envelope
	if cancelled := ctx.Err(); cancelled != nil {
		o := &outcome{err: cancelled}
		if !a.isLeftWaiting() {
			o.store = h.breakOff
		}
		return o, nil
	}
	return a.keep(&outcome{result: toolResult(a.tool.tool, envelope, a.client.usesRounds)}, h)
}

// sweepInterval is how often a server looks for what ended processes have left.
const sweepInterval = 10 * time.Second

// sweep takes up, until ctx ends, the callbacks and the tasks that ended processes have left.
func (rs *repeats) sweep(ctx context.Context) {
	if !rs.sweeping.TryLock() {
		return // another goroutine does
	}
	defer rs.sweeping.Unlock()
	reported := map[string]bool{}
	for ctx.Err() == nil {
		rs.takeUpCallbacks(ctx, reported)
		rs.tasks.takeOverLost(ctx)
		pause := sweepInterval
		_ = wait(ctx, &pause)
	}
}

// takeUpCallbacks waits for the callbacks that ended processes have left. reported are the runs that
// the log has named.
func (rs *repeats) takeUpCallbacks(ctx context.Context, reported map[string]bool) {
	s := rs.tasks.server
	if s.opts.Resumer == nil {
		return
	}
	claimed, _, err := s.opts.Resumer.ClaimPending(ctx, func(p executor.PendingCall) bool {
		_, ok := s.toolOf(p)
		return ok && p.Task == "" && !rs.isFlying(p.Repeat)
	})
	if err != nil {
		rs.log().Warn("the callbacks of earlier processes are not known", "error", err)
	}
	for _, p := range claimed {
		switch {
		case p.Fault == nil:
			rs.start(func() { rs.awaitCallback(p) })
		case !reported[p.Run]:
			reported[p.Run] = true
			rs.log().Warn("the callback of an earlier process cannot come", "tool", p.Tool, "run", p.Run, "error", p.Fault)
		}
	}
}

// isFlying reports whether a client of this process waits for the answer of a call.
func (rs *repeats) isFlying(id string) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for key := range rs.flights {
		if key.id == id {
			return true
		}
	}
	return false
}

// toolOf returns the served tool of a call that an ended process has made.
func (s *Server) toolOf(p executor.PendingCall) (t servedTool, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tools {
		if t.tool.Name == p.Tool && t.tool.Origin.File == p.File && t.tool.Kind == p.Kind {
			return t, true
		}
	}
	return t, false
}

// awaitCallback waits for a callback that an ended process has left. The journal gets the end of the
// call, and repeats of the call get its result.
func (rs *repeats) awaitCallback(p executor.PendingCall) {
	s := rs.tasks.server
	t, _ := s.toolOf(p)
	if t.tool == nil {
		return // it is not served any more
	}
	req, err := t.request()
	if err != nil {
		rs.log().Warn("the callback of an earlier process is not waited for", "tool", p.Tool, "run", p.Run, "error", err)
		return
	}
	before, err := rs.store.find(rs.ctx, p.Repeat)
	if err != nil || before == nil {
		before = &repeatRecord{} // no client repeats it
	}
	f, isNew := rs.join(flightKey{cmp.Or(p.Repeat, p.Run), before.Arguments})
	s.opts.ApplyAnswers(&req)
	req.FromModel = true
	envelope := s.opts.Resumer.Resume(rs.ctx, req, p)
	o := &outcome{err: rs.ctx.Err()}
	if o.err == nil {
		o = rs.resumed(p, t, toolResult(t.tool, envelope, before.Rounds))
	}
	switch {
	case isNew:
		rs.settle(rs.ctx, f, o)
	case o.store != nil: // a client has begun to wait, and finds the answer in the store
		rs.persist(p.Repeat, o.store)
	}
}

// resumed makes the result of a resumed call the answer of its repeats.
func (rs *repeats) resumed(p executor.PendingCall, t servedTool, result *sdk.CallToolResult) *outcome {
	o := &outcome{result: result}
	if p.Repeat == "" {
		return o
	}
	if o.answer, o.err = json.Marshal(result); o.err != nil {
		return o
	}
	isUnkept := rs.isUnkept(p.Repeat, "", t.tool, o.answer) // whose call it was is not known
	o.store = func(ctx context.Context) error {
		before, err := rs.store.find(ctx, p.Repeat)
		if before == nil || before.IsEnded || err != nil {
			return errors.Join(err, rs.tasks.server.opts.Resumer.ForgetPending(ctx, p.Run))
		}
		h, err := rs.store.hold(ctx, p.Repeat, before, *before)
		if err != nil {
			return err
		}
		return errors.Join(h.end(ctx, o.answer, isUnkept), rs.tasks.server.opts.Resumer.ForgetPending(ctx, p.Run))
	}
	return o
}
