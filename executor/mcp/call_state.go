package mcp

import (
	"context"
	"sync"
	"sync/atomic"
)

// callState records whether one call was sent, and why it failed.
type callState struct {
	token string      // of the call; "": it is not known
	sent  atomic.Bool // the server may have begun the call

	mu    sync.Mutex
	fault error // why there can be no answer
}

type (
	callStateKey struct{}
	headersKey   struct{}
	taskIDKey    struct{}
)

func withCallState(ctx context.Context, t *callState) context.Context {
	return context.WithValue(ctx, callStateKey{}, t)
}

// callStateOf returns the state of the call that ctx belongs to. It is never nil.
func callStateOf(ctx context.Context) *callState {
	if t, ok := ctx.Value(callStateKey{}).(*callState); ok {
		return t
	}
	return new(callState)
}

func (t *callState) markSent() { t.sent.Store(true) }

func (t *callState) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fault = err
}

func (t *callState) reason() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.fault
}

// withHeaders returns a context whose requests carry the headers.
func withHeaders(ctx context.Context, headers map[string]string) context.Context {
	return context.WithValue(ctx, headersKey{}, headers)
}

func headersOf(ctx context.Context) map[string]string {
	headers, _ := ctx.Value(headersKey{}).(map[string]string)
	return headers
}

// withTaskID returns a context whose requests are about a task.
func withTaskID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, taskIDKey{}, id)
}

// taskIDOf returns the id of the task that the requests of ctx are about; "" for other requests.
func taskIDOf(ctx context.Context) string {
	id, _ := ctx.Value(taskIDKey{}).(string)
	return id
}
