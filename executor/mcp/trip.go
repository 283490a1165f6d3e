package mcp

import (
	"context"
	"sync"
	"sync/atomic"
)

// trip is what becomes of one call on its way.
type trip struct {
	sent atomic.Bool // the server may have begun

	mu    sync.Mutex
	fault error // why no answer can come
}

type (
	tripKey    struct{}
	headersKey struct{}
)

func withTrip(ctx context.Context, t *trip) context.Context {
	return context.WithValue(ctx, tripKey{}, t)
}

// tripOf is never nil.
func tripOf(ctx context.Context) *trip {
	if t, ok := ctx.Value(tripKey{}).(*trip); ok {
		return t
	}
	return new(trip)
}

func (t *trip) begun() { t.sent.Store(true) }

func (t *trip) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fault = err
}

func (t *trip) reason() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.fault
}

// withHeaders has headers go along with what is sent for a call.
func withHeaders(ctx context.Context, headers map[string]string) context.Context {
	return context.WithValue(ctx, headersKey{}, headers)
}

func headersOf(ctx context.Context) map[string]string {
	headers, _ := ctx.Value(headersKey{}).(map[string]string)
	return headers
}
