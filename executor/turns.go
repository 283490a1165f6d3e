package executor

import (
	"cmp"
	"context"
	"runtime"
)

// Turns holds a value for each of the calls that run. It has room for as many as may.
type Turns chan struct{}

// NewTurns lets so many calls run at a time; 0: two for each processor, at least four.
func NewTurns(atOnce int) Turns {
	return make(Turns, cmp.Or(atOnce, max(4, 2*runtime.NumCPU())))
}

// Wait waits for the turn of a call, and says so by message. The turn lasts until end is called.
func (t Turns) Wait(ctx context.Context, call Call, message string) (end func(), err error) {
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
