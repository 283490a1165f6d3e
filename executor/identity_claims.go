package executor

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// identityClaims holds the claims of the auth services about the caller of one run.
type identityClaims struct {
	run          *run
	byService    map[string]serviceClaims // by service
	missing      []string                 // services whose token is missing
	alternatives []string                 // the missing services for a message, such as "a or b"
}

// serviceClaims holds the verified claims of one service, or the error why there are none.
type serviceClaims struct {
	claims   map[string]any
	hasToken bool // the caller has a token of the service
	err      error
}

// authorize returns nil if at least one service of auth_required has a verified token, or if there
// is no auth_required. If no service has a token, authorize notes the services as missing and
// returns nil as well. Otherwise it returns the error of the first service whose claims it could
// not get.
func (p *identityClaims) authorize(ctx context.Context) error {
	services := p.run.req.Tool.AuthRequired
	var first error
	for _, name := range services {
		claims := p.claimsFrom(ctx, name)
		switch {
		case claims.err == nil && claims.hasToken:
			return nil
		case first == nil:
			first = claims.err
		}
	}
	if first == nil && len(services) > 0 {
		p.noteMissing(services...)
	}
	return first
}

// bindParam sets a parameter from the first of its services that has a token. If none has
// one, it sets the default of an optional parameter; else it notes the services as missing.
func (p *identityClaims) bindParam(ctx context.Context, param tool.Param) error {
	claims, err := p.claimsOf(param)
	if err != nil {
		return err
	}
	var services []string
	for _, c := range claims {
		services = append(services, c.Name)
		fromService := p.claimsFrom(ctx, c.Name)
		switch {
		case fromService.err != nil:
			return fromService.err
		case fromService.hasToken:
			return p.bindClaim(param, c, fromService.claims)
		}
	}
	if v, ok := defaultOf(param); param.Optional && len(param.AuthServices) == 0 && p.sameAsOriginalRun(param, v, ok) {
		if ok {
			p.run.binder.args[param.Name] = v
		}
		return nil
	}
	p.noteMissing(services...)
	return nil
}

// claimsOf returns the claims that may fill a parameter. A parameter with only `source: auth`
// may be filled by the services of the tool's auth_required, or by every service of the project
// that names a person if the tool has no auth_required.
func (p *identityClaims) claimsOf(param tool.Param) ([]tool.AuthClaim, error) {
	for _, c := range param.AuthServices {
		if c.Name == "" || c.Field == "" {
			e := Errorf(KindDefinition, "auth-service", "parameters.%s.auth_services: each wants the name of an auth service, and the field of its token", param.Name)
			return nil, e.WithHint("Write auth_services: [{name: …, field: sub}].")
		}
	}
	if len(param.AuthServices) > 0 {
		return param.AuthServices, nil
	}
	names := p.run.req.Tool.AuthRequired
	if len(names) == 0 {
		services := p.run.req.Environment.AuthServices
		names = slices.Sorted(maps.Keys(services))
		names = slices.DeleteFunc(names, func(name string) bool { return !identifies(services[name]) })
	}
	if len(names) == 0 && !param.Optional {
		e := Errorf(KindDefinition, "auth-service", "parameters.%s: `source: auth` finds no auth service that says who calls", param.Name)
		return nil, e.WithHint("Write auth_services: {NAME: {kind: oidc, issuer: …, audience: …}} in abl.yaml.")
	}
	claims := make([]tool.AuthClaim, len(names))
	for i, name := range names {
		claims[i] = tool.AuthClaim{Name: name, Field: referencedPath(param)}
	}
	return claims, nil
}

// bindClaim sets param to the value of the claim c in claims. A claim that is missing, or not of
// the declared type, denies the call.
func (p *identityClaims) bindClaim(param tool.Param, c tool.AuthClaim, claims map[string]any) error {
	v, ok := expression.Path(claims, c.Field)
	if !ok || v == nil {
		return Errorf(KindDenied, "claim", "%s: the token of %s has no claim %s", param.Name, c.Name, c.Field)
	}
	if at := c.Field[strings.LastIndex(c.Field, ".")+1:]; IsCredentialName(at) {
		p.run.redactor.Add(c.Name+"."+c.Field, template.Value{Data: v}.Text())
	}
	if err := checkParam(param, v); err != nil {
		return Errorf(KindDenied, "claim", "%w (the claim %s of %s)", err, c.Field, c.Name)
	}
	return p.setArgument(param, c, v)
}

