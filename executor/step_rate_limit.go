package executor

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/state"
)

// awaitRateLimit waits until an attempt may be made. Attempts of one tool at one host are evenly
// spaced, so that no second has more than the allowed number.
func awaitRateLimit(ctx context.Context, r *run, next handler) (Result, error) {
	if r.pace.Rate <= 0 {
		return next(ctx, r)
	}
	rateText := strconv.FormatFloat(r.pace.Rate, 'g', -1, 64)
	turn := r.executor.state.Reserve(ctx, r.endpointKey(rateText), state.Rate{PerSecond: r.pace.Rate}, longestWait(ctx))
	wait := turn.Wait
	if !turn.Taken || ctx.Err() != nil {
		turn.Cancel()
		return Result{}, r.rateError(ctx, rateText, wait)
	}
	if wait > 0 {
		r.reportProgress(Progress{Message: fmt.Sprintf("waiting %v for its turn (rate_limit: %s)", roundWait(wait), rateText)})
		if err := sleep(ctx, wait); err != nil {
			turn.Cancel()
			return Result{}, err
		}
	}
	return next(ctx, r)
}

func (r *run) rateError(ctx context.Context, rateText string, wait time.Duration) error {
	if ctx.Err() != nil {
		return contextError(ctx)
	}
	e := Errorf(KindLimit, "rate-limit", "rate_limit: %s a second is used up; the turn of %s would come in %v, when the time of this call is over",
		rateText, r.req.Tool.Name, roundWait(wait))
	e.Unsent, e.Retryable = true, true
	e.Details = map[string]any{"retry_after_ms": milliseconds(wait)}
	return e.WithHint("Try again later, or give the call more time with hints.timeout.")
}

// roundWait rounds a wait for a message.
func roundWait(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(100 * time.Millisecond)
}
