package executor

import (
	"context"
	"errors"
	"time"

	"github.com/abl-lsp/abl-lsp/tool"
)

// ErrEnding is the cause with which a context is cancelled because the program ends. It tells
// this case from a cancellation by the person.
var ErrEnding = errors.New("the program ends")

// CodeContinuesLater is the code of a run that a later process continues.
const CodeContinuesLater = "left-waiting"

// ContinuesLaterError returns the error of a call that ends with this process, and whose result
// a later process waits for.
func ContinuesLaterError() *Error {
	return Errorf(KindTimeout, CodeContinuesLater, "the program ended first; the next session of this folder waits for the result")
}

// PendingCall is a call that has not ended although the process that made it has.
type PendingCall struct {
	Run         string
	Task        string // the task that waits for the result; "": any later session may
	Repeat      string // the [Repeatable.ID] of a call whose repeats get the result; "": there are none
	Tool        string
	File        string // the file that declares the tool
	Kind        tool.Kind
	Environment string
	Began       time.Time
	Fault       error // why no process can wait for its end; nil: one can
}

// Resumer is a Runner whose calls may outlive the process.
type Resumer interface {
	// Claim takes over those calls of ended processes for which mine reports true. The caller
	// must resume each claimed call that has no Fault. busy is the number of such calls that a
	// living process still waits for.
	Claim(ctx context.Context, mine func(PendingCall) bool) (claimed []PendingCall, busy int, err error)

	// Resume waits for the end of p, a claimed call. It does not make the call again. Only the
	// tool and the environment of call are known.
	Resume(ctx context.Context, call Call, p PendingCall) (Result, error)

	// Forget forgets a call that has a Repeat and has ended. Until then it stays pending, so that its
	// result is not lost with the process before its repeats can get it.
	Forget(ctx context.Context, run string) error
}

// resumeSteps are the steps of waiting for the end of a call, in order. The call was checked and
// confirmed when it began.
var resumeSteps = []step{
	applyOutcome,
	locateError,
	requireTrust,
	findRunner,
	bindArguments,
	warnUnverified,
	checkResult,
	processAfter,
	trackSecrets,
	makeAttempt,
	resume,
}

// ClaimPending takes over those calls of ended processes for which mine reports true. busy is the
// number of such calls that a living process still waits for. err joins the errors of the Runners;
// the claimed calls are returned in any case.
func (e *Executor) ClaimPending(ctx context.Context, mine func(PendingCall) bool) (claimed []PendingCall, busy int, err error) {
	for _, runner := range e.runners.all() {
		if r, ok := runner.(Resumer); ok {
			more, runningElsewhere, fault := r.Claim(ctx, mine)
			claimed, busy, err = append(claimed, more...), busy+runningElsewhere, errors.Join(err, fault)
		}
	}
	return claimed, busy, err
}

// ForgetPending forgets a run that has a [PendingCall.Repeat], once its result is stored.
func (e *Executor) ForgetPending(ctx context.Context, run string) (err error) {
	for _, runner := range e.runners.all() {
		if r, ok := runner.(Resumer); ok {
			err = errors.Join(err, r.Forget(ctx, run))
		}
	}
	return err
}

// Resume waits for the end of p, a claimed call. It uses the tool and the environment of req, and
// ignores its arguments and session.
func (e *Executor) Resume(ctx context.Context, req Request, p PendingCall) Envelope {
	known := *req.Tool
	known.Params, known.InputSchema = nil, nil
	req.Tool, req.Args, req.Session = &known, nil, nil
	r := e.newRun(req, p.Began)
	r.envelope.Run, r.pending, r.recorded = p.Run, &p, e.journal != nil
	return r.execute(ctx, chain(resumeSteps))
}

// warnUnverified warns that the result of a resumed call is not verified, because only
// its tool is known.
func warnUnverified(ctx context.Context, r *run, next handler) (Result, error) {
	if r.req.Tool.CanVerify() {
		r.warn("the call began in another process, so it is not verified")
	}
	return next(ctx, r)
}

// trackSecrets looks up the secrets again after the call, so that they are removed from the
// result.
func trackSecrets(ctx context.Context, r *run, next handler) (Result, error) {
	result, err := next(ctx, r)
	if ctx.Err() != nil {
		return result, err
	}
	names, fault := r.secretNames()
	if fault == nil {
		_, _, fault = r.findSecrets(ctx, names)
	}
	if fault != nil {
		r.warn("secrets that were sent may not be known any more: %v", fault)
	}
	return result, err
}

// resume is the last step of [Executor.Resume]: it calls [Resumer.Resume], which waits for the
// result and does not run the tool again. The Runner is a Resumer, since it claimed the call.
func resume(ctx context.Context, r *run, _ handler) (Result, error) {
	return r.runner.(Resumer).Resume(ctx, r.call, *r.pending)
}
