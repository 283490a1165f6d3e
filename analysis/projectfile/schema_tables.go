package projectfile

import "github.com/abl-lsp/abl-lsp/tool"

// tableFields are the tables of names that tools use.
var tableFields = []tool.Field{
	namedBlocks(Servers, "MCP servers by the name that `server` of a tool with `type: mcp` gives.", tool.Field{
		Name: "server", By: "transport", Fields: serverFields, Doc: "How to reach an MCP server."}),
	namedBlocks(Functions, "Functions by the name that `function` of a tool with `type: lambda` gives.", tool.Field{
		Name: "function", By: "provider", Fields: functionFields, Doc: "Where a function is."}),
	namedBlocks(Sources, "Databases and HTTP services by the name that `source` of a tool gives.", tool.Field{
		Name: "source", By: "kind", Fields: sourceFields, Doc: "How to reach a source."}),
	namedBlocks(AuthServices, "Services that say who somebody is, by the name that `auth_config: provider` and `auth_required` of a tool give.", tool.Field{
		Name: "auth service", By: "kind", Fields: authFields, Doc: "A service that says who somebody is."}),
	namedBlocks(Services, "Handlers of imported ToolDefinitions, by the name of their service.", tool.Field{
		Name: "service", Fields: serviceFields, Doc: "What handles the tools of a service."}),
}

var serverFields = []tool.Field{
	{Name: "transport", Type: tool.WordType, Required: true, Doc: "How the server is reached.", Values: []tool.Word{
		{Name: "stdio", Doc: "A process that is started here."},
		{Name: "http", Doc: "Streamable HTTP, and its older form with events."},
		{Name: "websocket", Doc: "A WebSocket."},
	}},
	{Name: "command", Type: tool.String, With: []string{"stdio"}, Needs: []string{"stdio"}, Doc: "The program to start."},
	{Name: "args", Type: tool.ListType, With: []string{"stdio"}, Doc: "Its arguments."},
	{Name: "env", Type: tool.MapType, With: []string{"stdio"}, Doc: "Variables that the process gets besides PATH, HOME, LANG and TMPDIR."},
	{Name: "url", Type: tool.String, With: []string{"http", "websocket"}, Needs: []string{"http", "websocket"}, Doc: "Where the server answers."},
	forKinds(headersField, "http", "websocket"),
	{Name: "oauth", Type: tool.Block, With: []string{"http"}, Fields: serverOAuthFields, Doc: "How its tokens are got, as far as the server does not say so itself: a server without it may ask for a sign-in, too."},
}

var serverOAuthFields = []tool.Field{
	{Name: "grant", Type: tool.WordType, Default: "authorization_code", Doc: "Who gets the tokens.", Values: []tool.Word{
		{Name: "authorization_code", Doc: "A person, who signs in in the browser."},
		{Name: "client_credentials", Doc: "This program, with a secret or a key of its own."},
	}},
	{Name: "client_id", Type: tool.String, Doc: "The client that the issuer knows, or the https:// URL of the document that describes the client, for issuers that read it. Without an id, the client registers itself."},
	{Name: "client_secret", Type: tool.String, Doc: "The client's secret, best as `{{secrets.NAME}}`."},
	{Name: "private_key", Type: tool.String, Doc: "The client's private key in PEM, with which it signs who it is instead of sending a secret; best as `{{secrets.NAME}}`."},
	{Name: "issuer", Type: tool.String, Doc: "Who issues the tokens. Must be there with a `client_secret` or a `private_key`, which no one else gets."},
	{Name: "scopes", Type: tool.AnyType, Doc: "What the token is for, instead of what the server asks for at first."},
	{Name: "redirect_url", Type: tool.String, Default: "http://127.0.0.1/callback", Doc: "Where the browser is sent back to, as the issuer knows it: on this machine, at any free port where it names none."},
}

// forKinds returns a field that only some kinds use.
func forKinds(field tool.Field, kinds ...string) tool.Field {
	field.With = kinds
	return field
}

