package executor

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// maxRetries bounds the number of retries that an author may set.
const maxRetries = 100

// retry repeats an attempt that failed, while the call's pace and the kind of failure allow it.
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

// maxDelay bounds the delay between attempts that an author may set.
const maxDelay = time.Hour

// delay returns the wait after the attempt number i, counted from 0.
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

// retryable reports whether the same call may be made again after e. A call that changes
// something may not, once the other side may have begun it.
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

// wouldOutlastCall reports whether a wait of delay would end after the call's deadline. If the
// call has no deadline, it reports whether requested, the wait that the other side demands,
// exceeds the default timeout. It returns true if ctx has ended.
func wouldOutlastCall(ctx context.Context, delay, requested time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok {
		return ctx.Err() != nil || time.Now().Add(delay).After(deadline)
	}
	return ctx.Err() != nil || requested > defaultTimeout
}

// longestWait returns how long a step may wait before the call would end: until its deadline, or for
// the default timeout if it has none.
func longestWait(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return time.Until(deadline)
	}
	return defaultTimeout
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
