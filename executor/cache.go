package executor

import (
	"context"
	"crypto/sha256"

	"github.com/abl-lsp/abl-lsp/tool"
)

// cache gives again what a cacheable tool answered lately to the same call.
// What changes something, or may, is never answered so, whatever its hints say.
func cache(ctx context.Context, r *run, next handler) (Result, error) {
	if !r.req.Tool.Hints.Cacheable.Is(true) || r.call.Mutates || r.req.Fresh {
		return next(ctx, r)
	}
	key := r.cacheKey()
	if result, ok := r.executor.results.get(key); ok {
		r.envelope.Cached = true
		return result, nil
	}
	result, err := next(ctx, r)
	if err == nil {
		r.executor.results.put(key, r.withoutSecrets(result))
	}
	return result, err
}

// cacheKey names a call: two that may be answered differently differ in it. It
// is a digest, since secrets are a part of what it is made of.
func (r *run) cacheKey() resultKey {
	t, env := r.call.Tool, &r.req.Environment
	return sha256.Sum256(encode(map[string]any{
		"tool":        t,
		"file":        []string{t.Origin.File, env.Root},
		"binding":     r.resolvedBinding(),
		"environment": []any{env.Name, env.Protected, env.Limits},
		"hosts":       r.req.AllowHosts,
		"context":     tool.Object(r.call.Context),
		"args":        r.call.Scope.Args,
		"secrets":     r.call.Scope.Secrets,
	}))
}

// withoutSecrets is a result as it may be kept: another call does not know the
// tokens that this one obtained.
func (r *run) withoutSecrets(result Result) Result {
	s := r.redactor
	result.Value, result.Text, result.Console = s.JSON(result.Value), s.String(result.Text), s.String(result.Console)
	result.Warnings, _ = s.Value(result.Warnings).([]string)
	return result
}