// setArgument sets a claim as an argument. When a run is reverted, the claim must have the
// value that it had in that run; else the call is denied.
func (p *identityClaims) setArgument(param tool.Param, c tool.AuthClaim, v any) error {
	r := p.run
	if !p.sameAsOriginalRun(param, v, true) {
		e := Errorf(KindDenied, "claim", "who undoes a run must be who made it: the claim %s of %s is not what it was for %s", c.Field, c.Name, r.reverts)
		return e.WithHint("Sign in as whoever made the run.")
	}
	if r.reverts == "" || r.stepContext.step.Kind == "" { // otherwise the revert has its own arguments
		r.binder.args[param.Name] = v
	}
	return nil
}

// sameAsOriginalRun reports whether param had the value v in the run being reverted, or had no
// value if given is false. It returns true when nothing is being reverted.
func (p *identityClaims) sameAsOriginalRun(param tool.Param, v any, given bool) bool {
	if p.run.reverts == "" {
		return true
	}
	was, ok := p.run.stepContext.originalRun.Args[param.Name]
	return ok == given && (!given || bytes.Equal(encode(was), encode(v)))
}

// claimsFrom returns the claims of the service called name. It asks each service only once in a
// run.
func (p *identityClaims) claimsFrom(ctx context.Context, name string) serviceClaims {
	one, known := p.byService[name]
	if !known {
		one.claims, one.hasToken, one.err = p.requestClaims(ctx, name)
		p.byService[name] = one
	}
	return one
}

func (p *identityClaims) requestClaims(ctx context.Context, name string) (claims map[string]any, there bool, err error) {
	r := p.run
	service, ok := r.req.Environment.AuthServices[name]
	switch {
	case !ok:
		return nil, false, unknownAuthService(name, r.req.Environment.AuthServices)
	case !identifies(service):
		e := Errorf(KindDefinition, "auth-service", "auth_services.%s is of kind: %s, whose tokens do not say who somebody is", name, service.Kind)
		return nil, false, e.WithHint("Services of kind: google and kind: oidc do.")
	case r.executor.opts.IdentityVerifier == nil:
		return nil, false, Errorf(KindDefinition, "not-supported", "auth_services.%s: this version verifies no identity tokens", name)
	}
	if claims, known, err := p.knownClaims(name, service); known {
		return claims, true, err
	}
	token, err := p.token(ctx, name)
	if err != nil || token == "" {
		return nil, false, err
	}
	service, err = p.expandService(ctx, "auth_services."+name, service)
	if err != nil {
		return nil, true, err
	}
	claims, err = r.executor.opts.IdentityVerifier.Identify(ctx, r.call, name, service, token)
	return claims, true, err
}

// knownClaims returns the claims of the request's identity if the service has the same issuer, and the
// caller gave no token for the service itself. The service may require scopes of it, too.
func (p *identityClaims) knownClaims(name string, service tool.AuthService) (claims map[string]any, known bool, err error) {
	id := p.run.req.Identity
	if id == nil || strings.TrimSpace(p.run.req.AuthTokens[name]) != "" {
		return nil, false, nil
	}
	scope := template.Scope{Variables: p.run.req.Environment.Variables}
	issuer, err := scope.Expand(service.Issuer, nil)
	isIssuer := err == nil && strings.TrimSpace(issuer) == id.Issuer
	if !isIssuer { // what is wrong with the service is said where a token is verified
		return nil, false, nil
	}
	given, _ := id.Claims["scope"].(string)
	for _, wanted := range service.ScopesRequired {
		if !slices.Contains(strings.Fields(given), wanted) {
			return nil, true, Errorf(KindDenied, "token", "the token of %s is not for the scope %s", name, wanted)
		}
	}
	return id.Claims, true, nil
}

func unknownAuthService(name string, services map[string]tool.AuthService) error {
	e := Errorf(KindDefinition, "auth-service", "neither abl.yaml nor the tool's own file has %s under auth_services", name)
	if len(services) > 0 {
		return e.WithHint("There is %s.", strings.Join(slices.Sorted(maps.Keys(services)), ", "))
	}
	return e.WithHint("Write auth_services: {%s: {kind: oidc, issuer: …, audience: …}} in abl.yaml.", name)
}

