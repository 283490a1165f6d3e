package rest

import (
	"maps"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// authKind describes one kind of authentication that sends one value in one header.
type authKind struct {
	suffix       string // the end of the secret's name, after the host's name
	toolValue    func(*tool.AuthConfig) string
	projectValue func(tool.Credential) string
	header       func(*tool.AuthConfig) string
	prefix       string
}

// authKinds are the kinds of authentication that send one value in one header, by name.
var authKinds = map[string]authKind{
	"bearer": {
		suffix:       "_BEARER",
		toolValue:    func(c *tool.AuthConfig) string { return c.Token },
		projectValue: func(c tool.Credential) string { return c.Bearer },
		header:       func(*tool.AuthConfig) string { return "Authorization" },
		prefix:       "Bearer ",
	},
	"api_key": {
		suffix:       "_API_KEY",
		toolValue:    func(c *tool.AuthConfig) string { return c.APIKey },
		projectValue: func(c tool.Credential) string { return c.APIKey },
		header: func(c *tool.AuthConfig) string {
			if c.HeaderName != "" {
				return c.HeaderName
			}
			return "X-API-Key"
		},
	},
}

// authName returns the kind of authentication that applies. If the tool only declares that it
// needs some, that is the kind of the project's credential for the host, else a bearer token.
func (b *builder) authName() (string, error) {
	name := strings.ToLower(b.spec.Auth)
	switch {
	case name != "" && name != "none":
		return name, nil
	case !b.call.Tool.Hints.RequiresAuth.Is(true) || b.sendsSecret():
		return "none", nil
	}
	c, err := b.credential()
	switch {
	case err != nil:
		return "", err
	case c.Bearer == "" && c.APIKey != "":
		return "api_key", nil
	case c.Bearer == "" && len(c.Headers) > 0:
		return "custom", nil
	}
	return "bearer", nil
}

// addCredentials adds the headers that authenticate the request.
func (b *builder) addCredentials() error {
	name, err := b.authName()
	if err != nil {
		return err
	}
	kind, ok := authKinds[name]
	switch {
	case name == "none":
		return nil
	case name != "custom" && !ok && !oauth.ObtainsToken(name):
		return executor.DefinitionError("auth", "auth: %s is none of none, bearer, api_key, oauth2_client, oauth2_user, saml and custom", b.spec.Auth)
	}
	if err := b.credentialHeaders(); err != nil {
		return err
	}
	switch {
	case name == "custom":
		return b.addCustomHeaders()
	case !ok:
		return b.addToken()
	}
	property, text, err := b.authText(name, kind)
	if err != nil || text == "" {
		return err // without a text, the author's headers authenticate
	}
	return b.setHeader(property, kind.header(b.config()), kind.prefix+text)
}

const customHeaders = "auth_config.custom_headers."

// addCustomHeaders adds auth_config.custom_headers. It returns an error if neither these nor the
// project's credential nor the author's own headers authenticate the request.
func (b *builder) addCustomHeaders() error {
	custom := b.config().CustomHeaders
	c, err := b.credential()
	if err != nil {
		return err
	}
	if len(custom) == 0 && len(c.Headers) == 0 && !b.sendsSecret() {
		return executor.DefinitionError("auth", "auth: custom needs auth_config.custom_headers, or headers under credentials in abl.yaml")
	}
	return b.setHeaders(customHeaders, custom)
}

// credentialHeaders adds the headers of the project's credential for the host, except those that
// the author sets.
func (b *builder) credentialHeaders() error {
	c, err := b.credential()
	if err != nil {
		return err
	}
	for name, text := range c.Headers {
		if b.hasHeader(name) {
			continue
		}
		if err := b.setHeader("credentials.headers.", name, text); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) config() *tool.AuthConfig {
	if b.spec.AuthConfig == nil {
		return &tool.AuthConfig{}
	}
	return b.spec.AuthConfig
}

// sendsSecret reports whether the author's own headers, query or endpoint contain a secret.
func (b *builder) sendsSecret() bool {
	for _, text := range b.spec.Headers {
		if len(placeholder.Secrets(text)) > 0 {
			return true
		}
	}
	for _, p := range b.spec.QueryParams {
		if len(placeholder.Secrets(p.Value)) > 0 {
			return true
		}
	}
	return len(placeholder.Secrets(b.spec.Endpoint)) > 0
}

// authText returns the value that an auth kind sends, with its placeholders: the tool's own, else
// that of the project's credential, else the secret named after the host, such as
// API_EXAMPLE_COM_BEARER. text is "" if the author's own headers, query or endpoint already
// authenticate the request. property names the place of the value in messages.
func (b *builder) authText(name string, kind authKind) (property, text string, err error) {
	switch {
	case kind.toolValue(b.config()) != "":
		return "auth", kind.toolValue(b.config()), nil
	case b.hasHeader(kind.header(b.config())):
		return "auth", "", nil
	case name == "api_key" && b.config().HeaderName == "" && b.sendsSecret(): // under the name of another header
		return "auth", "", nil
	}
	c, err := b.credential()
	if err != nil || kind.projectValue(c) != "" {
		return "credentials." + name, kind.projectValue(c), err
	}
	u, err := b.base()
	if err != nil {
		return "auth", "", err
	}
	return "auth", "{{secrets." + executor.SecretName(u.Hostname()) + kind.suffix + "}}", nil
}

// credential returns the project's credential for the tool or its host. It is the zero value if
// there is none.
func (b *builder) credential() (tool.Credential, error) {
	if len(b.call.Environment.Credentials) == 0 {
		return tool.Credential{}, nil
	}
	u, err := b.base()
	if err != nil {
		return tool.Credential{}, err
	}
	return b.call.Environment.Credentials.For(b.call.Tool.Name, u.Hostname(), executor.PortOf(u)), nil
}

func (b *builder) hasHeader(name string) bool {
	for h := range b.spec.Headers {
		if strings.EqualFold(h, name) {
			return true
		}
	}
	return false
}

// Secrets returns the names of the secrets that a call needs in addition to those in its binding:
// secrets of the base URL, of its credentials, and of the requests for its tokens.
func (c *Client) Secrets(call executor.Call, binding Binding) ([]string, error) {
	b := c.builder(call, binding)
	texts := []string{call.Environment.BaseURL}
	name, err := b.authName()
	if err != nil || name == "none" {
		return placeholder.Secrets(call.Environment.BaseURL), err
	}
	credential, err := b.credential()
	if err != nil {
		return nil, err
	}
	texts = slices.AppendSeq(texts, maps.Values(credential.Headers))
	if kind, ok := authKinds[name]; ok {
		_, text, err := b.authText(name, kind)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	names := placeholder.Secrets(strings.Join(texts, " "))
	if g, err := b.planGrant(); err != nil {
		return nil, err
	} else if g != nil {
		names = append(names, g.Secrets()...)
	}
	return names, nil
}
