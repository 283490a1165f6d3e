package oauth

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/oauth2/endpoints"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// The kinds of auth that obtain a token.
const (
	client = "oauth2_client"
	user   = "oauth2_user"
	saml   = "saml"
)

// ObtainsToken reports whether this package obtains the tokens of a kind of auth.
func ObtainsToken(auth string) bool { return auth == client || auth == user || auth == saml }

// NeedsSignIn reports whether a kind of auth may need a person to sign in.
func NeedsSignIn(auth string) bool { return auth == user }

// AuthSettings holds the settings of a tool and its project for the tool's auth. Placeholders are
// not filled in yet.
type AuthSettings struct {
	Auth           string
	Config         *tool.AuthConfig
	Profile        string // the service's name where the config has no provider
	Services       map[string]tool.AuthService
	HostCredential tool.Credential // the project's credential for the tool's host
	Prefix         string          // of the names of the secrets for missing settings: API_EXAMPLE_COM
}

// Grant describes how a token is obtained.
type Grant struct {
	auth    string
	service tool.AuthService // of the project; zero: none

	tokenURL, authorizationURL, deviceURL, issuer       propertyText
	clientID, clientSecret, scopes, audience, assertion propertyText
	redirect                                            propertyText

	resource *resourceTerms // what a protected resource adds; nil: the token is for none
}

// propertyText is the text of a property.
type propertyText struct {
	value string
	from  string // the property
}

// NewGrant returns how a tool's token is obtained. The tool's own settings win, then those of the
// service that it names, then the credentials of the project, then the secrets named after the
// host. It returns an error if a setting is missing.
func NewGrant(a AuthSettings) (Grant, error) {
	name := cmp.Or(a.Config.Provider, a.Profile)
	s, ok := a.Services[name]
	if name != "" && !ok {
		return Grant{}, unknownService(name, a.Services)
	}
	if name != "" && (s.Kind == saml) != (a.Auth == saml) {
		return Grant{}, definitionError("auth: %s and auth_services.%s do not fit: that is of kind: %s", a.Auth, name, s.Kind)
	}
	property, of := func(value, key string) propertyText { return propertyText{value, "auth_config." + key} }, "auth_services."+name+"."
	g := Grant{auth: a.Auth, service: s}
	g.tokenURL = first(property(a.Config.TokenURL, "token_url"), propertyText{s.TokenURL, of + "token_url"})
	g.scopes = first(property(a.Config.Scopes, "scopes"), propertyText{strings.Join(s.Scopes, " "), of + "scopes"})
	g.authorizationURL = propertyText{s.AuthorizationURL, of + "authorization_url"}
	g.deviceURL = propertyText{s.DeviceAuthorizationURL, of + "device_authorization_url"}
	g.redirect = propertyText{s.RedirectURL, of + "redirect_url"}
	g.issuer = propertyText{s.Issuer, of + "issuer"}
	g.audience = propertyText{s.Audience, of + "audience"}
	g.assertion = propertyText{s.Assertion, of + "assertion"}
	g.clientID = first(property(a.Config.ClientID, "client_id"), propertyText{s.ClientID, of + "client_id"}, propertyText{a.HostCredential.ClientID, "credentials.client_id"})
	g.clientSecret = first(property(a.Config.ClientSecret, "client_secret"), propertyText{s.ClientSecret, of + "client_secret"}, propertyText{a.HostCredential.ClientSecret, "credentials.client_secret"})
	g.fillDefaults()
	g.nameSecrets(a.Prefix)
	return g, g.checkComplete()
}

func first(texts ...propertyText) propertyText {
	for _, t := range texts {
		if t.value != "" {
			return t
		}
	}
	return propertyText{}
}

// fillDefaults sets the known URLs and scopes of a kind of service.
func (g *Grant) fillDefaults() {
	switch g.service.Kind {
	case "google":
		if g.issuer.value != "" {
			break
		}
		g.tokenURL = first(g.tokenURL, propertyText{endpoints.Google.TokenURL, "token_url"})
		g.authorizationURL = first(g.authorizationURL, propertyText{endpoints.Google.AuthURL + "?access_type=offline", "authorization_url"})
		g.audience = propertyText{} // it is only for tokens of callers
	case "oidc":
	default:
		return
	}
	if g.auth == user {
		g.scopes = first(g.scopes, propertyText{"openid", "scopes"})
	}
}

// nameSecrets sets a missing client id or client secret to the secret named after the host. When a
// person signs in, a client with an id but no secret stays without one. A SAML assertion needs no
// client.
func (g *Grant) nameSecrets(prefix string) {
	if g.auth == saml {
		return
	}
	if g.clientSecret.value == "" && (g.auth == client || g.clientID.value == "") {
		g.clientSecret = propertyText{"{{secrets." + prefix + "_CLIENT_SECRET}}", "client_secret"}
	}
	if g.clientID.value == "" {
		g.clientID = propertyText{"{{secrets." + prefix + "_CLIENT_ID}}", "client_id"}
	}
}

// checkComplete returns an error that says which setting is missing and where to set it.
func (g *Grant) checkComplete() error {
	const service = "ame with auth_config.provider an entry of auth_services in abl.yaml that has "
	pages := g.authorizationURL.value + g.deviceURL.value
	switch {
	case g.auth == saml && (g.service.Kind != saml || g.tokenURL.value == "" || g.assertion.value == ""):
		return definitionError("auth: saml needs to know where the assertion is exchanged").
			WithHint("N%skind: saml, a token_url and an assertion.", service)
	case g.auth == user && g.issuer.value == "" && (g.tokenURL.value == "" || pages == ""):
		return definitionError("auth: oauth2_user needs an authorization_url, where the person signs in, and a token_url").
			WithHint("N%sboth, or that has kind: oidc and an issuer.", service)
	case g.issuer.value == "" && g.tokenURL.value == "":
		return definitionError("auth: %s needs a token_url, where tokens are given", g.auth).
			WithHint("Set auth_config.token_url, or n%sone.", service)
	}
	return nil
}

