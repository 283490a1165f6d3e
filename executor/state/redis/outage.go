package redis

import (
	"log/slog"
	"sync"
	"time"
)

// warnEvery is the time between two warnings of one outage.
const warnEvery = time.Minute

// retryAfter is how long limits do not call a server that has just not answered.
const retryAfter = time.Second

// outage knows whether Redis can be reached, and tells the log. It is safe for concurrent use.
type outage struct {
	logger *slog.Logger

	mu     sync.Mutex
	last   time.Time // the last call that failed; zero: none
	lasts  bool      // no call has succeeded since
	warned time.Time // the last warning
	told   bool      // there was one in this outage
}

// begin notes a call that has failed.
func (o *outage) begin(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last, o.lasts = time.Now(), true
	if o.last.Sub(o.warned) < warnEvery {
		return
	}
	o.warned, o.told = o.last, true
	o.logger.Warn("what the servers share cannot be reached: limits are those of this server alone, and what may happen only once is refused", "error", err)
}

// end notes a call that has succeeded.
func (o *outage) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.told {
		o.logger.Info("what the servers share can be reached again")
	}
	o.lasts, o.told = false, false
}

// isJustSeen reports whether a call has failed a moment ago and none has succeeded since.
func (o *outage) isJustSeen() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lasts && time.Since(o.last) < retryAfter
}

// wasWithin reports whether a call has failed in the last d.
func (o *outage) wasWithin(d time.Duration) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.last.IsZero() && time.Since(o.last) < d
}
