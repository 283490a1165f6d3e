package executor

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/abl-lsp/abl-lsp/tool"
)

// ask is [Call.Ask]. What holds for an access that a tool declares holds for one that
// it asks for while it runs: denied before allowed, and what nobody has spoken of is
// asked. Whoever can be asked is, and the tool waits; else the call ends with what
// it needs.
func (r *run) ask(ctx context.Context, p tool.Permission) error {
	if p.Kind == "" || p.Op == "" || p.Resource == "" {
		return Errorf(KindDenied, "permission", "%s asks for an access without a kind, an op or a resource", r.req.Tool.Name)
	}
	if err := r.readable(p); err != nil {
		return err
	}
	p.Resource = r.redactor.String(p.Resource)
	r.asking.Lock()
	defer r.asking.Unlock()
	switch r.judge(p, r.req.Environment.Permissions.Allow) {
	case denied:
		return r.denies(p)
	case allowed:
		return nil
	}
	if r.req.Approve == nil {
		if !slices.Contains(r.open, p) {
			r.open = append(r.open, p)
		}
		return r.mustAllow(p)
	}
	approved := r.req.Approve(ctx, p)
	switch {
	case ctx.Err() != nil:
		return ended(ctx)
	case !approved:
		r.req.Refusals = append(slices.Clip(r.req.Refusals), p)
		return r.denies(p)
	}
	r.req.Grants = append(slices.Clip(r.req.Grants), p)
	return nil
}

// readable refuses an access with characters in it that make a question look like
// another one: a person answers it.
func (r *run) readable(p tool.Permission) error {
	odd := func(c rune) bool {
		return unicode.IsControl(c) || unicode.In(c, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
	}
	if said := grantOf(p); strings.ContainsFunc(said, odd) {
		return Errorf(KindDenied, "permission", "%s asks for %+q, whose characters nobody could read as they are", r.req.Tool.Name, Shorten(said, 100))
	}
	return nil
}

// unanswered are the accesses that the tool asked for in vain: it must not go on as if
// it had been told no.
func (r *run) unanswered() []tool.Permission {
	r.asking.Lock()
	defer r.asking.Unlock()
	return r.open
}
