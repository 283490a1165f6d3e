// Package http runs the tools of `type: http`. Each call is one request to a REST endpoint;
// package rest makes the request.
package http

import (
	"context"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Runner runs http tools. It is safe for concurrent use.
type Runner struct {
	client *rest.Client
}

// Supports returns an error if the tool's source is not an HTTP service.
func (r *Runner) Supports(t *tool.Tool, e *executor.Environment) error {
	if s, ok := t.Spec.(*tool.HTTP); ok && s.Source != "" {
		return rest.SupportsSource(s, e)
	}
	return nil
}

// New returns a Runner. The caller must call [Runner.Close].
func New(o rest.Options) *Runner { return &Runner{rest.New(o)} }

// SelectVariant selects one of the request_variants.
func (r *Runner) SelectVariant(ctx context.Context, call executor.Call) (tool.Spec, error) {
	b, err := bindingOf(call)
	if err != nil {
		return nil, err
	}
	return rest.SelectVariant(ctx, call, b.HTTP)
}

// Run sends the request once and follows its redirects.
func (r *Runner) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	b, err := bindingOf(call)
	if err != nil {
		return executor.Result{}, err
	}
	b.Live = call.Tool.Streaming.Is(true)
	return r.client.Send(ctx, call, b)
}

// Preview returns the first request that Run would send.
func (r *Runner) Preview(call executor.Call) (any, error) {
	b, err := bindingOf(call)
	if err != nil {
		return nil, err
	}
	return r.client.Preview(call, b)
}

// Reach returns the host of the request, with the hosts that issue its tokens.
func (r *Runner) Reach(call executor.Call) (executor.Reach, error) {
	b, err := bindingOf(call)
	if err != nil {
		return executor.Reach{}, err
	}
	return r.client.Reach(call, b)
}

// Secrets returns the names of the secrets in the base URL and the credentials.
func (r *Runner) Secrets(call executor.Call) ([]string, error) {
	b, err := bindingOf(call)
	if err != nil {
		return nil, err
	}
	return r.client.Secrets(call, b)
}

// Prepare lets the person sign in if the tool's tokens need that.
func (r *Runner) Prepare(ctx context.Context, call executor.Call) (subject string, err error) {
	b, err := bindingOf(call)
	if err != nil {
		return "", err
	}
	return r.client.Prepare(ctx, call, b)
}

// Close cancels the sign-ins that still wait for a person. It leaves requests alone, and its error
// is always nil.
func (r *Runner) Close() error { return r.client.Close() }

// Pace returns the binding's time limits, retries and rate.
func (r *Runner) Pace(call executor.Call) (executor.Pace, error) {
	b, err := bindingOf(call)
	if err != nil {
		return executor.Pace{}, err
	}
	return r.client.Pace(call, b)
}

func bindingOf(call executor.Call) (rest.Binding, error) {
	s, err := executor.SpecOf[*tool.HTTP](call)
	return rest.Binding{HTTP: s}, err
}