// token returns the token that the caller gave for the service called name, else the secret that
// [tokenSecret] names. It returns "" if there is neither.
func (p *identityClaims) token(ctx context.Context, name string) (string, error) {
	r, secret := p.run, tokenSecret(name)
	if token := strings.TrimSpace(r.req.AuthTokens[name]); token != "" {
		r.redactor.Add(secret, token)
		return token, nil
	}
	values, _, err := r.findSecrets(ctx, []string{secret})
	return strings.TrimSpace(values[secret]), err
}

// tokenSecret returns the name of the secret that holds the token of a service.
func tokenSecret(service string) string { return SecretName(service) + "_TOKEN" }

// expandService returns s with its placeholders filled in. It returns an error if the issuer
// contains a secret, because only the project file may choose the issuer.
func (p *identityClaims) expandService(ctx context.Context, of string, s tool.AuthService) (tool.AuthService, error) {
	r := p.run
	if names := placeholder.Secrets(s.Issuer); len(names) > 0 {
		e := Errorf(KindDefinition, "auth", "%s.issuer: who vouches for tokens cannot come from a secret, as in %s", of, s.Issuer)
		return s, e.WithHint("Write it out. In a Toolbox file issuer is authorizationServer, and ${%s} means {{secrets.%[1]s}}.", names[0])
	}
	scope := template.Scope{Variables: r.req.Environment.Variables}
	issuer, err := scope.Expand(s.Issuer, nil)
	if err != nil {
		return s, TemplateError(of+".issuer", err)
	}
	s.Issuer = strings.TrimSpace(issuer)
	values, missing, err := r.findSecrets(ctx, placeholder.Secrets(s.ClientID+" "+s.Audience))
	switch {
	case err != nil:
		return s, err
	case len(missing) > 0:
		return s, r.missingSecrets(missing)
	}
	scope.Secrets = values
	for name, text := range map[string]*string{"client_id": &s.ClientID, "audience": &s.Audience} {
		filled, err := scope.Expand(*text, nil)
		if err != nil {
			return s, TemplateError(of+"."+name, err)
		}
		*text = strings.TrimSpace(filled)
	}
	return s, nil
}

// noteMissing notes that the caller must give a token of one of these services.
func (p *identityClaims) noteMissing(services ...string) {
	if any := strings.Join(services, " or "); !slices.Contains(p.alternatives, any) {
		p.alternatives = append(p.alternatives, any)
	}
	for _, name := range services {
		if !slices.Contains(p.missing, name) {
			p.missing = append(p.missing, name)
		}
	}
}

// missingTokenError returns the error that asks for the missing tokens.
func (p *identityClaims) missingTokenError() error {
	var names []string
	for _, service := range p.missing {
		names = append(names, tokenSecret(service))
	}
	e := needsError(Needs{Secrets: names}, CodeMissingToken, "%s needs an identity token of %s", p.run.req.Tool.Name, strings.Join(p.alternatives, ", and of "))
	e.Details = map[string]any{"services": slices.Clone(p.missing)}
	return e.WithHint("Give it with --auth-token %s=TOKEN, or as the secret %s.", p.missing[0], names[0])
}

// CodeMissingToken is the code of a call that lacks identity tokens. Details.services names
// the auth services, a []string.
const CodeMissingToken = "missing-token"

// warnUnused warns about each token of the request that no service was asked to verify.
func (p *identityClaims) warnUnused() {
	tokens := p.run.req.AuthTokens
	if len(tokens) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(tokens)) {
		if _, used := p.byService[name]; !used {
			p.run.warn("%s asks for no token of %s; it was not looked at", p.run.req.Tool.Name, name)
		}
	}
}

// identity returns a JSON object that names the caller: the issuer and subject by service. The
// object stays the same when that person gets a new token.
func (p *identityClaims) identity() json.RawMessage {
	who := map[string][]any{}
	for name, claims := range p.byService {
		if claims.hasToken && claims.err == nil {
			who[name] = []any{claims.claims["iss"], claims.claims["sub"]}
		}
	}
	return encode(who)
}

// identifies reports whether tokens of the service name a person.
func identifies(s tool.AuthService) bool { return s.Kind == "google" || s.Kind == "oidc" }
