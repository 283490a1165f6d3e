package redis

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/abl-lsp/abl-lsp/executor/state"
)

const (
	longestInterval = 30 * 24 * time.Hour // between two turns
	shortestTrial   = 30 * time.Second    // after which another call on trial may be made
	circuitMemory   = 24 * time.Hour      // how long the failures of a circuit that is not used are remembered
)

// limit runs a script for a limit, and returns its texts. ok is false if Redis does not answer.
func (s *Store) limit(ctx context.Context, script *goredis.Script, entry string, args ...any) (texts []string, ok bool) {
	if s.outage.isJustSeen() {
		return nil, false
	}
	// The caller's end does not count: the call would be counted without an answer.
	err := s.do(context.WithoutCancel(ctx), limitTimeout, func(ctx context.Context) (err error) {
		texts, err = script.Run(ctx, s.client, []string{entry}, args...).StringSlice()
		return err
	})
	return texts, err == nil
}

// duration reads a number of microseconds that a script has returned.
func duration(text string) time.Duration {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n > math.MaxInt64/int64(time.Microsecond) {
		return math.MaxInt64
	}
	return time.Duration(n) * time.Microsecond
}

// Reserve implements [state.Limits].
func (s *Store) Reserve(ctx context.Context, key string, r state.Rate, longest time.Duration) state.Turn {
	interval := longestInterval
	if every := float64(time.Second) / r.PerSecond; every < float64(longestInterval) {
		interval = max(time.Duration(every), time.Microsecond)
	}
	early := float64(interval.Microseconds()) * float64(max(r.Burst, 1)-1)
	entry := s.seal.name("rate", key)
	texts, ok := s.limit(ctx, s.scripts.reserve, entry, interval.Microseconds(), fmt.Sprintf("%.0f", early), longest.Microseconds())
	if !ok || len(texts) < 3 {
		return s.local.Reserve(ctx, key, r, longest)
	}
	wait := duration(texts[1])
	if texts[0] != "1" {
		return state.Turn{Wait: wait}
	}
	return state.NewTurn(wait, func() { s.limit(ctx, s.scripts.giveBack, entry, texts[2], interval.Microseconds()) })
}

// Acquire implements [state.Limits].
func (s *Store) Acquire(ctx context.Context, key string, b state.Breaker) (now state.Circuit, ok bool) {
	texts, ok := s.limit(ctx, s.scripts.acquire, s.seal.name("circuit", key), max(b.Reset, shortestTrial).Microseconds())
	if !ok || len(texts) < 3 {
		return s.local.Acquire(ctx, key, b)
	}
	return state.Circuit{State: state.CircuitState(texts[0]), Wait: duration(texts[1])}, texts[2] == "1"
}

// Record implements [state.Limits].
func (s *Store) Record(ctx context.Context, key string, b state.Breaker, failed bool) state.Circuit {
	memory := circuitMemory
	if b.Reset < longestInterval {
		memory += b.Reset
	}
	texts, ok := s.limit(ctx, s.scripts.record, s.seal.name("circuit", key), failed, b.Failures(), b.Reset.Microseconds(), memory.Milliseconds())
	if !ok || len(texts) < 2 {
		return s.local.Record(ctx, key, b, failed)
	}
	return state.Circuit{State: state.CircuitState(texts[0]), Wait: duration(texts[1])}
}
