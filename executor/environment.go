package executor

import (
	"cmp"
	"net"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Environment is what the project file says for one run.
type Environment struct {
	Name        string
	Protected   bool   // it takes no `require: never`
	BaseURL     string // for relative endpoints
	Variables   map[string]string
	Credentials Credentials
	Permissions Permissions
	Limits      Limits
	Secrets     secrets.Places

	Root            string // the folder of the project's file, else of the tool's; "": none
	Servers         map[string]tool.Server
	Functions       map[string]tool.Function
	Sources         map[string]tool.Source
	AuthServices    map[string]tool.AuthService
	Services        map[string]tool.Service
	SandboxEngine   string // "": [EngineWASM]
	Search          tool.Search
	CallbackBaseURL string // where a callback reaches this machine from outside; "": loopback alone
	CallbackPort    int    // of this machine, where callbacks are listened for; 0: a free one

	// WrittenIn names the file of each entry that another file than the project's brings,
	// by its path, such as `sources.pg`.
	WrittenIn map[string]string
}

// Limits bound the size of an answer. 0 means the default limit.
type Limits struct {
	ResponseBytes int64
	Rows          int
}

// MaxBytes returns how many bytes an answer, and what a program prints, may have: 10 MB
// if the project sets no limit.
func (l Limits) MaxBytes() int64 { return cmp.Or(l.ResponseBytes, 10<<20) }

// Permissions are the accesses that a project allows, and those that it denies.
type Permissions struct {
	Allow []tool.Permission
	Deny  []tool.Permission
}

// Credentials are what a project sends so that others know who calls: by the name
// of a tool, by HOST:PORT, HOST or *.DOMAIN.
type Credentials map[string]tool.Credential

// For returns the credential for a tool's calls of a host. The first that fits counts:
// that of the tool, of the host with its port, of the host, of the nearest domain. It
// is the zero value if none fits.
func (c Credentials) For(name, host, port string) tool.Credential {
	if found, ok := c[name]; ok {
		return found
	}
	hosts := make(map[string]tool.Credential, len(c))
	for key, credential := range c {
		hosts[normalizeHostKey(key)] = credential
	}
	host = strings.ToLower(host)
	for _, key := range hostKeys(host, port) {
		if found, ok := hosts[key]; ok {
			return found
		}
	}
	return tool.Credential{}
}

// normalizeHostKey writes a key as hostKeys does, with the host in the form that URLs
// have.
func normalizeHostKey(key string) string {
	star, host := "", strings.ToLower(key)
	if rest, ok := strings.CutPrefix(host, "*."); ok {
		star, host = "*.", rest
	}
	if name, port, err := net.SplitHostPort(host); err == nil {
		if name, err := dial.NormalizeHost(name); err == nil {
			return star + net.JoinHostPort(name, port)
		}
	}
	if name, err := dial.NormalizeHost(strings.Trim(host, "[]")); err == nil {
		return star + name
	}
	return star + host
}

func hostKeys(host, port string) []string {
	keys := []string{net.JoinHostPort(host, port), host}
	for _, rest, more := strings.Cut(host, "."); more; _, rest, more = strings.Cut(rest, ".") {
		keys = append(keys, "*."+rest)
	}
	return keys
}

// Engines of the sandbox.
const (
	EngineWASM       = "wasm" // the usual one
	EngineBubblewrap = "bubblewrap"
	EngineGVisor     = "gvisor"
)
