package executor

import (
	"context"
	"crypto/rand"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// IdentityVerifier verifies identity tokens.
type IdentityVerifier interface {
	// Identify gives the claims of a token that the service's issuer has signed for its
	// audience, and that holds now. The service's placeholders are filled in.
	Identify(ctx context.Context, call Call, name string, s tool.AuthService, token string) (claims map[string]any, err error)
}

// identifyCaller finds out for whom the call is made: the tokens of the auth services that
// the tool names are verified, and their claims are arguments. So they are there before
// a person is asked to confirm the call; the tokens themselves are sent to nobody.
func identifyCaller(ctx context.Context, r *run, next handler) (Result, error) {
	t := r.req.Tool
	params := t.Arguments()
	if r.reverts != "" { // whose they were, whatever the undoing is called with
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

// useClaimStandIns puts stand-ins where claims would be, which are shown as marks.
func useClaimStandIns(ctx context.Context, r *run, next handler) (Result, error) {
	for _, p := range r.req.Tool.Arguments() {
		if !p.FromSignIn() {
			continue
		}
		name := referencedPath(p)
		if len(p.AuthServices) > 0 {
			name = p.AuthServices[0].Name + "." + p.AuthServices[0].Field
		}
		stand := "a" + rand.Text() // also where only a name may stand
		r.redactor.AddPlain(name, stand)
		r.binder.args[p.Name] = stand
		r.binder.hasStandIns = true
	}
	return next(ctx, r)
}
