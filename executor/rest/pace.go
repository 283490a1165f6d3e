package rest

import (
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// The defaults for properties that a retry_policy or a circuit_breaker leaves out.
const (
	defaultRetries    = 3
	defaultDelay      = time.Second
	defaultFactor     = 2
	defaultMaxDelay   = 30 * time.Second
	defaultThreshold  = 5
	defaultBreakReset = 30 * time.Second
)

// Pace returns the time limits, retries and rate that the binding sets.
func (c *Client) Pace(call executor.Call, b Binding) (executor.Pace, error) {
	n := numberReader{call: call}
	p := executor.Pace{
		Timeout:             n.duration("timeout", b.Timeout, 0),
		Retries:             n.count("retry", b.Retry, 0),
		Delay:               n.duration("retry_delay", b.RetryDelay, 0),
		Rate:                n.number("rate_limit", b.RateLimit, 0),
		SendsIdempotencyKey: b.IdempotencyHeader != "" && tool.IdempotencyFault(b.IdempotencyHeader) == "",
	}
	if policy := b.RetryPolicy; policy != nil {
		if err := n.policy(&p, policy); err != nil {
			return p, err
		}
	}
	if breaker := b.CircuitBreaker; breaker != nil {
		p.Breaker.Threshold = n.count("circuit_breaker.threshold", breaker.Threshold, defaultThreshold)
		p.Breaker.Reset = n.duration("circuit_breaker.resetMs", breaker.ResetMs, defaultBreakReset)
	}
	return p, n.err
}

// numberReader reads numeric properties and keeps the first error.
type numberReader struct {
	call executor.Call
	err  error
}

// policy overrides retry and retry_delay in p by a retry_policy.
func (n *numberReader) policy(p *executor.Pace, policy *tool.RetryPolicy) error {
	p.Retries = n.count("retry_policy.max_retries", policy.MaxRetries, cmp.Or(p.Retries, defaultRetries))
	p.Delay = n.duration("retry_policy.initial_delay_ms", policy.InitialDelayMs, cmp.Or(p.Delay, defaultDelay))
	p.MaxDelay = n.duration("retry_policy.max_delay_ms", policy.MaxDelayMs, defaultMaxDelay)
	switch strings.ToLower(policy.Strategy) {
	case "fixed":
	case "exponential":
		p.Factor = max(n.number("retry_policy.multiplier", policy.Multiplier, defaultFactor), 1)
	default:
		return executor.DefinitionError("retry-policy", "retry_policy.strategy: %q is neither fixed nor exponential", policy.Strategy)
	}
	switch strings.ToLower(policy.Jitter) {
	case "", "none":
	case "full":
		p.Jitter = true
	default:
		return executor.DefinitionError("retry-policy", "retry_policy.jitter: %q is neither none nor full", policy.Jitter)
	}
	return nil
}

func (n *numberReader) number(property string, text tool.Number, usual float64) float64 {
	if text == "" {
		return usual
	}
	f, err := n.call.Number(property, text)
	if err != nil && n.err == nil {
		n.err = err
	}
	return f
}

// count reads a whole number. It rounds up, so that a fraction does not become 0.
func (n *numberReader) count(property string, text tool.Number, usual int) int {
	return int(math.Ceil(min(n.number(property, text, float64(usual)), math.MaxInt32)))
}

func (n *numberReader) duration(property string, text tool.Number, usual time.Duration) time.Duration {
	if text == "" {
		return usual
	}
	d, err := n.call.Duration(property, text)
	if err != nil && n.err == nil {
		n.err = err
	}
	return d
}
