package executor

import (
	"context"
	"crypto/sha256"

	"github.com/abl-lsp/abl-lsp/tool"
)

// reuseResult returns a cached result of the same call if the tool is cacheable. A call
// that changes something, or may, is always made.
func reuseResult(ctx context.Context, r *run, next handler) (Result, error) {
	if !r.req.Tool.Hints.Cacheable.Is(true) || r.call.Mutates {
		return next(ctx, r)
	}
	key, ok := r.cacheKey()
	if !ok {
		return next(ctx, r)
	}
	if result, ok := r.executor.results.get(key); ok && !r.req.Fresh {
		r.envelope.Cached = true
		if r.req.Tool.CanVerify() {
			r.envelope.Verified = new(true) // else it would not be there
		}
		return result, nil
	}
	result, err := next(ctx, r)
	if err == nil {
		r.executor.results.addResult(key, r.withoutSecrets(result))
	}
	return result, err
}

// cacheKey names a call: two that may be answered differently differ in it. It
// is a digest, since secrets are a part of what it is made of. A call that
// cannot be written down has none.
func (r *run) cacheKey() (key resultKey, ok bool) {
	t, env, scope := r.call.Tool, &r.req.Environment, r.call.Scope
	parts := []any{
		t, t.Origin.File, env.Root, env.Name, env.Limits, // whose call it is
		r.resolvedBinding(), r.req.AllowHosts, // where it goes
		scope.Args, tool.Object(r.call.SessionValues), scope.Secrets, // with what
		r.signInSubject, r.identity, // and as whom
	}
	if t.Extra["process"] != nil { // its expressions see all of these
		parts = append(parts, scope.Session, scope.Variables)
	}
	raw := encode(parts)
	return sha256.Sum256(raw), string(raw) != "null"
}

// withoutSecrets is a result as it may be kept: another call does not know the
// tokens that this one obtained.
func (r *run) withoutSecrets(result Result) Result {
	s := r.redactor
	result.Value, result.Text, result.Console = s.JSON(result.Value), s.String(result.Text), s.String(result.Console)
	result.Warnings, _ = s.Value(result.Warnings).([]string)
	return result
}
