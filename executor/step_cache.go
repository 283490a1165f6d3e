package executor

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/abl-lsp/abl-lsp/tool"
)

// reuseResult returns a cached result of the same call if the tool is cacheable. A call that
// may change something is always made.
func reuseResult(ctx context.Context, r *run, next handler) (Result, error) {
	if !r.req.Tool.Hints.Cacheable.Is(true) || r.call.Mutates {
		return next(ctx, r)
	}
	key, ok := r.cacheKey()
	if !ok {
		return next(ctx, r)
	}
	if result, ok := r.recall(ctx, key); ok && !r.req.Fresh {
		r.envelope.Cached = true
		if r.req.Tool.CanVerify() {
			r.envelope.Verified = new(true) // only verified results are cached
		}
		return result, nil
	}
	result, err := next(ctx, r)
	if err == nil {
		r.remember(ctx, key, r.withoutSecrets(result))
	}
	return result, err
}

// sharedResult is a cached result that other processes may reuse.
type sharedResult struct {
	Result Result
	Value  string    // of the result, as it was written; "" if it is no JSON
	Until  time.Time // when it is too old
}

// recall returns a cached result of this process, or of another one that shares its own.
func (r *run) recall(ctx context.Context, key resultKey) (Result, bool) {
	if result, ok := r.executor.results.get(key); ok || !KeepsResult(r.req.Tool) {
		return result, ok
	}
	raw, ok := r.executor.state.Recall(ctx, key.String())
	var s sharedResult
	if !ok || json.Unmarshal(raw, &s) != nil || !time.Now().Before(s.Until) {
		return Result{}, false
	}
	s.Result.Value = nil
	if s.Value != "" {
		s.Result.Value = json.RawMessage(s.Value)
	}
	r.executor.results.addResult(key, s.Result, s.Until)
	return s.Result, true
}

// remember caches a result: in this process, and for others if it may be stored.
func (r *run) remember(ctx context.Context, key resultKey, result Result) {
	s := sharedResult{result, string(result.Value), time.Now().Add(resultsAge)}
	r.executor.results.addResult(key, result, s.Until)
	if s.Result.Value = nil; !KeepsResult(r.req.Tool) || result.size() > resultBytes {
		return
	}
	if raw, err := json.Marshal(s); err == nil {
		r.executor.state.Remember(ctx, key.String(), raw, resultsAge)
	}
}

// cacheKey returns a key that differs for any two calls that may have different answers. The key
// is a digest, since secrets are part of its input. ok is false if the call cannot be encoded.
func (r *run) cacheKey() (key resultKey, ok bool) {
	t, env, scope := r.call.Tool, &r.req.Environment, r.call.Scope
	parts := []any{
		t, t.Origin.File, env.Root, env.Name, env.Limits, // the tool and the environment
		r.resolvedBinding(), r.req.AllowHosts, // the target
		scope.Args, tool.Object(r.call.SessionValues), scope.Secrets, // the input
		r.signInSubject, r.identity, // the identity
	}
	if t.Extra["process"] != nil { // its expressions may use all of these
		parts = append(parts, scope.Session, scope.Variables)
	}
	raw := encode(parts)
	return sha256.Sum256(raw), string(raw) != "null"
}

// withoutSecrets returns a result without secrets for the cache: a later call does not know the
// tokens that this call obtained, so it could not remove them.
func (r *run) withoutSecrets(result Result) Result {
	s := r.redactor
	result.Value, result.Text, result.Console = s.JSON(result.Value), s.String(result.Text), s.String(result.Console)
	result.Content = result.Content.redacted(s)
	result.Response = nil // it belongs to this call
	result.Warnings, _ = s.Value(result.Warnings).([]string)
	return result
}
