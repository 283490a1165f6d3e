// Package webhook runs the tools of `type: async_webhook`. A call sends a request with a callback
// URL in its body, by package rest. Then it waits until a result is posted to that URL.
//
// The listener is on loopback only, and no port is open when no callback is expected. A server of this
// program may take callbacks at its own address instead, see [Endpoint]. Each callback URL is random
// and works once. A callback is read only up to a limit.
package webhook

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Options configure a Runner.
type Options struct {
	rest.Options             // of the first request
	State        state.Store // stores the expected callbacks; nil: they end with the process
	Endpoint     *Endpoint   // where callbacks come; nil: to listeners on loopback
}

// Runner runs async_webhook tools. It is safe for concurrent use.
type Runner struct {
	client *rest.Client
	dialer *dial.Dialer
	server *callbackServer
	store  callbackStore

	endpoint *Endpoint // nil: callbacks come to server
	shared   *sharedCallbacks
}

// New returns a Runner. The caller must call [Runner.Close].
func New(o Options) *Runner {
	o.Dialer = cmp.Or(o.Dialer, dial.New(dial.Options{}))
	r := &Runner{
		client: rest.New(o.Options), dialer: o.Dialer, server: newCallbackServer(), store: callbackStore{store: o.State},
		endpoint: o.Endpoint, shared: &sharedCallbacks{store: o.State},
	}
	if r.endpoint != nil {
		r.shared = &r.endpoint.shared
	}
	return r
}

// Run sends the request once, follows its redirects, and waits for the callback.
func (r *Runner) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	o, err := planOf(call)
	if err != nil {
		return executor.Result{}, err
	}
	v, err := r.expectCallback(call)
	if err != nil {
		return executor.Result{}, err
	}
	defer r.removeWaiter(v)
	saved, fault := r.store.saveCallback(ctx, call, v, time.Now().Add(o.timeout+o.patience), r.endpoint)
	if fault != nil && r.endpoint != nil {
		e := executor.Errorf(executor.KindInternal, "state", "where the callback comes cannot be stored, so nothing was sent: %w", fault)
		e.Unsent = true
		return executor.Result{}, e
	}
	result, err := r.exchange(ctx, call, o, v, saved)
	if fault != nil {
		result.Warnings = append(result.Warnings, fmt.Sprintf("the callback would not outlive this program: %v", fault))
	}
	return result, r.store.settleRun(ctx, saved, err)
}

// expectCallback returns a waiter for the callback of a call. The caller must pass it to removeWaiter.
func (r *Runner) expectCallback(call executor.Call) (*waiter, error) {
	max := call.Environment.Limits.MaxBytes()
	if r.endpoint != nil {
		return r.endpoint.addWaiter(rand.Text(), max), nil
	}
	return r.server.expectCallback(call.Environment.CallbackPort, max)
}

// remoteWaiter returns a waiter for a callback that comes to an Endpoint, of this process or another.
func (r *Runner) remoteWaiter(e entry) *waiter {
	if r.endpoint != nil {
		return r.endpoint.addWaiter(e.Token, e.Max)
	}
	return newWaiter(e.Token, e.Max)
}

func (r *Runner) removeWaiter(v *waiter) {
	switch {
	case v.port != 0:
		r.server.removeWaiter(v)
	case r.endpoint != nil:
		r.endpoint.removeWaiter(v)
	}
}

// callbackURL returns where the callback of a call is to come.
func (r *Runner) callbackURL(o callPlan, port, token any) string {
	if r.endpoint != nil {
		return r.endpoint.url(o.base, fmt.Sprint(token))
	}
	return o.url(port, token)
}

// exchange sends the request and waits for the callback.
func (r *Runner) exchange(ctx context.Context, call executor.Call, o callPlan, v *waiter, saved *savedCallback) (executor.Result, error) {
	first, err := r.ask(ctx, call, o, r.callbackURL(o, v.port, v.token))
	if err != nil {
		return first, err
	}
	result, err := r.wait(ctx, call, v, saved, o.patience)
	result.Status = first.Status
	result.Warnings = append(first.Warnings, result.Warnings...)
	return result, err
}

// wait waits for a callback, which another process may get.
func (r *Runner) wait(ctx context.Context, call executor.Call, v *waiter, saved *savedCallback, patience time.Duration) (executor.Result, error) {
	last := func() {}
	if saved != nil && saved.shared != nil {
		watched, stop := context.WithCancel(ctx)
		defer stop()
		go saved.shared.watch(watched, saved.run, v)
		last = func() { saved.shared.pass(ctx, saved.run, v) }
	}
	return v.wait(ctx, call, patience, last)
}

// ask sends the first request, which has its own timeout.
func (r *Runner) ask(ctx context.Context, call executor.Call, o callPlan, callback string) (executor.Result, error) {
	once, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	replaced := false
	result, err := r.client.Send(once, call, o.binding(callback, &replaced))
	if err != nil && once.Err() != nil && ctx.Err() == nil {
		late := executor.Errorf(executor.KindTimeout, "timeout", "no answer to the first request within %v (%s)", o.timeout, o.limit)
		late.Unsent = unsent(err)
		err = late
	}
	result = executor.Result{Status: result.Status, Warnings: result.Warnings} // the callback is the answer
	if replaced {
		result.Warnings = append(result.Warnings, fmt.Sprintf("the callback URL took the place of the argument at %q", o.field))
	}
	return result, err
}

// Preview returns the first request that Run would send. PORT and TOKEN replace the parts of the
// callback URL that a run chooses.
func (r *Runner) Preview(call executor.Call) (any, error) {
	o, err := planOf(call)
	if err != nil {
		return nil, err
	}
	port := "PORT"
	if p := call.Environment.CallbackPort; p != 0 {
		port = fmt.Sprint(p)
	}
	return r.client.Preview(call, o.binding(r.callbackURL(o, port, "TOKEN"), new(bool)))
}

