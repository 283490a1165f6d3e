package executor

import (
	"cmp"
	"context"
	"runtime"
)

// Semaphore limits how many calls run at a time.
type Semaphore chan struct{}

// NewSemaphore returns a Semaphore for atOnce concurrent calls. 0 means two for each processor,
// but at least four.
func NewSemaphore(atOnce int) Semaphore {
	return make(Semaphore, cmp.Or(atOnce, max(4, 2*runtime.NumCPU())))
}

// Acquire waits until the call may run; while it waits, it reports message. If err is nil, the
// caller must call end after the call. It returns ctx's cause if ctx ends first.
func (t Semaphore) Acquire(ctx context.Context, call Call, message string) (end func(), err error) {
	end = func() { <-t }
	select {
	case t <- struct{}{}:
		return end, nil
	default:
		call.Report(Progress{Message: message})
	}
	select {
	case t <- struct{}{}:
		return end, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