var functionFields = []tool.Field{
	{Name: "provider", Type: tool.WordType, Required: true, Doc: "Who runs the function.", Values: []tool.Word{
		{Name: "aws", Doc: "AWS Lambda."},
		{Name: "gcp", Doc: "Google Cloud Functions."},
		{Name: "azure", Doc: "Azure Functions."},
		{Name: "local", Doc: "A process that is started here and speaks the Lambda Runtime API."},
	}},
	{Name: "name", Type: tool.String, With: []string{"aws", "gcp", "azure"}, Needs: []string{"aws"}, Doc: "Its name or ARN."},
	{Name: "region", Type: tool.String, With: []string{"aws", "gcp", "azure"}, Doc: "The region that it is in."},
	{Name: "endpoint", Type: tool.String, With: []string{"aws", "gcp", "azure"}, Doc: "Where the provider answers, for an emulator."},
	{Name: "url", Type: tool.String, With: []string{"gcp", "azure"}, Doc: "Where the function answers."},
	forKinds(headersField, "gcp", "azure"),
	{Name: "command", Type: tool.ListType, With: []string{"local"}, Needs: []string{"local"}, Doc: "The program and its arguments."},
	{Name: "env", Type: tool.MapType, With: []string{"local"}, Doc: "Variables that the process gets besides PATH, HOME, LANG and TMPDIR."},
}

var (
	inServer     = []string{"postgres", "mysql", "redis", "valkey"}
	withDatabase = []string{"sqlite", "postgres", "mysql", "redis", "valkey"}
	onHTTP       = []string{"http"}
)

var sourceFields = []tool.Field{
	{Name: "kind", Type: tool.WordType, Required: true, Doc: "What the source is.", Values: []tool.Word{
		{Name: "sqlite", Doc: "A database in a file."},
		{Name: "postgres", Doc: "A PostgreSQL server."},
		{Name: "mysql", Doc: "A MySQL or MariaDB server."},
		{Name: "http", Doc: "An HTTP service."},
		{Name: "redis", Doc: "A Redis server."},
		{Name: "valkey", Doc: "A Valkey server, by Redis' protocol."},
	}},
	{Name: "database", Type: tool.String, With: withDatabase, Needs: []string{"sqlite"}, Files: []string{""}, Doc: "The database's name; of `sqlite` the path of its file, relative to this one, or `:memory:`; of `redis` and `valkey` its number, without it 0."},
	{Name: "host", Type: tool.String, With: inServer, Default: "127.0.0.1", Doc: "Where the server is."},
	{Name: "port", Type: tool.NumberType, With: inServer, Integer: true, Range: &tool.Range{Min: 1, Max: 65535}, Doc: "Its port; without it 5432 of `postgres`, 3306 of `mysql`, 6379 of `redis` and `valkey`."},
	{Name: "user", Type: tool.String, With: inServer, Doc: "Who connects."},
	{Name: "password", Type: tool.String, With: inServer, Doc: "The password, best as `{{secrets.NAME}}`."},
	{Name: "query_params", Type: tool.MapType, With: []string{"postgres", "mysql", "http", "redis", "valkey"}, Doc: "Further parameters, by name: of `postgres` `sslmode`, `sslrootcert`, `application_name`, `search_path` and other settings of the session, of `mysql` `tls`, `ssl_ca`, `charset`, `collation` and variables of the session, of `redis` and `valkey` `tls`, `ssl_ca`, `ssl_cert` and `ssl_key`."},
	{Name: "base_url", Type: tool.String, With: onHTTP, Needs: onHTTP, Pattern: absoluteURL, Form: addressForm, Doc: "What stands before the endpoint of a tool."},
	forKinds(headersField, onHTTP...),
	{Name: "timeout", Type: tool.AnyType, Doc: "How long one statement or request may take: milliseconds, or a duration such as `30s`."},
}

var (
	inOAuth = []string{"oauth2"}
	inOIDC  = []string{"google", "oidc"}
	inSAML  = []string{"saml"}
)

