package operator

import (
	"sync"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Field returns the schema field for the whole of an operator's file. It is shared: do not change it.
func Field() *tool.Field { return fileField() }

var fileField = sync.OnceValue(func() *tool.Field {
	return &tool.Field{Name: "operator's file", Type: tool.Block, Fields: []tool.Field{
		{Name: "http", Type: tool.String, Pattern: listenAddress, Form: addressForm, Doc: "Where tools are served over HTTP: `[HOST:]PORT`, on this machine unless a host is given. `--http` overrides it."},
		{Name: "tls", Type: tool.Block, Doc: "The certificate of the server. Its files are read again when they change.", Fields: []tool.Field{
			{Name: "cert", Type: tool.String, Required: true, Doc: "The file of the certificate and its chain, in PEM."},
			{Name: "key", Type: tool.String, Required: true, Doc: "The file of the certificate's key, in PEM."},
			{Name: "client_ca", Type: tool.String, Doc: "The file of the authorities, in PEM, by which a client's certificate must be signed. Without `auth`, the caller is the certificate's subject; with it, both are needed."},
		}},
		{Name: "auth", Type: tool.Block, Doc: "How callers are known: one of these keys.", Fields: authFields()},
		{Name: "shared", Type: tool.Block, Doc: "Where several servers keep what they have to agree on. It needs `state_key`. Without it, each server is on its own.", Fields: []tool.Field{
			{Name: "url", Type: tool.String, Required: true, Pattern: sharedURL, Form: sharedForm, Doc: "The address of a Redis server. `--shared` overrides it."},
			{Name: "prefix", Type: tool.String, Default: defaultPrefix, Doc: "What the names of all keys there begin with."},
		}},
		{Name: "state_key", Type: tool.String, Doc: "What seals the state that clients keep between the rounds of a call, and what is in `shared`; best as `{{secrets.NAME}}`. Without it, a key is made at the start. `--state-key` overrides it."},
		{Name: "metrics", Type: tool.String, Pattern: listenAddress, Form: addressForm, Doc: "Where `/metrics`, `/healthz` and `/readyz` are served instead of next to the tools."},
		{Name: "rate", Type: tool.NumberType, Doc: "How many calls a second each caller may make. Further ones get the status 429. Without it, there is no limit."},
		{Name: "drain", Type: tool.String, Pattern: duration, Form: durationForm, Doc: "How long calls may go on when the server is asked to end. `--drain` overrides it."},
		{Name: "allow_hosts", Type: tool.ListType, Doc: "Private hosts that runs may reach: HOST, HOST:PORT or a CIDR. Those of `--allow-host` are added."},
	}, Doc: "Where and for whom `abl-lsp mcp` serves tools."}
})

func authFields() []tool.Field {
	return []tool.Field{
		{Name: "tokens", Type: tool.Block, Doc: "Fixed tokens, which callers send as `Authorization: Bearer`.", Fields: []tool.Field{
			{Name: "file", Type: tool.String, Doc: "A file with a line `NAME TOKEN` for each caller, and the caller's scopes after these. It is read again when it changes."},
			{Name: "keychain", Type: tool.ListType, Doc: "Names of entries in the keychain. Each is the name of a caller, and the entry is the token."},
		}},
		{Name: "oauth", Type: tool.Block, Doc: "Access tokens of an OAuth 2.1 authorization server.", Fields: []tool.Field{
			{Name: "issuer", Type: tool.String, Required: true, Pattern: webURL, Form: webForm, Doc: "The authorization server, exactly as its tokens name it."},
			{Name: "audience", Type: tool.String, Required: true, Doc: "What tokens must be for: the address of this server as callers know it."},
			{Name: "jwks", Type: tool.String, Pattern: webURL, Form: webForm, Doc: "Where the issuer's keys are. Without it, the issuer's own metadata says so."},
			{Name: "introspection", Type: tool.Block, Doc: "Asks the issuer about each token (RFC 7662). Without it, tokens must be JWTs, which are checked with the issuer's keys.", Fields: []tool.Field{
				{Name: "url", Type: tool.String, Required: true, Pattern: webURL, Form: webForm, Doc: "Where the issuer is asked."},
				{Name: "client_id", Type: tool.String, Required: true, Doc: "How this server is known to the issuer."},
				{Name: "client_secret", Type: tool.String, Required: true, Doc: "This server's secret, best as `{{secrets.NAME}}`."},
			}},
		}},
		{Name: "header", Type: tool.Block, Doc: "A header in which a proxy names the caller.", Fields: []tool.Field{
			{Name: "name", Type: tool.String, Required: true, Pattern: headerName, Form: "the name of a header", Doc: "The name of the header, such as `X-Forwarded-User`."},
			{Name: "from", Type: tool.ListType, Required: true, Doc: "The addresses of the proxy, each an IP address or a CIDR. Requests from elsewhere are refused."},
		}},
	}
}

// The forms of single values. What they cannot express is checked when the file is read.
var (
	listenAddress = lazyregexp.New(`^([^/\s]*:)?[0-9]{1,5}$`)
	webURL        = lazyregexp.New(`^https?://[^/?#\s@]+(/[^?#\s]*)?$`)
	sharedURL     = lazyregexp.New(`^rediss?://[^\s]+$`)
	duration      = lazyregexp.New(`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`)
	headerName    = lazyregexp.New(`^[A-Za-z0-9!#$%&'*+.^_|~-]+$`)
)

const (
	addressForm  = "[HOST:]PORT"
	webForm      = "a URL that begins with https:// or http:// and a host"
	sharedForm   = "a URL that begins with rediss:// or redis://"
	durationForm = "a time such as 30s or 2m"
)

// defaultPrefix is the prefix of the keys in what is shared.
const defaultPrefix = "abl"
