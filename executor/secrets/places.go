package secrets

import "fmt"

// Places say where a project keeps its secrets.
type Places struct {
	Providers []string // their words, in the order in which they are asked; nil: [DefaultProviders]
	Dotenv    string   // path of the .env file; "": none
	Command   []string // the words of the command
	Root      string   // the folder of the project
}

// The words for the providers.
const (
	EnvProvider      = "env"
	DotenvProvider   = "dotenv"
	KeychainProvider = "keychain"
	CommandProvider  = "command"
)

// DefaultProviders are asked where a project says nothing.
func DefaultProviders() []string { return []string{EnvProvider, DotenvProvider, KeychainProvider} }

// In are the providers of a project, in a process with that environment.
func (p Places) In(environment Env) ([]Provider, error) {
	words := p.Providers
	if words == nil {
		words = DefaultProviders()
	}
	var out []Provider
	for _, word := range words {
		provider, ok := providers[word]
		if !ok {
			return nil, fmt.Errorf("secrets.providers: %q is none of env, dotenv, keychain and command", word)
		}
		out = append(out, provider(p, environment))
	}
	return out, nil
}

var providers = map[string]func(Places, Env) Provider{
	EnvProvider:      func(_ Places, environment Env) Provider { return environment },
	DotenvProvider:   func(p Places, _ Env) Provider { return Dotenv(p.Dotenv) },
	KeychainProvider: func(p Places, _ Env) Provider { return Keychain(p.Root) },
	CommandProvider:  func(p Places, _ Env) Provider { return Command{Words: p.Command, Dir: p.Root} },
}
