package module_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/module"
)

// TestQueue checks that the time of a call does not run while it waits for its turn. It reports
// that it waits, and can be cancelled.
func TestQueue(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{"a.mjs": `
export async function* long() { yield "here"; setInterval(() => {}, 1000); await new Promise(() => {}) }
export const short = () => 2;`})
	r.with(module.Options{AtOnce: 1})
	reporting := func(report func(executor.Progress)) *runs {
		other := *r
		other.req.Report = report
		return &other
	}
	begun, waits := make(chan struct{}), make(chan string, 10)
	once := sync.OnceFunc(func() { close(begun) })
	long := r.tool("a.mjs", "long")
	long.Streaming = "true"
	first, second := reporting(func(executor.Progress) { once() }), reporting(func(p executor.Progress) { waits <- p.Message })
	second.req.ToolTimeout = time.Millisecond
	ctx, release := context.WithCancel(t.Context())
	var released atomic.Bool
	var both sync.WaitGroup
	both.Go(func() { first.run(ctx, long, `{}`) })
	<-begun
	both.Go(func() {
		e := second.run(t.Context(), r.tool("a.mjs", "short"), `{}`)
		if !released.Load() || e.Error == nil || e.Error.Code != "timeout" {
			t.Errorf("before its turn: %t, %+v", !released.Load(), e.Error)
		}
	})
	if got := <-waits; !strings.Contains(got, "turn") {
		t.Errorf("it said %q", got)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if e := r.run(cancelled, r.tool("a.mjs", "short"), `{}`); e.Error == nil || e.Error.Code != "cancelled" {
		t.Errorf("%s, %+v", e.Value, e.Error)
	}
	time.Sleep(100 * time.Millisecond) // in which a call whose time runs would end
	released.Store(true)
	release()
	both.Wait()
}
