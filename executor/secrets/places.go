package secrets

import (
	"fmt"
	"strings"
)

// Places says where a project stores its secrets.
type Places struct {
	Providers []string // their names, in the order in which they are asked; nil: [DefaultProviders]
	Dotenv    string   // path of the .env file; "": none
	Command   []string // the words of the command
	Root      string   // the folder of the project
}

// The names of the providers in abl.yaml.
const (
	EnvProvider      = "env"
	DotenvProvider   = "dotenv"
	KeychainProvider = "keychain"
	CommandProvider  = "command"
)

// DefaultProviders returns the providers of a project that lists none.
func DefaultProviders() []string { return []string{EnvProvider, DotenvProvider, KeychainProvider} }

// ProvidersIn returns the providers of a project, in the order in which to ask them. environment is
// the process environment.
func (p Places) ProvidersIn(environment Env) ([]Provider, error) {
	out := make([]Provider, 0, len(p.words()))
	for _, word := range p.words() {
		place, ok := providers[word]
		if !ok {
			return nil, fmt.Errorf("secrets.providers: %q is none of env, dotenv, keychain and command", word)
		}
		out = append(out, place.of(p, environment))
	}
	return out, nil
}

func (p Places) words() []string {
	if p.Providers == nil {
		return DefaultProviders()
	}
	return p.Providers
}

// Hint says where the person can put a missing secret.
func (p Places) Hint() string {
	var where []string
	for _, word := range p.words() {
		where = append(where, providers[word].holds)
	}
	if len(where) == 0 {
		return "abl.yaml names no place for secrets under secrets.providers."
	}
	return "Set it " + strings.Join(where, ", or ") + "."
}

var providers = map[string]struct {
	of    func(Places, Env) Provider
	holds string // where the person can put a secret
}{
	EnvProvider:      {func(_ Places, environment Env) Provider { return environment }, "as an environment variable of that name"},
	DotenvProvider:   {func(p Places, _ Env) Provider { return Dotenv(p.Dotenv) }, "in the .env file beside abl.yaml, else beside the file"},
	KeychainProvider: {func(p Places, _ Env) Provider { return Keychain(p.Root) }, "in the keychain (abl-lsp secrets set)"},
	CommandProvider:  {func(p Places, _ Env) Provider { return Command{Words: p.Command, Dir: p.Root} }, "where the command of abl.yaml looks it up"},
}