func unknownService(name string, services map[string]tool.AuthService) error {
	e := definitionError("auth_config.provider: abl.yaml has no %s under auth_services", name)
	if len(services) > 0 {
		return e.WithHint("It has %s.", strings.Join(slices.Sorted(maps.Keys(services)), ", "))
	}
	return e.WithHint("Write auth_services: {%s: {kind: oauth2, authorization_url: …, token_url: …}} there.", name)
}

func definitionError(format string, args ...any) *executor.Error {
	return executor.Errorf(executor.KindDefinition, "auth", format, args...)
}

// texts returns pointers to all texts of the grant. The addresses come first.
func (g *Grant) texts() []*propertyText {
	return append(g.addresses(), &g.clientID, &g.clientSecret, &g.scopes, &g.audience, &g.assertion, &g.redirect)
}

func (g *Grant) addresses() []*propertyText {
	return []*propertyText{&g.tokenURL, &g.authorizationURL, &g.deviceURL, &g.issuer}
}

// Secrets returns the names of the secrets that the grant's texts contain.
func (g *Grant) Secrets() []string {
	var all []string
	for _, t := range g.texts() {
		all = append(all, t.value)
	}
	return placeholder.Secrets(strings.Join(all, " "))
}

// contactedEndpoint is an endpoint that is contacted to obtain a token, and the texts that
// it receives.
type contactedEndpoint struct {
	op       string
	at       propertyText
	receives []propertyText
}

func (g *Grant) contactedEndpoints() []contactedEndpoint {
	machine := []propertyText{g.tokenURL, g.clientID, g.clientSecret, g.scopes, g.audience, g.assertion}
	person := []propertyText{g.authorizationURL, g.deviceURL, g.clientID, g.scopes, g.audience}
	list := []contactedEndpoint{{"post", g.tokenURL, machine}}
	if g.discovers() {
		list = append(list, contactedEndpoint{"get", g.issuer, append(machine, g.issuer)}, contactedEndpoint{"post", g.issuer, nil})
	}
	if g.auth == user {
		list = append(list, contactedEndpoint{"get", g.authorizationURL, person}, contactedEndpoint{"post", g.deviceURL, person})
	}
	return slices.DeleteFunc(list, func(p contactedEndpoint) bool { return p.at.value == "" })
}

// discovers reports whether the issuer must be asked for URLs.
func (g *Grant) discovers() bool {
	pages := g.authorizationURL.value + g.deviceURL.value
	return g.issuer.value != "" && (g.tokenURL.value == "" || g.auth == user && pages == "")
}

// Reach returns the accesses that obtaining the token makes. receivers maps the name of each
// secret to the hosts that receive the secret.
func (g *Grant) Reach(scope *template.Scope) (accesses []tool.Permission, receivers map[string][]string, err error) {
	receivers = map[string][]string{}
	for _, p := range g.contactedEndpoints() {
		u, err := p.at.address(scope, true)
		if err != nil {
			return nil, nil, err
		}
		accesses = append(accesses, executor.WebAccesses(p.op, u)...)
		for _, t := range p.receives {
			for _, name := range placeholder.Secrets(t.value) {
				if !slices.Contains(receivers[name], u.Hostname()) {
					receivers[name] = append(receivers[name], u.Hostname())
				}
			}
		}
	}
	return accesses, receivers, nil
}

// Service returns the auth service of the project that the grant uses. It returns nil if the grant
// uses none.
func (g *Grant) Service() any {
	if g.service.Kind == "" {
		return nil
	}
	return g.service
}

// Fill returns the grant with its placeholders filled in. used is called with each
// value that is filled in; it may be nil.
func (g *Grant) Fill(scope *template.Scope, used func(template.Value)) (Grant, error) {
	out := *g
	for _, t := range out.addresses() {
		if t.value == "" {
			continue
		}
		u, err := t.address(scope, false)
		if err != nil {
			return Grant{}, err
		}
		t.value = u.String()
	}
	for _, t := range out.texts()[len(out.addresses()):] {
		filled, err := scope.Expand(t.value, func(v template.Value) (string, error) {
			if used != nil {
				used(v)
			}
			return v.Text(), nil
		})
		if err != nil {
			return Grant{}, executor.TemplateError(t.from, err)
		}
		t.value = strings.TrimSpace(filled)
	}
	return out, nil
}

// address returns the text as a URL with its placeholders filled in. Only variables of the
// environment may appear in it, and secrets after the host. If blind is true, an x replaces each
// secret.
func (t propertyText) address(scope *template.Scope, blind bool) (*url.URL, error) {
	filled, err := placeholder.Fill(strings.TrimSpace(t.value), false, func(p placeholder.Lookup) (string, error) {
		v, err := scope.Lookup(p.Name)
		switch {
		case v.Source == template.Secret && dial.HostIsComplete(p.Before):
			if blind {
				return "x", nil
			}
			return url.PathEscape(v.Text()), err
		case err != nil:
			return "", executor.TemplateError(t.from, err)
		case v.Source != template.Variable:
			return "", definitionError("%s: {{%s}} cannot stand there; {{env.NAME}} can, and {{secrets.NAME}} past the host", t.from, p.Name)
		}
		return v.Text(), nil
	})
	if err != nil {
		return nil, err
	}
	u, err := dial.ParseURL(filled)
	if err != nil {
		return nil, definitionError("%s: %w", t.from, err)
	}
	return u, nil
}
