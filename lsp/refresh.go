package lsp

import (
	"context"
	"sync"

	"go.uber.org/zap"
)

// refreshRequests are the refresh requests to the client, one of each method at a time.
type refreshRequests struct {
	mu    sync.Mutex      // guards asked
	asked map[string]bool // by method: whether to ask again after the answer
}

// refresh asks the client to ask again for what a change elsewhere has altered.
func (c *client) refresh(stale bool, method string) {
	if !stale || !c.refreshes.begin(method) {
		return
	}
	c.Go("refresh", func(ctx context.Context) {
		for ok := true; ok; ok = c.refreshes.again(method) {
			if err := c.Call(ctx, method, nil, nil); err != nil {
				c.log.Debug("not refreshed", zap.Error(err))
			}
		}
	})
}

// begin reports whether to send a request now. If not, one is sent after the next answer.
func (r *refreshRequests) begin(method string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked == nil {
		r.asked = map[string]bool{}
	}
	_, waits := r.asked[method]
	r.asked[method] = waits
	return !waits
}

// again reports whether to send another request after an answer.
func (r *refreshRequests) again(method string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked[method] {
		r.asked[method] = false
		return true
	}
	delete(r.asked, method)
	return false
}
