package executor

import (
	"context"
	"crypto/rand"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// Identifier verifies identity tokens.
type Identifier interface {
	// Identify gives the claims of a token that the service's issuer has signed for its
	// audience, and that holds now. The service's placeholders are filled in.
	Identify(ctx context.Context, call Call, name string, s AuthService, token string) (claims map[string]any, err error)
}

// identify finds out for whom the call is made: the tokens of the auth services that
// the tool names are verified, and their claims are arguments. So they are there before
// a person is asked to confirm the call; the tokens themselves are sent to nobody.
func identify(ctx context.Context, r *run, next handler) (Result, error) {
	t := r.req.Tool
	p := &passport{run: r, read: map[string]page{}}
	params := t.Arguments()
	if r.reverts != "" { // whose they were, whatever the undoing is called with
		params = r.beside.signedIn
	}
	signedIn := slices.ContainsFunc(params, tool.Param.FromSignIn)
	switch {
	case !signedIn && len(t.AuthRequired) == 0:
		p.unused()
		return next(ctx, r)
	case len(r.taking.missing) > 0:
		return Result{}, r.taking.needed()
	case r.gated() == tool.Blocked:
		return Result{}, blocked(t)
	}
	err := p.authorize(ctx)
	for i := 0; i < len(params) && err == nil; i++ {
		if params[i].FromSignIn() {
			err = p.fill(ctx, params[i])
		}
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return Result{}, ended(ctx)
	case err != nil:
		return Result{}, err
	case len(p.missing) > 0:
		return Result{}, p.needed()
	}
	p.unused()
	r.identity = p.identity()
	return next(ctx, r)
}

// unidentified puts stand-ins where claims would be, which are shown as marks.
func unidentified(ctx context.Context, r *run, next handler) (Result, error) {
	for _, p := range r.req.Tool.Arguments() {
		if !p.FromSignIn() {
			continue
		}
		name := reference(p)
		if len(p.AuthServices) > 0 {
			name = p.AuthServices[0].Name + "." + p.AuthServices[0].Field
		}
		stand := "a" + rand.Text() // also where only a name may stand
		r.redactor.AddPlain(name, stand)
		r.taking.args[p.Name] = stand
		r.taking.blind = true
	}
	return next(ctx, r)
}
