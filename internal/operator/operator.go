// Package operator reads the operator's file of `abl-lsp mcp --config`: where tools are served, who
// may call them, and what several servers share. A workspace has no part in it.
package operator

import (
	"fmt"
	"net/netip"
	"time"
)

// Config is what an operator's file says. Paths of files are absolute or relative to the folder of
// the process; addresses and numbers have been checked.
type Config struct {
	Path       string // of the file, as it was given
	HTTP       string // [HOST:]PORT; "": not given
	TLS        *TLS   // nil: no TLS
	Auth       Auth
	Shared     *Shared // nil: this server is on its own
	StateKey   string  // "": not given
	Metrics    string  // [HOST:]PORT; "": not given
	Rate       float64 // calls a second of each caller; 0: no limit
	Drain      *time.Duration
	AllowHosts []string

	lines map[string]int // of the keys, by their paths, counted from 1
}

// TLS has the files of the server's certificate.
type TLS struct {
	Cert, Key string
	ClientCA  string // "": clients need no certificate
}

// Auth says how callers are known; at most one field is set.
type Auth struct {
	Tokens *Tokens
	OAuth  *OAuth
	Header *Header
}

// Tokens says where the fixed tokens are. At least one field is set.
type Tokens struct {
	File     string   // a file with lines NAME TOKEN
	Keychain []string // names of entries in the keychain
}

// OAuth is an authorization server whose tokens are accepted.
type OAuth struct {
	Issuer        string
	Audience      string
	JWKS          string         // "": found by the issuer's metadata
	Introspection *Introspection // nil: tokens are JWTs
}

// Introspection says where an issuer answers questions about tokens (RFC 7662).
type Introspection struct {
	URL          string
	ClientID     string
	ClientSecret string
}

// Header is the header in which a proxy names the caller.
type Header struct {
	Name string
	From []netip.Prefix // the addresses of the proxy, at least one
}

// Shared says where several servers keep what they have to agree on.
type Shared struct {
	URL    string
	Prefix string
}

// KnowsCallers reports whether the file says how callers are known. It is false for a nil Config.
func (c *Config) KnowsCallers() bool {
	return c != nil && (c.Auth != Auth{} || c.TLS != nil && c.TLS.ClientCA != "")
}

// Errorf returns an error with the position of a key, given by its path such as "tls.cert".
func (c *Config) Errorf(key, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s: %w", c.Path, c.lines[key], key, fmt.Errorf(format, args...))
}