// Reach returns the host. A confirmation also covers the project's callback URL.
func (r *Runner) Reach(call executor.Call) (executor.Reach, error) {
	o, err := planOf(call)
	if err != nil {
		return executor.Reach{}, err
	}
	reach, err := r.client.Reach(call, o.binding("", new(bool)))
	if o.base != "" {
		reach.Project = []any{reach.Project, map[string]string{"callback_base_url": o.base}}
	}
	return reach, err
}

// Secrets returns the names of the secrets in the base URL and the credentials.
func (r *Runner) Secrets(call executor.Call) ([]string, error) {
	o, err := planOf(call)
	if err != nil {
		return nil, err
	}
	return r.client.Secrets(call, o.binding("", new(bool)))
}

// Pace returns the retries and rate of the first request. The request and the callback have their
// own timeouts, so an attempt has none.
func (r *Runner) Pace(call executor.Call) (executor.Pace, error) {
	o, err := planOf(call)
	if err != nil {
		return executor.Pace{}, err
	}
	p, err := r.client.Pace(call, o.binding("", new(bool)))
	p.Timeout, p.Bounded = 0, true
	return p, err
}

// Prepare lets the person sign in if the tool's tokens need that.
func (r *Runner) Prepare(ctx context.Context, call executor.Call) (subject string, err error) {
	o, err := planOf(call)
	if err != nil {
		return "", err
	}
	return r.client.Prepare(ctx, call, o.binding("", new(bool)))
}

// Close closes the listeners, gives the requests in progress a short time to finish, and cancels
// the sign-ins that wait for a person. Its error is always nil.
func (r *Runner) Close() error {
	r.server.close()
	r.shared.close()
	return r.client.Close()
}

// callPlan holds the settings of one call: where the callback URL goes, how it begins, and the
// timeouts of the request and the callback.
type callPlan struct {
	spec     *tool.AsyncWebhook
	field    string // the dotted path of the callback URL in the body
	base     string // the beginning of the callback URL; "": this machine
	timeout  time.Duration
	limit    string // the setting that set it
	patience time.Duration
}

// The defaults of the binding's properties, and the highest value.
const (
	defaultField    = "callbackUrl"
	defaultPatience = time.Hour
	maxPatience     = 1e9 // seconds, about thirty years; a time.Duration can hold it
)

func planOf(call executor.Call) (o callPlan, err error) {
	s, err := executor.SpecOf[*tool.AsyncWebhook](call)
	if err != nil {
		return o, err
	}
	o = callPlan{spec: s, field: defaultField, limit: "timeout", patience: defaultPatience}
	switch strings.ToUpper(s.Method) {
	case "GET", "DELETE":
		return o, executor.DefinitionError("method", "method: %s has no body for the callback URL; give one of POST, PUT, PATCH", s.Method)
	}
	if s.CallbackURLField != "" {
		if o.field, err = call.Scope.Expand(s.CallbackURLField, nil); err != nil {
			return o, executor.TemplateError("callback_url_field", err)
		}
	}
	if o.base, err = baseURL(call); err != nil {
		return o, err
	}
	if o.timeout, err = call.Duration("timeout", s.Timeout); err != nil {
		return o, err
	}
	if o.timeout == 0 {
		o.timeout, o.limit = call.ToolTimeout, "the usual limit"
	}
	if s.TimeoutSeconds != "" {
		o.patience, err = patience(call, s.TimeoutSeconds)
	}
	return o, err
}

func patience(call executor.Call, n tool.Number) (time.Duration, error) {
	seconds, err := call.Number("timeout_seconds", n)
	switch {
	case err != nil:
		return 0, err
	case seconds <= 0:
		return 0, executor.DefinitionError("timeout-seconds", "timeout_seconds: no callback can come within %s seconds", n)
	}
	return time.Duration(min(seconds, maxPatience) * float64(time.Second)), nil
}

// baseURL returns the project's callback_base_url without a trailing slash. It is "" if the project
// sets none.
func baseURL(call executor.Call) (string, error) {
	base, err := call.Scope.Expand(call.Environment.CallbackBaseURL, nil)
	if err != nil {
		return "", executor.TemplateError("callback_base_url", err)
	}
	if base == "" {
		return "", nil
	}
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return "", executor.DefinitionError("callback-base-url", "callback_base_url in abl.yaml: %s is no http URL that a path can follow", base)
	}
	return strings.TrimRight(base, "/"), nil
}

// url returns the callback URL.
func (o callPlan) url(port, token any) string {
	if o.base != "" {
		return fmt.Sprintf("%s/%v", o.base, token)
	}
	return fmt.Sprintf("http://127.0.0.1:%v/%v", port, token)
}

// binding returns the binding of the first request. When the request is built, replaced is set to
// whether the callback URL replaced an argument.
func (o callPlan) binding(callback string, replaced *bool) rest.Binding {
	s := o.spec
	return rest.Binding{
		HTTP: &tool.HTTP{
			Endpoint: s.Endpoint, BaseURL: s.BaseURL, Method: s.Method, Headers: s.Headers,
			Auth: s.Auth, AuthConfig: s.AuthConfig,
			Timeout: s.Timeout, Retry: s.Retry, RetryDelay: s.RetryDelay, RateLimit: s.RateLimit,
		},
		Edit: func(body []byte) ([]byte, error) {
			text, err := json.Marshal(callback)
			if err != nil {
				return nil, err
			}
			out, had, err := setMember(body, strings.Split(o.field, "."), text)
			*replaced = had
			return out, err
		},
	}
}
