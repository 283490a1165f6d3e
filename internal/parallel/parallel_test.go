package parallel

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
)

func TestEach(t *testing.T) {
	var sum atomic.Int64
	Each(t.Context(), 100, func(i int) { sum.Add(int64(i)) })
	if sum.Load() != 99*100/2 {
		t.Errorf("the sum is %d", sum.Load())
	}
}

// TestEachIsCancelled begins no call once the context is done.
func TestEachIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var calls, late atomic.Int64
	Each(ctx, 1000, func(int) {
		if ctx.Err() != nil {
			late.Add(1)
		}
		if calls.Add(1) == 10 {
			cancel()
		}
	})
	if calls.Load() > 20 || late.Load() > 10 {
		t.Errorf("%d calls, of which %d are late", calls.Load(), late.Load())
	}
}

// TestEachPanics: a panic reaches the caller, which can recover from it.
func TestEachPanics(t *testing.T) {
	defer func() {
		if p := fmt.Sprint(recover()); !strings.HasPrefix(p, "boom") || !strings.Contains(p, "parallel_test.go") {
			t.Errorf("recovered from %q", p)
		}
	}()
	Each(t.Context(), 100, func(i int) {
		if i == 7 {
			panic("boom")
		}
	})
	t.Error("it returned")
}
