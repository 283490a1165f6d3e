// Package parallel is the loop of all work on many files.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Each calls do with each number below n, on all processors, and begins no more calls once
// the context is done, or one has panicked. It returns when all calls have ended, and panics
// then where one did, so that whoever recovers from the caller's panics does from these.
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
