// Package parallel runs the loops over many files on all processors.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Each calls do with each number below n, on all processors. It begins no more calls once the
// context is done or a call has panicked. It returns when all calls have ended. If a call
// panicked, Each then panics itself, so that the caller can recover.
func Each(ctx context.Context, n int, do func(i int)) {
	var next atomic.Int64
	var failed atomic.Pointer[string]
	work := func() {
		defer func() {
			if p := recover(); p != nil {
				failed.CompareAndSwap(nil, new(fmt.Sprintf("%v\n\n%s", p, debug.Stack())))
			}
		}()
		for ctx.Err() == nil && failed.Load() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			do(i)
		}
	}
	var others sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	if p := failed.Load(); p != nil {
		panic(*p)
	}
}
