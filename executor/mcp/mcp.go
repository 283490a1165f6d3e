// Package mcp runs the tools of `type: mcp`: tools of MCP servers that the project's
// file names.
//
// A server is used as the project's file describes it. Its session stays open for later runs, and
// is started again after it ended. Numbers keep their digits. Messages are bounded in memory. A
// server gets only the requests that a run or a person needs.
package mcp

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// Options configure a Runner.
type Options struct {
	Dialer      *dial.Dialer  // owns the connections; nil: one of its own
	Tokens      *oauth.Client // obtains the tokens of servers; nil: one of its own
	Version     string        // of this program; it is sent to servers
	Idle        time.Duration // how long an unused session stays open; 0: 5 minutes
	MaxSessions int           // the most open sessions; 0: 16

	InstallTimeout time.Duration // bounds the start of a server by npx and the like; 0: 2 minutes
	AnswerTimeout  time.Duration // how long a call waits for the person's answers to the server; 0: 10 minutes
}

// Runner runs mcp tools. It is safe for concurrent use.
type Runner struct {
	opts        Options
	sessions    *pool
	parked      parkedCalls
	destructive *destructiveTools
}

// New returns a Runner. The caller must call [Runner.Close].
func New(o Options) *Runner {
	o.Dialer = cmp.Or(o.Dialer, dial.New(dial.Options{}))
	if o.Tokens == nil {
		o.Tokens = oauth.New(oauth.Options{Dialer: o.Dialer})
	}
	o.Idle = cmp.Or(o.Idle, 5*time.Minute)
	o.MaxSessions = cmp.Or(o.MaxSessions, 16)
	o.InstallTimeout = cmp.Or(o.InstallTimeout, installTimeout)
	o.AnswerTimeout = cmp.Or(o.AnswerTimeout, answerTimeout)
	seen := new(destructiveTools)
	return &Runner{opts: o, sessions: newPool(o, seen), destructive: seen, parked: parkedCalls{timeout: o.AnswerTimeout}}
}

// Close ends all sessions, including those in use, the processes of their servers, and the sign-ins
// that still wait for a person. Its error is always nil.
func (r *Runner) Close() error {
	r.parked.close()
	r.sessions.close()
	return r.opts.Tokens.Close()
}

// Run calls the tool once. If the session turns out to have ended before the server can have begun
// the call, Run makes the call in a new session. If the server asks the person something, the error
// is an [executor.InputError], and the call waits for the answers.
func (r *Runner) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	if call.Input != nil {
		return r.resume(ctx, call)
	}
	t, err := r.target(call)
	if err != nil {
		return executor.Result{}, err
	}
	result, reused, err := r.callOnce(ctx, call, t)
	if reused && ctx.Err() == nil && isUnsent(err) {
		result, _, err = r.callOnce(ctx, call, t)
	}
	return result, r.noteChallenge(ctx, call, t, err)
}

func isUnsent(err error) bool {
	e, ok := errors.AsType[*executor.Error](err)
	return ok && e.Unsent && e.Kind == executor.KindNetwork
}

// callOnce makes the call in the session of its server. reused says that the session existed
// before.
func (r *Runner) callOnce(ctx context.Context, call executor.Call, t *target) (result executor.Result, reused bool, err error) {
	v, err := r.enterSession(ctx, call, t)
	if err != nil {
		return result, false, err
	}
	if err = v.wait(); err == nil {
		if v.first { // it is no longer connecting
			call.Report(executor.Progress{Message: "calling " + t.name})
		}
		err = v.begin()
	}
	if err != nil {
		defer v.leave()
		return v.withOutput(executor.Result{}), !v.first, err
	}
	result, err = r.finishCall(v)
	return result, !v.first, err
}

// finishCall waits for the result of a call that has begun. If the server has a question to the
// person, the call waits for [Runner.resume].
func (r *Runner) finishCall(v *call) (executor.Result, error) {
	result, q, err := v.awaitOutcome()
	switch {
	case q == nil:
		defer v.leave()
	case v.unfollow():
		return executor.Result{}, r.park(v, q)
	default:
		defer v.leave()
		err = v.endError()
	}
	return v.withOutput(result), err
}

// withOutput adds to a result what the server printed during the call, and the call's warnings.
func (v *call) withOutput(result executor.Result) executor.Result {
	v.session.console.flush(v.ctx)
	v.session.shareSecrets(v.request) // other calls may have added secrets meanwhile
	result.Console = v.session.takeStartOutput() + v.output.text()
	result.Warnings = append(v.target.warnings, result.Warnings...)
	return result
}

// Discover asks the server that the call's tool names. It does not send the tool's own headers,
// since they may contain arguments.
func (r *Runner) Discover(ctx context.Context, call executor.Call) (executor.Discovery, error) {
	t, err := r.server(call)
	if err != nil {
		return executor.Discovery{}, err
	}
	v, err := r.enterSession(ctx, call, t)
	if err != nil {
		return executor.Discovery{}, err
	}
	defer v.leave()
	found, err := v.discover()
	return found, r.noteChallenge(ctx, call, t, err)
}

// Destroys reports whether the server has declared the tool as destructive.
func (r *Runner) Destroys(call executor.Call) bool {
	s, ok := call.Tool.Spec.(*tool.MCP)
	return ok && r.destructive.destroys(slot(call, s.Server), toolName(call, s))
}

// Preview returns the call that Run would make.
func (r *Runner) Preview(call executor.Call) (any, error) {
	t, err := r.target(call)
	if err != nil {
		return nil, err
	}
	return callPreview{
		Server: t.name, Transport: t.transport, URL: t.address(), Command: t.words, Env: t.env,
		Headers: t.allHeaders(), Tool: t.tool, Arguments: call.Arguments(),
	}, nil
}

// callPreview is a call as a preview shows it.
type callPreview struct {
	Server    string            `json:"server"`
	Transport string            `json:"transport"`
	URL       string            `json:"url,omitempty"`
	Command   []string          `json:"command,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`
	Tool      string            `json:"tool"`
	Arguments tool.Object       `json:"arguments"`
}

// Pace returns the timeout of the binding.
func (r *Runner) Pace(call executor.Call) (executor.Pace, error) {
	s, err := executor.SpecOf[*tool.MCP](call)
	if err != nil {
		return executor.Pace{}, err
	}
	timeout, err := call.Duration("timeout", s.Timeout)
	return executor.Pace{Timeout: timeout}, err
}

// Secrets returns the names of the secrets in the server's entry and in the project's credentials
// for its host and the tool.
func (r *Runner) Secrets(call executor.Call) ([]string, error) {
	_, entry, err := r.entry(call)
	if err != nil {
		return nil, err
	}
	return placeholder.Secrets(string(exactjson.EncodeOrNil([]any{entry, hostCredentials(call, entry), toolCredentials(call, entry)}))), nil
}
