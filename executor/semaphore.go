package executor

import (
	"cmp"
	"context"
	"runtime"
)

// Semaphore holds a value for each of the calls that run. It has room for as many as may.
type Semaphore chan struct{}

// NewSemaphore lets so many calls run at a time; 0: two for each processor, at least four.
func NewSemaphore(atOnce int) Semaphore {
	return make(Semaphore, cmp.Or(atOnce, max(4, 2*runtime.NumCPU())))
}

// Acquire waits for the turn of a call, and says so by message. The turn lasts until end is called.
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
