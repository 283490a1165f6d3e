package webhook

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/rest"
)

// waiter waits for one callback.
type waiter struct {
	port      int
	token     string // the path, which cannot be guessed
	max       int64
	taken     atomic.Bool
	callbacks chan callback // has room for one
	done      chan struct{} // closed when the call no longer waits
}

func newWaiter(token string, max int64) *waiter {
	return &waiter{token: token, max: max, callbacks: make(chan callback, 1), done: make(chan struct{})}
}

func (v *waiter) isOver() bool {
	select {
	case <-v.done:
		return true
	default:
		return false
	}
}

// deliver passes a callback on to the waiting call, unless that has one already or waits in another
// process.
func (v *waiter) deliver(c callback) {
	select {
	case v.callbacks <- c:
	default:
	}
}

// callback is a posted result.
type callback struct {
	ContentType string `json:"content_type"`
	Body        []byte `json:"body"`
	TooLarge    bool   `json:"too_large,omitzero"`
	IsElsewhere bool   `json:"elsewhere,omitzero"` // the waiter of another process has the result, which may not be stored
}

// wait returns the result of the callback. After patience it calls last, which may deliver one more
// callback, and returns an error if there is none. When ctx ends it returns the error of ctx.
func (v *waiter) wait(ctx context.Context, call executor.Call, patience time.Duration, last func()) (executor.Result, error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	if patience > 0 {
		call.Report(executor.Progress{Message: "waiting for the callback, up to " + shortDuration(patience)})
	}
	select {
	case c := <-v.callbacks:
		return v.result(call, c)
	case <-late.C:
	case <-ctx.Done():
		return executor.Result{}, ctx.Err()
	}
	last()
	select {
	case c := <-v.callbacks:
		return v.result(call, c)
	default:
	}
	if patience <= 0 {
		return executor.Result{}, executor.Errorf(executor.KindTimeout, "callback-timeout", "no callback in time (timeout_seconds)")
	}
	return executor.Result{}, executor.Errorf(executor.KindTimeout, "callback-timeout", "no callback within %s (timeout_seconds)", shortDuration(patience))
}

// result returns the result that a callback has brought.
func (v *waiter) result(call executor.Call, c callback) (executor.Result, error) {
	if c.TooLarge {
		return executor.Result{}, executor.Errorf(executor.KindLimit, "response-size", "the callback is larger than %s", rest.Size(v.max))
	}
	return rest.Answer(call.Tool.Returns, c.ContentType, c.Body), nil
}

// shortDuration returns a duration as text without zero units: 1h0m0s becomes 1h.
func shortDuration(d time.Duration) string {
	text := d.String()
	for _, none := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// unsent reports whether err says that nothing of a request can have reached the other side.
func unsent(err error) bool {
	e, ok := errors.AsType[*executor.Error](err)
	return ok && e.Unsent
}
