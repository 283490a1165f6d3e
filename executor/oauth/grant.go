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

// ObtainsToken reports whether the tokens of a kind of auth are obtained by this
// package.
func ObtainsToken(auth string) bool { return auth == client || auth == user || auth == saml }

// NeedsSignIn reports whether a person may have to sign in for tokens of a kind of
// auth.
func NeedsSignIn(auth string) bool { return auth == user }

// AuthSettings is what a tool and its project say of the tool's auth. Placeholders are
// not filled in yet.
type AuthSettings struct {
	Auth           string
	Config         *tool.AuthConfig
	Profile        string // the service's name where the config has no provider
	Services       map[string]tool.AuthService
	HostCredential tool.Credential // what the project has for the tool's host
	Prefix         string          // of the secrets that stand for what nobody says: API_EXAMPLE_COM
}

// Grant is how a token is obtained.
type Grant struct {
	auth    string
	service tool.AuthService // that of the project; zero: none

	tokenURL, authorizationURL, deviceURL, issuer       propertyText
	clientID, clientSecret, scopes, audience, assertion propertyText
	redirect                                            propertyText
}

// propertyText is a text with the property that it is from.
type propertyText struct {
	value string
	from  string // the property
}

// NewGrant finds out how a tool's token is obtained. The tool's own settings come
// first, then the service that it names, then the credentials of the project, then the
// secrets that begin with the host's name.
func NewGrant(a AuthSettings) (Grant, error) {
	name := cmp.Or(a.Config.Provider, a.Profile)
	s, ok := a.Services[name]
	if name != "" && !ok {
		return Grant{}, unknownService(name, a.Services)
	}
	if name != "" && (s.Kind == saml) != (a.Auth == saml) {
		return Grant{}, definitionError("auth: %s and auth_services.%s do not fit: that is of kind: %s", a.Auth, name, s.Kind)
	}
	said, of := func(value, key string) propertyText { return propertyText{value, "auth_config." + key} }, "auth_services."+name+"."
	g := Grant{auth: a.Auth, service: s}
	g.tokenURL = first(said(a.Config.TokenURL, "token_url"), propertyText{s.TokenURL, of + "token_url"})
	g.scopes = first(said(a.Config.Scopes, "scopes"), propertyText{strings.Join(s.Scopes, " "), of + "scopes"})
	g.authorizationURL = propertyText{s.AuthorizationURL, of + "authorization_url"}
	g.deviceURL = propertyText{s.DeviceAuthorizationURL, of + "device_authorization_url"}
	g.redirect = propertyText{s.RedirectURL, of + "redirect_url"}
	g.issuer = propertyText{s.Issuer, of + "issuer"}
	g.audience = propertyText{s.Audience, of + "audience"}
	g.assertion = propertyText{s.Assertion, of + "assertion"}
	g.clientID = first(said(a.Config.ClientID, "client_id"), propertyText{s.ClientID, of + "client_id"}, propertyText{a.HostCredential.ClientID, "credentials.client_id"})
	g.clientSecret = first(said(a.Config.ClientSecret, "client_secret"), propertyText{s.ClientSecret, of + "client_secret"}, propertyText{a.HostCredential.ClientSecret, "credentials.client_secret"})
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

// fillDefaults fills in what is known of a kind of service.
func (g *Grant) fillDefaults() {
	switch g.service.Kind {
	case "google":
		if g.issuer.value != "" {
			break
		}
		g.tokenURL = first(g.tokenURL, propertyText{endpoints.Google.TokenURL, "token_url"})
		g.authorizationURL = first(g.authorizationURL, propertyText{endpoints.Google.AuthURL + "?access_type=offline", "authorization_url"})
		g.audience = propertyText{} // of the tokens that others bring
	case "oidc":
	default:
		return
	}
	if g.auth == user {
		g.scopes = first(g.scopes, propertyText{"openid", "scopes"})
	}
}

// nameSecrets names the secrets of what nobody says. A client that is named without a
// secret has none, where a person signs in; an assertion needs no client.
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

// checkComplete is an error that says what is missing, and where to set it.
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

// texts are all of them.
func (g *Grant) texts() []*propertyText {
	return append(g.addresses(), &g.clientID, &g.clientSecret, &g.scopes, &g.audience, &g.assertion, &g.redirect)
}

func (g *Grant) addresses() []*propertyText {
	return []*propertyText{&g.tokenURL, &g.authorizationURL, &g.deviceURL, &g.issuer}
}

// Secrets names those that the texts hold.
func (g *Grant) Secrets() []string {
	var all []string
	for _, t := range g.texts() {
		all = append(all, t.value)
	}
	return placeholder.Secrets(strings.Join(all, " "))
}

// contactedEndpoint is an endpoint that is asked to obtain a token, with the texts that
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

// discovers reports whether the issuer has to say where to go.
func (g *Grant) discovers() bool {
	pages := g.authorizationURL.value + g.deviceURL.value
	return g.issuer.value != "" && (g.tokenURL.value == "" || g.auth == user && pages == "")
}

// Reach is what obtaining the token reaches for, and who hears which secrets.
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

// Service is what the grant stands for in the project's file; nil: nothing.
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

// address reads a URL. The author and the environment say where it leads: no
// argument stands in it, and a secret only past the host. blind puts an x for it.
func (t propertyText) address(scope *template.Scope, blind bool) (*url.URL, error) {
	filled, err := placeholder.Fill(strings.TrimSpace(t.value), false, func(p placeholder.Place) (string, error) {
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
