package state

import (
	"context"
	"crypto/rand"
	"time"
)

const (
	lockBucket       = "locks"
	firstLockPause   = 10 * time.Millisecond
	longestLockPause = 500 * time.Millisecond
)

// Lock waits until no process that uses s holds the lock of that name, and takes it. The holder frees
// it by unlock; the lock of a process that has ended is free after the time life. The error is that
// of the store, or of ctx.
func Lock(ctx context.Context, s Values, name string, life time.Duration) (unlock func(), err error) {
	holder := rand.Text()
	for pause := firstLockPause; ; pause = min(2*pause, longestLockPause) {
		taken, err := s.CompareAndSwap(ctx, lockBucket, name, "", holder, life)
		if err != nil {
			return nil, err
		}
		if taken {
			break
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
	return func() {
		// If this fails, the lock is free after its life.
		_, _ = s.CompareAndSwap(context.WithoutCancel(ctx), lockBucket, name, holder, "", life)
	}, nil
}
