package executor

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/abl-lsp/abl-lsp/tool"
)

// ask decides about an access that a tool asks for while it runs; it implements [Call.Ask].
// Denials win over permissions. If neither decides and the person can be asked, the tool
// waits for the answer; otherwise the call ends with the access in its [Needs].
func (r *run) ask(ctx context.Context, p tool.Permission) error {
	if p.Kind == "" || p.Op == "" || p.Resource == "" {
		return Errorf(KindDenied, "permission", "%s asks for an access without a kind, an op or a resource", r.req.Tool.Name)
	}
	if err := r.checkReadable(p); err != nil {
		return err
	}
	p.Resource = r.redactor.String(p.Resource)
	r.askLock.Lock()
	defer r.askLock.Unlock()
	switch r.decideAccess(p, r.req.Environment.Permissions.Allow) {
	case denied:
		return r.deniedError(p)
	case allowed:
		return nil
	}
	if r.req.Approve == nil {
		if !slices.Contains(r.unansweredAsks, p) {
			r.unansweredAsks = append(r.unansweredAsks, p)
		}
		return r.permissionError(p)
	}
	approved := r.req.Approve(ctx, p)
	switch {
	case ctx.Err() != nil:
		return contextError(ctx)
	case !approved:
		r.req.Refusals = append(slices.Clip(r.req.Refusals), p)
		return r.deniedError(p)
	}
	r.req.Grants = append(slices.Clip(r.req.Grants), p)
	return nil
}

// checkReadable returns an error for an access that contains control or bidirectional characters,
// since with them a question can look like another one.
func (r *run) checkReadable(p tool.Permission) error {
	odd := func(c rune) bool {
		return unicode.IsControl(c) || unicode.In(c, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
	}
	if text := grantText(p); strings.ContainsFunc(text, odd) {
		return Errorf(KindDenied, "permission", "%s asks for %+q, whose characters nobody could read as they are", r.req.Tool.Name, Shorten(text, 100))
	}
	return nil
}

// unansweredPermissions returns the accesses that the tool asked for while no one could
// be asked. The tool must not go on as if they had been refused.
func (r *run) unansweredPermissions() []tool.Permission {
	r.askLock.Lock()
	defer r.askLock.Unlock()
	return r.unansweredAsks
}
