package executor

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/template"
)

// trackWritten has what the project's file writes out, and what signs in, treated as
// secrets.
func (r *run) trackWritten() {
	env, track := &r.req.Environment, r.redactor.Add
	for of, c := range env.Credentials {
		c.written("credentials."+of+".", track)
	}
	for name, s := range env.Servers {
		writtenNames("servers."+name+".headers.", s.Headers, track)
		writtenNames("servers."+name+".env.", s.Env, track)
	}
	for name, f := range env.Functions {
		writtenNames("functions."+name+".headers.", f.Headers, track)
		writtenNames("functions."+name+".env.", f.Env, track)
	}
	for name, s := range env.Sources {
		writtenOut("sources."+name+".password", s.Password, track)
		writtenNames("sources."+name+".headers.", s.Headers, track)
		writtenNames("sources."+name+".query_params.", s.QueryParams, track)
	}
	for name, s := range env.AuthServices {
		writtenOut("auth_services."+name+".client_secret", s.ClientSecret, track)
		writtenOut("auth_services."+name+".assertion", s.Assertion, track)
	}
}

// written calls track with each value of a credential that stands there in plain
// text, and what to call it.
func (c Credential) written(of string, track func(name, value string)) {
	writtenOut(of+"bearer", c.Bearer, track)
	writtenOut(of+"api_key", c.APIKey, track)
	writtenOut(of+"client_secret", c.ClientSecret, track)
	for name, text := range c.Headers {
		if SignsIn(name, text) {
			writtenOut(of+"headers."+name, AfterScheme(text), track)
		}
	}
}

// writtenNames looks at headers or variables of which only some sign in.
func writtenNames(of string, texts map[string]string, track func(name, value string)) {
	for name, text := range texts {
		if NamesCredential(name) {
			writtenOut(of+name, AfterScheme(text), track)
		}
	}
}

func writtenOut(name, text string, track func(name, value string)) {
	if !template.Has(text) {
		track(name, text)
	}
}

// SignsIn reports whether a header that is there to sign in holds a secret. Of one
// whose name does not say so, a short word is none: it would be taken out of all text.
func SignsIn(name, text string) bool {
	const long = 8
	plain := slices.Contains([]string{"accept", "accept-language", "content-type", "user-agent"}, strings.ToLower(name))
	return NamesCredential(name) || !plain && len(text) >= long
}

// NamesCredential reports whether a header or a variable is called as credentials are.
func NamesCredential(name string) bool {
	name = strings.ToLower(name)
	for _, end := range []string{"token", "key", "secret", "password", "cookie"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' })
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains([]string{"auth", "authorization", "authentication", "session", "signature", "credential", "credentials"}, word)
	})
}

// AfterScheme is a header's value without the word that says of what kind it is: the
// rest is the secret, wherever it stands.
func AfterScheme(text string) string {
	text = strings.TrimSpace(text)
	if scheme, rest, ok := strings.Cut(text, " "); ok && !strings.ContainsAny(scheme, "=;,") {
		return strings.TrimSpace(rest)
	}
	return text
}
