package executor

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// maxRetries bounds what an author can ask for.
const maxRetries = 100

// retry tries again what may be tried again.
func retry(ctx context.Context, r *run, next handler) (Result, error) {
	for i := 0; ; i++ {
		result, err := next(ctx, r)
		if err == nil {
			return result, nil
		}
		e := asError(err)
		delay := max(r.pace.delay(i), e.RetryAfter)
		retries := min(r.pace.Retries, maxRetries)
		last := i >= retries || r.breakerOpen()
		if last || !retryable(e, r.call.Mutates && !r.pace.SendsIdempotencyKey) || wouldOutlastCall(ctx, delay, e.RetryAfter) {
			return result, e
		}
		r.reportProgress(Progress{Message: fmt.Sprintf("attempt %d of %d, after: %s", i+2, retries+1, e.Message)})
		if err := sleep(ctx, delay); err != nil {
			return result, err
		}
	}
}

// maxDelay bounds what an author can ask for.
const maxDelay = time.Hour

// delay is the wait after the attempt of number i, from 0.
func (p Pace) delay(i int) time.Duration {
	if p.Delay <= 0 {
		return 0
	}
	most := min(cmp.Or(p.MaxDelay, maxDelay), maxDelay)
	d := min(float64(p.Delay)*math.Pow(cmp.Or(p.Factor, 1), float64(i)), float64(most))
	if p.Jitter {
		d *= rand.Float64()
	}
	return time.Duration(d)
}

// retryable says whether the same call may be made again. One that changes
// something may not, once the other side may have begun.
func retryable(e *Error, mutates bool) bool {
	if mutates {
		again := e.Status == 429 || e.Status == 503
		return e.Unsent && (e.Kind == KindNetwork || e.Code == "timeout") || again && e.RetryAfter > 0
	}
	switch e.Kind {
	case KindNetwork:
		return true
	case KindTimeout:
		return e.Code == "timeout"
	case KindRemote:
		return e.Status == 408 || e.Status == 429 || e.Status >= 500
	}
	return false
}

// wouldOutlastCall reports whether a wait would end after the call. If the call has no
// deadline, the default limit counts for what the other side asks for.
func wouldOutlastCall(ctx context.Context, delay, asked time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok {
		return ctx.Err() != nil || time.Now().Add(delay).After(deadline)
	}
	return ctx.Err() != nil || asked > defaultTimeout
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return contextError(ctx)
	}
}
