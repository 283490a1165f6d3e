// Package parallel is the loop of all work on many files.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Each calls do with each number below n, on all processors, and begins no more calls once
// the context is done, or one has panicked. It returns when all calls have ended, and panics
// then where one did, so that whoever recovers from the caller's panics does from these.
func Each(ctx context.Context, n int, do func(i int)) {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	var failed atomic.Pointer[string]
	call := func(i int) error {
		defer func() {
			if p := recover(); p != nil {
				failed.CompareAndSwap(nil, new(fmt.Sprintf("%v\n\n%s", p, debug.Stack())))
			}
		}()
		if ctx.Err() == nil && failed.Load() == nil {
			do(i)
		}
		return nil
	}
	for i := range n {
		if ctx.Err() != nil || failed.Load() != nil {
			break
		}
		group.Go(func() error { return call(i) })
	}
	_ = group.Wait() // there are no errors
	if p := failed.Load(); p != nil {
		panic(*p)
	}
}
