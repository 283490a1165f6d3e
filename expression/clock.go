package expression

import (
	"context"
	"fmt"
	"time"
)

// timeKey is the key of the present time in a context.
type timeKey struct{}

// WithTime returns a context in which all expressions see at as the present time. Without it each
// evaluation sees the time when it begins.
func WithTime(ctx context.Context, at time.Time) context.Context {
	return context.WithValue(ctx, timeKey{}, at)
}

// presentTime returns the present time of a context, otherwise start.
func presentTime(ctx context.Context, start time.Time) time.Time {
	if at, ok := ctx.Value(timeKey{}).(time.Time); ok {
		return at
	}
	return start
}

// clock is the present time of one evaluation. That of the tables is empty: each evaluation replaces
// its functions.
type clock struct{ at time.Time }

// functions returns the functions of the language that read the clock.
func (c clock) functions() map[string]function {
	now := function{0, 0, c.now}
	return map[string]function{"NOW": now, Prefix + "now": now, "NOW_MS": {0, 0, c.milliseconds}}
}

func (c clock) now([]any) (any, error) { return c.at.UTC().Format(time.RFC3339), nil }

func (c clock) milliseconds([]any) (any, error) { return int(c.at.UnixMilli()), nil }

// local is the function `now` of expr-lang, which may take a time zone.
func (c clock) local(p ...any) (any, error) {
	if len(p) == 0 {
		return c.at, nil
	}
	zone, ok := p[0].(*time.Location)
	if !ok || len(p) > 1 {
		return nil, fmt.Errorf("invalid number of arguments (expected 0, got %d)", len(p))
	}
	return c.at.In(zone), nil
}
