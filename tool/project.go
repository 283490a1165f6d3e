package tool

import (
	"encoding/json"
	"strings"
)

// Server says how to start or reach an MCP server, as the project declares it below `servers`. The
// placeholders in its texts are not filled in yet.
type Server struct {
	Transport string            `json:"transport,omitempty"` // stdio, http, websocket
	Command   string            `json:"command,omitempty"`
	Args      []string          `json:"args,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
	URL       string            `json:"url,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`
	OAuth     *ServerOAuth      `json:"oauth,omitempty"` // nil: only what the server itself says

	Fault error `json:"-"` // why it cannot be used; nil: it can
}

// ServerOAuth says what an MCP server cannot say itself of how its tokens are obtained.
type ServerOAuth struct {
	Grant        string `json:"grant,omitempty"`         // authorization_code or client_credentials; "": the first
	ClientID     string `json:"client_id,omitempty"`     // an id, or the URL of a client's metadata document; "": the client registers itself
	ClientSecret string `json:"client_secret,omitempty"` // "": none
	PrivateKey   string `json:"private_key,omitempty"`   // in PEM; "": none
	Issuer       string `json:"issuer,omitempty"`        // of the tokens; "": the one that the server names
	Scopes       Words  `json:"scopes,omitempty"`        // nil: those that the server names
	RedirectURL  string `json:"redirect_url,omitempty"`  // "": http://127.0.0.1/callback
}

// Function says how to call a function of a cloud or of this machine, as the project declares it
// below `functions`. The placeholders in its texts are not filled in yet.
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

// Source says how to reach a database or an HTTP service, as the project declares it below
// `sources`. The placeholders in its texts are not filled in yet.
type Source struct {
	Kind        string            `json:"kind,omitempty"` // sqlite, postgres, mysql, http, redis, valkey
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
	UseGCPIAM              string `json:"use_gcp_iam,omitempty"`              // likewise

	Folder string `json:"-"` // that relative paths start from; "": none
	Fault  error  `json:"-"` // as of a server
}

// AuthService says how a service identifies people, as the project declares it below
// `auth_services`. The placeholders in its texts are not filled in yet.
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

// Search says which web search the project uses, as it declares below `search`. The placeholders in
// its texts are not filled in yet.
type Search struct {
	Backend string `json:"backend,omitempty"` // "": missing
	URL     string `json:"url,omitempty"`
}

// Service names the module that runs the tools of a service, with its settings, as the project
// declares them below `services`. The placeholders in its texts are not filled in yet.
type Service struct {
	Module   string          `json:"module,omitempty"` // the path of a file
	Settings json.RawMessage `json:"settings,omitempty"`
	Auth     json.RawMessage `json:"auth,omitempty"`

	Fault error `json:"-"` // as of a server
}

// Words are words that the project file gives as a list, or as a text with spaces between them.
type Words []string

// UnmarshalJSON reads a list of texts, or a text that it splits at white space.
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
