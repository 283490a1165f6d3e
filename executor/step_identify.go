package executor

import (
	"context"
	"crypto/rand"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// IdentityVerifier verifies identity tokens.
type IdentityVerifier interface {
	// Identify returns the claims of token. It returns an error unless the issuer of s, the auth
	// service called name, signed token for the service's audience and token is valid now. The
	// placeholders of s are filled in.
	Identify(ctx context.Context, call Call, name string, s tool.AuthService, token string) (claims map[string]any, err error)
}

// identifyCaller finds out for whom the call is made. It verifies the tokens of the auth
// services that the tool names and sets arguments from their claims. This happens before the
// person is asked to confirm the call. The tokens themselves are sent to no one.
func identifyCaller(ctx context.Context, r *run, next handler) (Result, error) {
	t := r.req.Tool
	params := t.Arguments()
	if r.reverts != "" { // those of the original run
		params = r.stepContext.signInParams
	}
	signedIn := slices.ContainsFunc(params, tool.Param.FromSignIn)
	switch {
	case !signedIn && len(t.AuthRequired) == 0:
		(&identityClaims{run: r}).warnUnused()
		return next(ctx, r)
	case len(r.binder.missing) > 0:
		return Result{}, r.binder.missingError()
	case r.toolGate() == tool.Blocked:
		return Result{}, blockedError(t)
	}
	p := &identityClaims{run: r, byService: map[string]serviceClaims{}}
	err := p.authorize(ctx)
	for i := 0; i < len(params) && err == nil; i++ {
		if params[i].FromSignIn() {
			err = p.bindParam(ctx, params[i])
		}
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return Result{}, contextError(ctx)
	case err != nil:
		return Result{}, err
	case len(p.missing) > 0:
		return Result{}, p.missingTokenError()
	}
	p.warnUnused()
	r.identity = p.identity()
	return next(ctx, r)
}

// useClaimStandIns sets stand-ins for the arguments that claims would fill. A preview shows them
// as marks.
func useClaimStandIns(ctx context.Context, r *run, next handler) (Result, error) {
	for _, p := range r.req.Tool.Arguments() {
		if !p.FromSignIn() {
			continue
		}
		name := referencedPath(p)
		if len(p.AuthServices) > 0 {
			name = p.AuthServices[0].Name + "." + p.AuthServices[0].Field
		}
		stand := "a" + rand.Text() // the letter makes it a valid name
		r.redactor.AddPlain(name, stand)
		r.binder.args[p.Name] = stand
		r.binder.hasStandIns = true
	}
	return next(ctx, r)
}
