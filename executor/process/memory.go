package process

import (
	"context"
	"time"
)

// WatchMemory calls full when the bytes that are used are more than limit. It looks every
// 25 ms, and returns when ctx ends.
func WatchMemory(ctx context.Context, used func() int64, limit int64, full func()) {
	ticker := time.NewTicker(25 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if used() > limit {
			full()
			return
		}
	}
}
