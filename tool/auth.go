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

var authKinds = []Word{
	{Name: "none", Doc: "Sends no credentials."},
	{Name: "bearer", Doc: "Sends a token in the `Authorization` header."},
	{Name: "api_key", Doc: "Sends a key in a header, which `auth_config: header_name` names."},
	{Name: "oauth2_client", Doc: "OAuth 2.0 client credentials: the project signs in for itself, at `token_url`."},
	{Name: "oauth2_user", Doc: "OAuth 2.0 authorization code: each user signs in, and the tool acts with that user's rights."},
	{Name: "saml", Doc: "Trades a SAML assertion of the identity `provider` for access. The platform of the later edition reads it and drops it at run time."},
	{Name: "custom", Doc: "Sends the headers in `auth_config: custom_headers`."},
}

var authFields = []Field{
	{Name: "auth", Type: WordType, Values: authKinds, Default: "none",
		Doc: "How the request authenticates. The credentials themselves come from the project's store at run time, never from the file."},
	{Name: "auth_config", Type: Block, Fields: authConfigFields,
		Doc: "What the auth kind needs to know, and placeholders for its secrets."},
}

var authConfigFields = []Field{
	{Name: "token_url", Type: String, With: []string{"oauth2_client", "oauth2_user"},
		Doc: "Where tokens are obtained."},
	{Name: "client_id", Type: String, With: []string{"oauth2_client", "oauth2_user"},
		Doc: "The client's name at the authorization server."},
	{Name: "client_secret", Type: String, With: []string{"oauth2_client", "oauth2_user"},
		Doc: "The client's secret, always as a placeholder: `{{secrets.NAME}}`."},
	{Name: "scopes", Type: String, With: []string{"oauth2_client", "oauth2_user"},
		Doc: "What access to ask for, separated by spaces."},
	{Name: "header_name", Type: String, With: []string{"api_key"},
		Doc: "The header that carries the key."},
	{Name: "provider", Type: String, Ref: RefAuthService, With: []string{"oauth2_user", "saml"},
		Doc: "Who signs people in: an entry of `auth_services` in `abl.yaml`."},
	{Name: "custom_headers", Type: MapType, With: []string{"custom"},
		Doc: "The headers to send. Secrets in them are placeholders."},
	{Name: "api_key", Type: String, With: []string{"api_key"}, Undocumented: true,
		Doc: "The key, always as a placeholder: `{{secrets.NAME}}`."},
	{Name: "token", Type: String, With: []string{"bearer"}, Undocumented: true,
		Doc: "The token, always as a placeholder: `{{secrets.NAME}}`."},
}
