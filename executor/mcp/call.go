package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

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

	ctx    context.Context
	cancel context.CancelCauseFunc
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
	v := &call{runner: r, session: s, target: t, request: request, first: first}
	v.ctx, v.cancel = context.WithCancelCause(ctx)
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
	v.cancel(nil)
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
	return v.ctx.Err()
}

// cancelGrace is how long a server may take to read the cancellation of a call.
const cancelGrace = 5 * time.Second

// callTool calls the tool, unless [call.checkTool] forbids it.
func (v *call) callTool() (executor.Result, error) {
	if v.first {
		v.reportDiscovery()
	}
	if err := v.checkTool(); err != nil {
		return executor.Result{}, err
	}
	params := &sdk.CallToolParams{Name: v.target.tool, Arguments: v.request.Arguments()}
	token := rand.Text()
	params.SetProgressToken(token)
	defer v.session.addProgressHandler(token, v.request.Report)()

	t := new(callState)
	ctx := withCallState(withHeaders(v.ctx, v.target.toolHeaders), t)
	var result *sdk.CallToolResult
	err := v.await(func() (err error) {
		result, err = v.session.client.CallTool(ctx, params)
		return err
	})
	switch {
	case v.ctx.Err() != nil:
		return executor.Result{}, v.endError()
	case err != nil:
		return executor.Result{}, v.session.classifyError(t, err)
	}
	return v.answer(result)
}

// await runs do and returns when do or the call ends. If do does not end soon after the call, the
// server does not read its input and blocks all other calls, so await ends the session.
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
			v.session.fail(errors.New("it does not take in what it is sent"))
			v.session.stale.Store(true)
			v.session.cancel()
		}
	}()
	return v.ctx.Err()
}

// addProgressHandler makes show receive the progress with a token, until the caller calls end.
func (s *session) addProgressHandler(token string, show func(executor.Progress)) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress[token] = show
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.progress, token)
	}
}
