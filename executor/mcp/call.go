package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/rest"
)

// call is one call of a tool in a session.
type call struct {
	runner  *Runner
	session *session
	target  *target
	request executor.Call
	first   bool // the session was made for this call
	output  *outputListener

	ctx    context.Context // of the call, which may outlive the run that made it
	cancel context.CancelCauseFunc

	token      string // names the call in the messages of its progress
	runsAsTask bool   // it asks for a task of version 2025-11-25
	state      *callState
	asked      chan *question // what the server asks the person
	outcome    chan outcome   // gets one value
	unfollow   func() bool    // ends what follow began

	// The session's mutex guards these and request.
	following context.Context // of the run that the call is a part of
	taskID    string          // "": it is no task
}

// enterSession enters the session of a target, and starts one if there is none. The caller must
// call leave.
func (r *Runner) enterSession(ctx context.Context, request executor.Call, t *target) (*call, error) {
	token, err := r.token(ctx, request, t)
	if err != nil {
		return nil, err
	}
	s, first, err := r.sessions.acquire(ctx, t, request)
	if err != nil {
		return nil, err
	}
	s.token.Store(token)
	s.shareSecrets(request)
	v := &call{runner: r, session: s, target: t, first: first, token: rand.Text(), asked: make(chan *question)}
	v.ctx, v.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	v.follow(ctx, request)
	v.output = s.console.listen(t.max, func() {
		v.cancel(executor.Errorf(executor.KindLimit, "console-size", "%s prints more than %s", t.host(), rest.Size(t.max)))
	})
	if first {
		go s.begin()
		request.Report(executor.Progress{Message: "connecting to " + t.name})
	}
	return v, nil
}

func (v *call) leave() {
	v.unfollow()
	v.cancel(nil)
	v.session.removeCall(v)
	v.output.close()
	v.runner.sessions.release(v.session)
}

// wait waits until the session is ready.
func (v *call) wait() error {
	select {
	case <-v.session.ready:
		return copyError(v.session.err)
	case <-v.ctx.Done():
		return v.endError()
	}
}

// endError returns why the call must end. It is nil if the call's context has not ended.
func (v *call) endError() error {
	if e, ok := errors.AsType[*executor.Error](context.Cause(v.ctx)); ok {
		return e
	}
	if err := v.following.Err(); err != nil {
		return err
	}
	return v.ctx.Err()
}

// cancelGrace is how long a server may take to read the cancellation of a call.
const cancelGrace = 5 * time.Second

// begin makes the call, unless [call.checkTool] forbids it.
func (v *call) begin() error {
	if v.first {
		v.reportDiscovery()
	}
	if err := v.checkTool(); err != nil {
		return err
	}
	found, _ := v.findTool()
	v.runsAsTask = found.RunsAsTask && !v.session.isStateless()
	v.session.addCall(v)
	v.state = &callState{token: v.token}
	ctx := withCallState(withHeaders(v.ctx, v.target.toolHeaders), v.state)
	v.outcome = make(chan outcome, 1)
	go func() {
		r, err := v.exchange(ctx)
		v.outcome <- outcome{r, err}
	}()
	return nil
}

// outcome is how the exchange of a call ended.
type outcome struct {
	result result
	err    error
}

// awaitOutcome waits until the call has a result, or the server has a question to the person. If the
// exchange does not end soon after the call, the server does not read its input and blocks all other
// calls, so awaitOutcome ends the session.
func (v *call) awaitOutcome() (executor.Result, *question, error) {
	select {
	case end := <-v.outcome:
		switch {
		case v.ctx.Err() != nil:
			return executor.Result{}, nil, v.endError()
		case end.err != nil:
			return executor.Result{}, nil, v.session.classifyError(v.state, end.err)
		}
		result, err := v.answer(end.result)
		return result, nil, err
	case q := <-v.asked:
		return executor.Result{}, q, nil
	case <-v.ctx.Done():
	}
	go v.endSlowSession()
	return executor.Result{}, nil, v.endError()
}

// endSlowSession ends the session if the exchange does not end soon.
func (v *call) endSlowSession() {
	select {
	case <-v.outcome:
	case <-time.After(cancelGrace):
		v.session.abandon()
	}
}

// abandon ends a session whose server does not read its input.
func (s *session) abandon() {
	s.fail(errors.New("it does not take in what it is sent"))
	s.stale.Store(true)
	s.cancel()
}

// await runs do and returns when do or the call ends. If do does not end soon after the call, await
// ends the session, as awaitOutcome does.
func (v *call) await(do func() error) error {
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = do()
	}()
	select {
	case <-done:
		return err
	case <-v.ctx.Done():
	}
	go func() {
		select {
		case <-done:
		case <-time.After(cancelGrace):
			v.session.abandon()
		}
	}()
	return v.ctx.Err()
}

// follow makes the call a part of a run: it reports to that run, and ends when the run's ctx ends.
func (v *call) follow(ctx context.Context, request executor.Call) {
	v.session.mu.Lock()
	v.request, v.following = request, ctx
	v.session.mu.Unlock()
	v.unfollow = context.AfterFunc(ctx, func() { v.cancel(context.Cause(ctx)) })
}

// report passes progress to the run that the call is a part of.
func (v *call) report(p executor.Progress) {
	v.session.mu.Lock()
	request, ctx := v.request, v.following
	v.session.mu.Unlock()
	if ctx.Err() == nil {
		request.Report(p)
	}
}

// addCall makes the call one of those to which the server's messages belong, until [call.leave].
func (s *session) addCall(v *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[v.token] = v
}

func (s *session) removeCall(v *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.calls, v.token)
}
