package mcpserver

import (
	"context"
	"log/slog"
	"sync"

	"golang.org/x/time/rate"
)

// The lines that refused requests may add to the log: a second, and at once.
const (
	refusalsPerSecond = 1
	refusalsAtOnce    = 50
)

// boundedLog lets only some lines be logged. It is safe for concurrent use.
type boundedLog struct {
	limit *rate.Limiter

	mu      sync.Mutex
	skipped int
}

func newBoundedLog(perSecond rate.Limit, atOnce int) *boundedLog {
	return &boundedLog{limit: rate.NewLimiter(perSecond, atOnce)}
}

// next reports whether a line may be logged, and how many were not since the last one that was.
func (l *boundedLog) next() (skipped int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.limit.Allow() {
		l.skipped++
		return 0, false
	}
	skipped, l.skipped = l.skipped, 0
	return skipped, true
}

// libraryHandler handles what the library logs. It logs the comings and goings of each request, which
// are for debugging, and takes the mistakes of clients for errors of the server.
type libraryHandler struct{ slog.Handler }

// libraryLevel returns the level that a line of the library has for those who operate the server.
func libraryLevel(level slog.Level) slog.Level {
	switch {
	case level >= slog.LevelError:
		return slog.LevelInfo
	case level >= slog.LevelWarn:
		return level
	}
	return slog.LevelDebug
}

// Enabled implements [slog.Handler].
func (h libraryHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.Handler.Enabled(ctx, libraryLevel(level))
}

// Handle implements [slog.Handler].
func (h libraryHandler) Handle(ctx context.Context, r slog.Record) error {
	r.Level = libraryLevel(r.Level)
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h libraryHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return libraryHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements [slog.Handler].
func (h libraryHandler) WithGroup(name string) slog.Handler {
	return libraryHandler{h.Handler.WithGroup(name)}
}
