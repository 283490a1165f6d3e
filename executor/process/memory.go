package process

import (
	"context"
	"time"
)

// WatchMemory calls full once used returns more than limit bytes. It checks every 25 ms, and
// returns after it called full, or when ctx ends.
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
