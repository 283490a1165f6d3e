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

// An authKind is one way to say who is calling.
type authKind struct {
	suffix       string // of the secret that the host's name begins
	toolValue    func(*tool.AuthConfig) string
	projectValue func(tool.Credential) string
	header       func(*tool.AuthConfig) string
	prefix       string
}

// authKinds send one value in one header.
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

// authName is the kind of auth that counts. A tool that only says that it needs
// some sends what the project has for the host, else a bearer token.
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

// addCredentials adds the credentials.
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
		return err // without one, the author's headers have it
	}
	return b.setHeader(property, kind.header(b.config()), kind.prefix+text)
}

const customHeaders = "auth_config.custom_headers."

// addCustomHeaders are auth_config.custom_headers, or stand among headers.
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

// credentialHeaders are those that the project sends to the host, but for the
// author's own.
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

// sendsSecret reports whether the author's own headers or query hold
// credentials.
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

// authText is the value that an auth kind sends: the tool's own, else what the
// project has for the host, else the secret that the host's name begins:
// API_EXAMPLE_COM_BEARER. It is "" where the author's headers have it.
// property is where it is written.
func (b *builder) authText(name string, kind authKind) (property, text string, err error) {
	switch {
	case kind.toolValue(b.config()) != "":
		return "auth", kind.toolValue(b.config()), nil
	case b.hasHeader(kind.header(b.config())):
		return "auth", "", nil
	case name == "api_key" && b.config().HeaderName == "" && b.sendsSecret(): // under a header's name of its own
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

// credential is what the project has for the tool, or for its host.
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

// Secrets names the secrets that a call takes besides those that the tool itself
// names: of its base URL, its credentials, and what its tokens are got with.
func (c *Client) Secrets(call executor.Call, binding Binding) ([]string, error) {
	b := c.builder(call, binding)
	texts := []string{call.Environment.BaseURL}
	name, err := b.authName()
	if err != nil || name == "none" {
		return placeholder.Secrets(call.Environment.BaseURL), err
	}
	held, err := b.credential()
	if err != nil {
		return nil, err
	}
	texts = slices.AppendSeq(texts, maps.Values(held.Headers))
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
