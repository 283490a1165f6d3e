package lsp

import (
	"context"
	"sync"

	"go.uber.org/zap"
)

// refreshRequests are the refresh requests to the client. Of each method one at a time is
// sent.
type refreshRequests struct {
	mu      sync.Mutex      // guards asked
	pending map[string]bool // by the methods that wait for an answer: whether to ask once more after it
}

// refresh sends the client a request of a method such as workspace/inlayHint/refresh,
// after which the client asks the server again. It does nothing if stale is false, and
// does not wait for the answer.
func (c *client) refresh(stale bool, method string) {
	if !stale || !c.refreshes.startRequest(method) {
		return
	}
	c.Go("refresh", func(ctx context.Context) {
		for ok := true; ok; ok = c.refreshes.endRequest(method) {
			if err := c.Call(ctx, method, nil, nil); err != nil {
				c.log.Debug("not refreshed", zap.Error(err))
			}
		}
	})
}

// startRequest reports whether to send a request now. If not, one is sent after the next
// answer.
func (r *refreshRequests) startRequest(method string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pending == nil {
		r.pending = map[string]bool{}
	}
	_, waits := r.pending[method]
	r.pending[method] = waits
	return !waits
}

// endRequest notes an answer and reports whether to send another request.
func (r *refreshRequests) endRequest(method string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pending[method] {
		r.pending[method] = false
		return true
	}
	delete(r.pending, method)
	return false
}
