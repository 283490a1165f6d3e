package executor

import (
	"context"
	"time"

	"github.com/abl-lsp/abl-lsp/tool"
)

// defaultTimeout bounds a call if neither the tool nor the agent sets a timeout.
const defaultTimeout = 30 * time.Second

// limitCall bounds the time of all attempts together.
func limitCall(ctx context.Context, r *run, next handler) (Result, error) {
	if p, ok := r.runner.(Pacer); ok {
		pace, err := p.Pace(r.call)
		if err != nil {
			return Result{}, err
		}
		r.pace = pace
	}
	after, limit, err := r.callTimeout()
	if err != nil {
		return Result{}, err
	}
	if after <= 0 {
		return next(ctx, r)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, after, &timeoutCause{after, limit})
	defer cancel()
	return next(ctx, r)
}

// callTimeout returns after, how long the whole call may take, and limit, the name of the setting
// that says so. after is 0 if only attempts are bounded.
func (r *run) callTimeout() (after time.Duration, limit string, err error) {
	hint, err := r.call.Duration("hints.timeout", r.req.Tool.Hints.Timeout)
	switch {
	case err != nil:
		return 0, "", err
	case hint > 0:
		return hint, "hints.timeout", nil
	case r.pace.Bounded, r.pace.Timeout > 0 && !r.pace.TimeoutIsDefault:
		return 0, "", nil
	case r.req.ToolTimeout > 0:
		return r.req.ToolTimeout, "EXECUTION.tool_timeout", nil
	case r.pace.Timeout > 0:
		return 0, "", nil
	}
	return defaultTimeout, "the usual limit", nil
}

// makeAttempt bounds the time of one attempt and adds the attempt to the envelope.
func makeAttempt(ctx context.Context, r *run, next handler) (Result, error) {
	if after := r.pace.Timeout; after > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, after, &timeoutCause{after, "timeout"})
		defer cancel()
	}
	start := time.Now()
	result, err := next(r.withPhases(ctx), r)
	end := time.Now()
	start, phases := r.phases.endAttempt(start, end)
	row := Attempt{
		Started:    start.UTC().Format(time.RFC3339Nano),
		DurationMS: milliseconds(end.Sub(start)),
		Status:     result.Status,
		Phases:     phases,
	}
	if err != nil {
		copied := *asError(err) // a copy, since several runs may share one error
		e := &copied
		if ctx.Err() != nil && (e.Kind == KindNetwork || e.Kind == KindInternal) {
			ended := contextError(ctx)
			ended.Unsent = e.Unsent
			e = ended
		}
		e.Retryable = retryable(e, r.call.Mutates)
		row.Error, err = e.Message, e
	}
	r.envelope.Attempts = append(r.envelope.Attempts, row)
	r.envelope.Response = nil
	if r.call.Tool.Kind == tool.KindHTTP { // functions and webhooks make requests, too
		r.envelope.Response = result.Response
	}
	return result, err
}

// maxMillis is the most milliseconds that Duration returns, about thirty years. A time.Duration
// can hold it.
const maxMillis = 1e12

// Duration returns n, the milliseconds that a property holds, as a duration, after placeholders
// are filled in. It returns 0 if n is empty. A negative number is an error. property names n in
// errors.
func (c Call) Duration(property string, n tool.Number) (time.Duration, error) {
	f, err := c.Number(property, n)
	return time.Duration(min(f, maxMillis) * float64(time.Millisecond)), err
}

// Number returns n, the number that a property holds, after placeholders are filled in. It returns
// 0 if n is empty. A negative number is an error. property names n in errors.
func (c Call) Number(property string, n tool.Number) (float64, error) {
	text, err := c.Scope.Expand(string(n), nil)
	if err != nil {
		return 0, TemplateError(property, err)
	}
	if text == "" {
		return 0, nil
	}
	f, ok := tool.Number(text).Float()
	if !ok || f < 0 {
		return 0, Errorf(KindDefinition, "number", "%s: %q is no number from 0 up", property, text)
	}
	return f, nil
}
