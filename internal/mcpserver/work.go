package mcpserver

import (
	"context"
	"sync"
)

// work counts the calls that are under way, so that the server can end after them. It is safe for
// concurrent use.
type work struct {
	mu       sync.Mutex
	calls    int
	isEnding bool
	idle     chan struct{} // closed when the server is ending and no call is under way
}

func newWork() *work { return &work{idle: make(chan struct{})} }

// begin registers a new call. ok is false if the server is ending. The caller must call end.
func (w *work) begin() (end func(), ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isEnding {
		return nil, false
	}
	w.calls++
	return sync.OnceFunc(w.end), true
}

func (w *work) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls--
	w.closeIfIdle()
}

func (w *work) closeIfIdle() {
	if w.isEnding && w.calls == 0 {
		close(w.idle)
	}
}

// drain refuses new calls, and waits until those under way have ended, or ctx has.
func (w *work) drain(ctx context.Context) {
	w.mu.Lock()
	if !w.isEnding {
		w.isEnding = true
		w.closeIfIdle()
	}
	w.mu.Unlock()
	select {
	case <-w.idle:
	case <-ctx.Done():
	}
}

// isDraining reports whether new calls are refused.
func (w *work) isDraining() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.isEnding
}
