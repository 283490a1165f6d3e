// Package http runs the tools of `type: http`: one request to a REST endpoint.
//
// It promises that the scheme and the host come from the author's text alone,
// that an argument stays in the place that it is given, that no more of an
// answer is read than the cap, and that credentials do not follow a redirect
// to another host.
package http

import (
	"cmp"
	"context"
	"math"
	"net"
	nethttp "net/http"
	"net/url"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Options of a Runner.
type Options struct {
	Dialer    *dial.Dialer // owns the connections; nil: one of its own
	MaxBytes  int64        // of an answer, decompressed; 0: 10 MB
	UserAgent string       // "": abl-lsp
}

// Runner runs http tools. It is safe for concurrent use.
type Runner struct {
	opts Options
}

// New makes a Runner.
func New(o Options) *Runner {
	if o.Dialer == nil {
		o.Dialer = dial.New(dial.Options{})
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 10 << 20
	}
	if o.UserAgent == "" {
		o.UserAgent = "abl-lsp"
	}
	return &Runner{opts: o}
}

// Run sends the request once, redirects followed.
func (r *Runner) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	req, err := r.build(call)
	if err != nil {
		return executor.Result{}, err
	}
	t := &trip{client: nethttp.Client{Transport: r.opts.Dialer.Transport(call.Guard)}, request: req, host: req.url.Host, max: cmp.Or(call.Limits.ResponseBytes, r.opts.MaxBytes), permit: call.Permit}
	result, err := t.send(ctx, call)
	result.Warnings = append(req.warnings, result.Warnings...)
	return result, err
}

// shown is a request as a person sees it.
type shown struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    any               `json:"body"` // JSON, or text; nil for none
}

// Preview shows the request that Run would send first.
func (r *Runner) Preview(call executor.Call) (any, error) {
	req, err := r.build(call)
	if err != nil {
		return nil, err
	}
	s := shown{Method: req.method, URL: req.url.String(), Headers: map[string]string{}, Body: req.shownBody()}
	for name, values := range req.header {
		s.Headers[name] = values[0]
	}
	return s, nil
}

// Reach is the host.
func (r *Runner) Reach(call executor.Call) (executor.Reach, error) {
	spec, err := specOf(call)
	if err != nil {
		return executor.Reach{}, err
	}
	u, err := (&builder{runner: r, call: call, spec: spec}).base()
	if err != nil {
		return executor.Reach{}, err
	}
	return executor.Reach{Accesses: accesses(spec.Method, u), Receiver: u.Hostname()}, nil
}

// accesses are what a request to a host needs: the host may be named with its port
// and without.
func accesses(method string, u *url.URL) []tool.Permission {
	op := strings.ToLower(method)
	return []tool.Permission{
		{Kind: "web", Op: op, Resource: u.Hostname()},
		{Kind: "web", Op: op, Resource: net.JoinHostPort(u.Hostname(), portOf(u))},
	}
}

// Pace reads timeout, retry and retry_delay.
func (r *Runner) Pace(call executor.Call) (executor.Pace, error) {
	s, err := specOf(call)
	if err != nil {
		return executor.Pace{}, err
	}
	timeout, err := call.Duration("timeout", s.Timeout)
	if err != nil {
		return executor.Pace{}, err
	}
	retries, err := call.Number("retry", s.Retry)
	if err != nil {
		return executor.Pace{}, err
	}
	delay, err := call.Duration("retry_delay", s.RetryDelay)
	return executor.Pace{Timeout: timeout, Retries: int(min(retries, math.MaxInt32)), Delay: delay}, err
}

func specOf(call executor.Call) (*tool.HTTP, error) {
	s, ok := call.Tool.Spec.(*tool.HTTP)
	if !ok {
		return nil, executor.Errorf(executor.KindInternal, "spec", "%s is no http tool", call.Tool.Name)
	}
	return s, nil
}
