package tool

// AuthConfig says how an auth kind gets and sends its credentials. Which keys
// count depends on the kind; see the rows of auth_config.
type AuthConfig struct {
	TokenURL      string            `json:"token_url,omitempty"`
	ClientID      string            `json:"client_id,omitempty"`
	ClientSecret  string            `json:"client_secret,omitempty"` // a {{secrets.X}} placeholder
	Scopes        string            `json:"scopes,omitempty"`        // separated by spaces
	HeaderName    string            `json:"header_name,omitempty"`
	Provider      string            `json:"provider,omitempty"`
	CustomHeaders map[string]string `json:"custom_headers,omitempty"`

	// Undocumented, but read by the platform.
	APIKey string `json:"api_key,omitempty"`
	Token  string `json:"token,omitempty"`
}
