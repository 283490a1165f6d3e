package http

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
)

// An authKind is one way to say who is calling.
type authKind struct {
	suffix string // of the secret that the host's name begins
	given  func(*tool.AuthConfig) string
	header func(*tool.AuthConfig) string
	prefix string
}

// authKinds send one value in one header.
var authKinds = map[string]authKind{
	"bearer": {
		suffix: "_BEARER",
		given:  func(c *tool.AuthConfig) string { return c.Token },
		header: func(*tool.AuthConfig) string { return "Authorization" },
		prefix: "Bearer ",
	},
	"api_key": {
		suffix: "_API_KEY",
		given:  func(c *tool.AuthConfig) string { return c.APIKey },
		header: func(c *tool.AuthConfig) string {
			if c.HeaderName != "" {
				return c.HeaderName
			}
			return "X-API-Key"
		},
	},
}

// authName is the kind of auth that counts. A tool that only says that it
// needs some sends a bearer token.
func (b *builder) authName() string {
	name := strings.ToLower(b.spec.Auth)
	switch {
	case name != "" && name != "none":
		return name
	case b.call.Tool.Hints.RequiresAuth.Is(true) && !b.sendsSecret():
		return "bearer"
	}
	return "none"
}

// auth adds the credentials.
func (b *builder) auth() error {
	name := b.authName()
	kind, ok := authKinds[name]
	switch {
	case name == "none":
		return nil
	case name == "custom":
		return b.customHeaders()
	case !ok:
		return definition("auth", "auth: %s cannot be run by this version; none, bearer, api_key and custom can", b.spec.Auth)
	}
	secret, err := b.authSecret()
	if err != nil {
		return err
	}
	header := kind.header(b.config())
	switch text := kind.given(b.config()); {
	case text != "":
		return b.setHeader("auth_config", header, kind.prefix+text)
	case secret == "":
		return nil // the author's headers have it
	}
	return b.setHeader("auth", header, kind.prefix+"{{secrets."+secret+"}}")
}

// customHeaders are auth_config.custom_headers, or stand among headers.
func (b *builder) customHeaders() error {
	custom := b.config().CustomHeaders
	if len(custom) == 0 && !b.sendsSecret() {
		return definition("auth", "auth: custom needs auth_config.custom_headers")
	}
	return b.setHeaders("auth_config.custom_headers.", custom)
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
		if len(template.Secrets(text)) > 0 {
			return true
		}
	}
	for _, p := range b.spec.QueryParams {
		if len(template.Secrets(p.Value)) > 0 {
			return true
		}
	}
	return len(template.Secrets(b.spec.Endpoint)) > 0
}

// authSecret is the name of the secret that the auth kind takes for this
// host: API_EXAMPLE_COM_BEARER. It is "" where the tool says something else.
func (b *builder) authSecret() (string, error) {
	name := b.authName()
	kind, ok := authKinds[name]
	switch {
	case !ok, kind.given(b.config()) != "", b.hasHeader(kind.header(b.config())):
		return "", nil
	case name == "api_key" && b.config().HeaderName == "" && b.sendsSecret(): // under a header's name of its own
		return "", nil
	}
	host, err := b.host()
	if err != nil {
		return "", err
	}
	return secretName(host) + kind.suffix, nil
}

func (b *builder) hasHeader(name string) bool {
	for h := range b.spec.Headers {
		if strings.EqualFold(h, name) {
			return true
		}
	}
	return false
}

// secretName turns api.example.com into API_EXAMPLE_COM.
func secretName(host string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, host)
}

// Secrets names the secret that the tool's auth takes besides those that its
// templates name.
func (r *Runner) Secrets(call executor.Call) ([]string, error) {
	spec, err := specOf(call)
	if err != nil {
		return nil, err
	}
	b := &builder{runner: r, call: call, spec: spec}
	name, err := b.authSecret()
	if err != nil || name == "" {
		return nil, err
	}
	return []string{name}, nil
}
