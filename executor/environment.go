package executor

import (
	"cmp"
	"net"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Environment holds the settings of the project file that apply to one run.
type Environment struct {
	Name        string
	Protected   bool   // `require: never` has no effect
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
	CallbackBaseURL string // the URL at which callbacks reach this machine from outside; "": only loopback does
	CallbackPort    int    // the local port that listens for callbacks; 0: any free one
	Scopes          Scopes

	// WrittenIn maps the path of an entry, such as `sources.pg`, to the file that declares it. It
	// has only the entries that the project file itself does not declare.
	WrittenIn map[string]string
}

// Scopes are the scopes that a caller of a server of this program needs, by the names of tools.
type Scopes map[string][]string

// Of returns the scopes that a caller of a tool needs, by its name or its qualified one.
func (s Scopes) Of(t *tool.Tool) []string {
	if name := t.QualifiedName(); name != t.Name {
		return append(slices.Clone(s[t.Name]), s[name]...)
	}
	return s[t.Name]
}

// Limits bound the size of an answer. 0 means the default limit.
type Limits struct {
	ResponseBytes int64
	Rows          int
}

// MaxBytes returns the most bytes that an answer, or the output of a program, may have: 10 MB
// if the project sets no limit.
func (l Limits) MaxBytes() int64 { return cmp.Or(l.ResponseBytes, 10<<20) }

// Permissions are the accesses that a project allows and denies.
type Permissions struct {
	Allow []tool.Permission
	Deny  []tool.Permission
}

// Credentials are the credentials that a project sends with requests. A key is the name of a
// tool, HOST:PORT, HOST or *.DOMAIN.
type Credentials map[string]tool.Credential

// For returns the credential for the requests of the tool called name to a host. It returns the
// first that exists, in this order: of the tool, of the host with its port, of the host, of the
// nearest domain. It returns the zero value if there is none.
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

// normalizeHostKey returns key as hostKeys writes it: in lower case, with the host as URLs write
// it.
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

// The engines of the sandbox.
const (
	EngineWASM       = "wasm" // the usual one
	EngineBubblewrap = "bubblewrap"
	EngineGVisor     = "gvisor"
)
