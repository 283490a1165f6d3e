// Package lambda runs the tools of `type: lambda`: cloud functions, or functions on
// this machine, which the project's file lists by name.
//
// The payload is the arguments and the value is the answer, with every digit of a number. An error
// that a function reports is an error here, even if its provider reports success. Payloads, answers
// and output are bounded.
package lambda

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Options configure a Runner; the zero value is valid.
type Options struct {
	Dialer    *dial.Dialer  // owns the connections; nil: one of its own
	UserAgent string        // "": abl-lsp
	Idle      time.Duration // how long an idle local function is kept; 0: 10 minutes
}

// Runner runs lambda tools. It is safe for concurrent use, and must be closed.
type Runner struct {
	providers map[string]provider
	local     *localProvider
}

// provider runs functions.
type provider interface {
	run(ctx context.Context, c functionCall) (executor.Result, error)
	preview(c functionCall) (callPreview, error)
	reach(c functionCall) (executor.Reach, error)
	secrets(c functionCall) ([]string, error)
}

// New returns a Runner. The caller must call [Runner.Close].
func New(o Options) *Runner {
	o.Dialer = cmp.Or(o.Dialer, dial.New(dial.Options{}))
	o.Idle = cmp.Or(o.Idle, 10*time.Minute)
	o.UserAgent = cmp.Or(o.UserAgent, "abl-lsp")
	local := newLocalProvider(o.Idle)
	web := webProvider{rest.New(rest.Options{Dialer: o.Dialer, UserAgent: o.UserAgent})}
	return &Runner{local: local, providers: map[string]provider{
		"aws": awsProvider{o.Dialer, o.UserAgent}, "gcp": web, "azure": web, "local": local,
	}}
}

// Run calls the function once.
func (r *Runner) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	c, p, err := r.resolve(call)
	if err != nil {
		return executor.Result{}, err
	}
	return p.run(ctx, c)
}

// callPreview is a call as a preview shows it.
type callPreview struct {
	Function string            `json:"function"`
	Provider string            `json:"provider"`
	Name     string            `json:"name,omitempty"`
	Region   string            `json:"region,omitempty"`
	Endpoint string            `json:"endpoint,omitempty"`
	Method   string            `json:"method,omitempty"`
	URL      string            `json:"url,omitempty"`
	Headers  map[string]string `json:"headers,omitempty"`
	Command  []string          `json:"command,omitempty"`
	Env      map[string]string `json:"env,omitempty"`
	Payload  json.RawMessage   `json:"payload"`
}

// Preview returns the function that would be called, and the payload.
func (r *Runner) Preview(call executor.Call) (any, error) {
	c, p, err := r.resolve(call)
	if err != nil {
		return nil, err
	}
	s, err := p.preview(c)
	if err != nil {
		return nil, err
	}
	s.Function, s.Provider = c.name, c.function.Provider
	s.Payload, err = c.payload()
	return s, err
}

// Reach returns the function, and its host or process.
func (r *Runner) Reach(call executor.Call) (executor.Reach, error) {
	c, p, err := r.resolve(call)
	if err != nil {
		return executor.Reach{}, err
	}
	reach, err := p.reach(c)
	reach.Project = c.function
	reach.Accesses = append(reach.Accesses, tool.Permission{Kind: "lambda", Op: "call", Resource: c.name})
	return reach, err
}

// Secrets returns the names of the secrets in the function's entry in the project's file.
func (r *Runner) Secrets(call executor.Call) ([]string, error) {
	c, p, err := r.resolve(call)
	if err != nil {
		return nil, err
	}
	return p.secrets(c)
}

// Pace returns the timeout of the binding. Nothing is repeated automatically.
func (r *Runner) Pace(call executor.Call) (executor.Pace, error) {
	s, err := executor.SpecOf[*tool.Lambda](call)
	if err != nil {
		return executor.Pace{}, err
	}
	timeout, err := call.Duration("timeout", s.Timeout)
	return executor.Pace{Timeout: timeout}, err
}

// Close ends the local functions, including those that a call is using. Its error is always nil.
func (r *Runner) Close() error {
	r.local.close()
	return nil
}