var authFields = []tool.Field{
	{Name: "kind", Type: tool.WordType, Required: true, Doc: "What the service is.", Values: []tool.Word{
		{Name: "google", Doc: "Google's identity tokens."},
		{Name: "oidc", Doc: "Identity tokens of an OpenID provider."},
		{Name: "oauth2", Doc: "Access tokens, got by signing in."},
		{Name: "saml", Doc: "An assertion that is exchanged for a token."},
	}},
	{Name: "client_id", Type: tool.String, With: []string{"google", "oidc", "oauth2", "saml"}, Needs: []string{"google"}, Doc: "The client that the service knows."},
	{Name: "client_secret", Type: tool.String, With: []string{"google", "oidc", "oauth2", "saml"}, Doc: "The client's secret, best as `{{secrets.NAME}}`."},
	{Name: "issuer", Type: tool.String, With: inOIDC, Needs: []string{"oidc"}, Doc: "Who issues the tokens: the URL below which its configuration is."},
	{Name: "audience", Type: tool.String, With: []string{"google", "oidc", "oauth2", "saml"}, Doc: "For whom the tokens must be."},
	{Name: "authorization_url", Type: tool.String, With: inOAuth, Doc: "Where somebody signs in."},
	{Name: "device_authorization_url", Type: tool.String, With: inOAuth, Doc: "Where a code is asked for that the person enters on any device; used where there is no `authorization_url`."},
	{Name: "redirect_url", Type: tool.String, With: []string{"google", "oidc", "oauth2"}, Default: "http://127.0.0.1/callback", Doc: "Where the browser is sent back to, as the service knows it: on this machine, at any free port where it names none."},
	{Name: "token_url", Type: tool.String, With: []string{"oauth2", "saml"}, Needs: []string{"oauth2", "saml"}, Doc: "Where tokens are given."},
	{Name: "scopes", Type: tool.AnyType, With: []string{"google", "oidc", "oauth2", "saml"}, Doc: "What the token is for."},
	{Name: "scopes_required", Type: tool.ListType, With: inOIDC, Doc: "What identity tokens must be for: all of it."},
	{Name: "assertion", Type: tool.String, With: inSAML, Needs: inSAML, Doc: "The assertion, best as `{{secrets.NAME}}`."},
}

var serviceFields = []tool.Field{
	{Name: "module", Type: tool.String, Files: []string{".mjs", ".js", ".cjs", ".ts", ".mts"}, Pattern: scriptFile, Form: "the path of a JavaScript or TypeScript file", Doc: "The module that exports a handler for each tool, relative to this file."},
	{Name: "settings", Type: tool.AnyType, Doc: "What its handlers get as `settings`."},
	{Name: "auth", Type: tool.AnyType, Doc: "What its handlers get as `auth`."},
}

// casesField is the field of a file of saved cases: tools by name.
var casesField = tool.Field{Name: "cases", Type: tool.Block, Open: true, Doc: "Saved calls of tools, by the name of the tool.",
	Each: &tool.Field{Name: "case", Type: tool.BlockList, Fields: caseFields, Doc: "The saved calls of the tool of this name, or of one version of it: `name@version`."},
}

var argumentsField = tool.Field{
	Name: "args", Type: tool.MapType, OneLine: true, Doc: "The arguments, by the name of the parameter; the text itself for a tool that takes one in place of parameters.",
}

var caseFields = []tool.Field{
	{Name: "name", Type: tool.String, Doc: "What the case is called, in lenses and reports."},
	argumentsField,
	{Name: "environment", Type: tool.String, Ref: tool.RefEnvironment, Doc: "The environment of `abl.yaml` in which it runs."},
	{Name: "session", Type: tool.MapType, Doc: "What the session holds, by dotted name."},
	{Name: "tags", Type: tool.ListType, Doc: "Words by which `abl-lsp test --tag` chooses."},
	{Name: "skip", Type: tool.String, Doc: "Why `abl-lsp test` leaves it out for now."},
	{Name: "expect", Type: tool.Block, Doc: "What the result must be. Without it, the tool must succeed.", Fields: expectFields},
}

var expectFields = []tool.Field{
	{Name: "ok", Type: tool.BooleanType, Doc: "Whether the tool succeeds."},
	{Name: "value", Type: tool.Expr, Doc: "An expression that must be true, over `value` (also called `result`), `set`, `error`, `args` and `duration_ms`."},
}
