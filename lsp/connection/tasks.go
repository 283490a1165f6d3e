package connection

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"
)

// tasks is the work of a session that runs while messages are read.
type tasks struct {
	ctx         context.Context // the context of all work; done when the session ends
	cancel      context.CancelCauseFunc
	finiteWork  sync.WaitGroup // work that ends by itself
	endlessWork sync.WaitGroup // work that runs until it is cancelled

	mu    sync.Mutex // guards ended, so that no work starts while endTasks waits
	ended bool
}

func newTasks() tasks {
	ctx, cancel := context.WithCancelCause(context.Background())
	return tasks{ctx: ctx, cancel: cancel}
}

// Context returns the context of all work, which is done when the session ends.
func (c *Conn) Context() context.Context { return c.tasks.ctx }

// Go starts work that may last longer than the handling of the current message. When the
// session ends after a shutdown, it waits for the work up to EndTimeout. A panic ends
// only the work itself. Nothing starts after the end of the session.
func (c *Conn) Go(name string, work func(context.Context)) {
	c.start(&c.tasks.finiteWork, name, work)
}

// GoUntilDone is Go for work that runs until its context is done. The end of a session does
// not wait for it before cancelling it.
func (c *Conn) GoUntilDone(name string, work func(context.Context)) {
	c.start(&c.tasks.endlessWork, name, work)
}

func (c *Conn) start(group *sync.WaitGroup, name string, work func(context.Context)) {
	c.tasks.mu.Lock()
	defer c.tasks.mu.Unlock()
	if c.tasks.ended {
		return // the session is over
	}
	group.Go(func() {
		defer c.Recover(name)
		work(c.tasks.ctx)
	})
}

// How long work may take at the end of the session: to finish, and then to end after it
// is cancelled.
const (
	defaultEndTimeout = 500 * time.Millisecond
	cancelTimeout     = 5 * time.Second
)

// endTasks cancels all work and waits for it. After a shutdown it first gives the work
// EndTimeout to finish.
func (c *Conn) endTasks(orderly bool) {
	c.tasks.mu.Lock()
	c.tasks.ended = true
	c.tasks.mu.Unlock()
	if orderly {
		wait(c.EndTimeout, &c.tasks.finiteWork)
	}
	c.tasks.cancel(c.opts.EndCause)
	if !wait(cancelTimeout, &c.tasks.finiteWork, &c.tasks.endlessWork) {
		c.log.Warn("work goes on that was cancelled")
	}
}

// wait waits for work, and reports whether all of it has ended in time.
func wait(atMost time.Duration, work ...*sync.WaitGroup) bool {
	idle := make(chan struct{})
	go func() {
		for _, w := range work {
			w.Wait()
		}
		close(idle)
	}()
	select {
	case <-idle:
		return true
	case <-time.After(atMost):
		return false
	}
}

// Recover turns a panic into an entry of the log. It must be deferred directly.
func (c *Conn) Recover(name string) {
	if p := recover(); p != nil {
		c.logPanic(name, p)
	}
}

// recoverPanic is Recover, but it also sets *err to an internal error if there was a
// panic.
func (c *Conn) recoverPanic(name string, err *error) {
	if p := recover(); p != nil {
		c.logPanic(name, p)
		*err = jsonrpc2.Errorf(jsonrpc2.InternalError, "%s failed inside the server, whose log says more", name)
	}
}

func (c *Conn) logPanic(name string, p any) {
	c.log.Error("panic", zap.String("in", name), zap.Any("panic", p), zap.ByteString("stack", debug.Stack()))
}
