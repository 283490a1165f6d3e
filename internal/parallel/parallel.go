// Package parallel is the loop of all work on many files.
package parallel

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Each calls do with each number below n, on all processors, and begins no more calls once
// the context is done. It returns when all calls have ended.
func Each(ctx context.Context, n int, do func(i int)) {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = group.Wait() // there are no errors
}
