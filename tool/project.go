package tool

import (
	"encoding/json"
	"strings"
)

// Server is an MCP server of the project. The placeholders in its texts are not filled in yet.
type Server struct {
	Transport string            `json:"transport,omitempty"` // stdio, http, websocket
	Command   string            `json:"command,omitempty"`
	Args      []string          `json:"args,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
	URL       string            `json:"url,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`

	Fault error `json:"-"` // why it cannot be used; nil: it can
}

// Function is a function of the project. The placeholders in its texts are not filled in yet.
type Function struct {
	Provider string            `json:"provider,omitempty"` // aws, gcp, azure, local
	Name     string            `json:"name,omitempty"`
	Region   string            `json:"region,omitempty"`
	Endpoint string            `json:"endpoint,omitempty"`
	URL      string            `json:"url,omitempty"`
	Headers  map[string]string `json:"headers,omitempty"`
	Command  []string          `json:"command,omitempty"`
	Env      map[string]string `json:"env,omitempty"`

	Fault error `json:"-"` // as of a server
}

// Source is a database or an HTTP service of the project. The placeholders in its texts are not
// filled in yet.
type Source struct {
	Kind        string            `json:"kind,omitempty"` // sqlite, postgres, mysql, http
	Database    string            `json:"database,omitempty"`
	Host        string            `json:"host,omitempty"`
	Port        string            `json:"port,omitempty"`
	User        string            `json:"user,omitempty"`
	Password    string            `json:"password,omitempty"`
	QueryParams map[string]string `json:"query_params,omitempty"`
	BaseURL     string            `json:"base_url,omitempty"`
	Headers     map[string]string `json:"headers,omitempty"`
	Timeout     string            `json:"timeout,omitempty"` // 30s, or milliseconds

	DisableSSLVerification string `json:"disable_ssl_verification,omitempty"` // of other systems; never done

	Folder string `json:"-"` // that relative paths start from; "": none
	Fault  error  `json:"-"` // as of a server
}

// AuthService identifies people. The placeholders in its texts are not filled in yet.
type AuthService struct {
	Kind                   string   `json:"kind,omitempty"` // google, oidc, oauth2, saml
	ClientID               string   `json:"client_id,omitempty"`
	ClientSecret           string   `json:"client_secret,omitempty"`
	Issuer                 string   `json:"issuer,omitempty"`
	Audience               string   `json:"audience,omitempty"`
	AuthorizationURL       string   `json:"authorization_url,omitempty"`
	DeviceAuthorizationURL string   `json:"device_authorization_url,omitempty"`
	RedirectURL            string   `json:"redirect_url,omitempty"`
	TokenURL               string   `json:"token_url,omitempty"`
	Scopes                 Words    `json:"scopes,omitempty"`
	Assertion              string   `json:"assertion,omitempty"`
	ScopesRequired         []string `json:"scopes_required,omitempty"` // that an identity token must have
}

// Search is the project's web search. Its placeholders are not filled in yet.
type Search struct {
	Backend string `json:"backend,omitempty"` // "": missing
	URL     string `json:"url,omitempty"`
}

// Service handles the tools of a service. The placeholders in its texts are not filled in yet.
type Service struct {
	Module   string          `json:"module,omitempty"` // the path of a file
	Settings json.RawMessage `json:"settings,omitempty"`
	Auth     json.RawMessage `json:"auth,omitempty"`

	Fault error `json:"-"` // as of a server
}

// Words are a list, or a text in which spaces separate them.
type Words []string

// UnmarshalJSON reads either.
func (w *Words) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*w = strings.Fields(text)
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(w))
}

// Credential authenticates requests to a host. The executor gets it with placeholders not filled
// in.
type Credential struct {
	Bearer       string            `json:"bearer,omitempty"`
	APIKey       string            `json:"api_key,omitempty"`
	ClientID     string            `json:"client_id,omitempty"`
	ClientSecret string            `json:"client_secret,omitempty"`
	Headers      map[string]string `json:"headers,omitempty"`
}
