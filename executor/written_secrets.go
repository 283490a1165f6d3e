package executor

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// writtenSecrets holds the short secrets that files contain in plain text. Other data may contain
// the same characters by chance. Marks replace them there as well, and a warning says so.
type writtenSecrets struct {
	mu    sync.Mutex
	short []writtenSecret
}

// writtenSecret is a secret that a file contains in plain text.
type writtenSecret struct {
	name string // the name in its mark, such as sources.pg.password
	file string
}

// shortLiteral is the number of characters below which other data is likely to contain a secret
// by chance.
const shortLiteral = 8

// trackWrittenSecret marks a value that a file contains in plain text as secret.
func (r *run) trackWrittenSecret(file, name, value string) {
	r.redactor.Add(name, value)
	one := writtenSecret{name, file}
	r.writtenSecrets.mu.Lock()
	defer r.writtenSecrets.mu.Unlock()
	if utf8.RuneCountInString(value) < shortLiteral && value != "" && !slices.Contains(r.writtenSecrets.short, one) {
		r.writtenSecrets.short = append(r.writtenSecrets.short, one)
	}
}

// trackToolSecret is trackWrittenSecret for the tool's own file.
func (r *run) trackToolSecret(name, value string) {
	o := r.req.Tool.Origin
	file := filepath.Base(o.File)
	if o.Line > 0 {
		file = fmt.Sprintf("%s:%d", file, o.Line)
	}
	r.trackWrittenSecret(file, name, value)
}

// warnHidden warns of each short secret whose mark appears in the result.
func (r *run) warnHidden() {
	r.writtenSecrets.mu.Lock()
	defer r.writtenSecrets.mu.Unlock()
	if len(r.writtenSecrets.short) == 0 {
		return
	}
	e := &r.envelope
	shown := string(e.Value) + e.Text + e.Console + string(encode(e.Set))
	if e.Error != nil {
		shown += e.Error.Message
	}
	for _, l := range r.writtenSecrets.short {
		if strings.Contains(shown, secrets.Mark(l.name)) {
			r.warn("%s, which %s writes out, has fewer than %d characters: whatever reads like it was hidden in this answer; choose a longer one", l.name, r.redactor.String(l.file), shortLiteral)
		}
	}
}

// trackProjectSecrets marks as secret the credentials that the project's file contains in plain
// text.
func (r *run) trackProjectSecrets() {
	env := &r.req.Environment
	trackIn := func(entry string) func(name, value string) {
		file := cmp.Or(env.WrittenIn[entry], "abl.yaml")
		return func(name, value string) { r.trackWrittenSecret(file, entry+"."+name, value) }
	}
	for of, c := range env.Credentials {
		trackCredential(c, trackIn("credentials."+of))
	}
	for name, s := range env.Servers {
		track := trackIn("servers." + name)
		trackCredentials("headers.", s.Headers, track)
		trackCredentials("env.", s.Env, track)
	}
	for name, f := range env.Functions {
		track := trackIn("functions." + name)
		trackCredentials("headers.", f.Headers, track)
		trackCredentials("env.", f.Env, track)
	}
	for name, s := range env.Sources {
		track := trackIn("sources." + name)
		trackPlainText("password", s.Password, track)
		trackCredentials("headers.", s.Headers, track)
		trackCredentials("query_params.", s.QueryParams, track)
	}
	for name, s := range env.AuthServices {
		track := trackIn("auth_services." + name)
		trackPlainText("client_secret", s.ClientSecret, track)
		trackPlainText("assertion", s.Assertion, track)
	}
}

// trackCredential calls track with the name and value of each part of a credential that is
// written in plain text.
func trackCredential(c tool.Credential, track func(name, value string)) {
	trackPlainText("bearer", c.Bearer, track)
	trackPlainText("api_key", c.APIKey, track)
	trackPlainText("client_secret", c.ClientSecret, track)
	for name, text := range c.Headers {
		if IsCredentialHeader(name, text) {
			trackPlainText("headers."+name, WithoutAuthScheme(text), track)
		}
	}
}

// trackCredentials calls track for those headers or variables that hold a credential, as their
// names show. of is the prefix of the names that track gets.
func trackCredentials(of string, texts map[string]string, track func(name, value string)) {
	for name, text := range texts {
		if IsCredentialName(name) {
			trackPlainText(of+name, WithoutAuthScheme(text), track)
		}
	}
}

func trackPlainText(name, text string, track func(name, value string)) {
	if !placeholder.Has(text) {
		track(name, text)
	}
}

// IsCredentialHeader reports whether the header called name holds a credential in text. If name
// does not tell, any text of 8 bytes or more is taken for a credential. A shorter text is not: as
// a secret it would be removed wherever it appears.
func IsCredentialHeader(name, text string) bool {
	const long = 8
	plain := slices.Contains([]string{"accept", "accept-language", "content-type", "user-agent"}, strings.ToLower(name))
	return IsCredentialName(name) || !plain && len(text) >= long
}

// IsCredentialName reports whether the name of a header or variable is typical of credentials.
func IsCredentialName(name string) bool {
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

// WithoutAuthScheme returns a header's value without its authentication scheme, such as
// Bearer. The rest is the secret.
func WithoutAuthScheme(text string) string {
	text = strings.TrimSpace(text)
	if scheme, rest, ok := strings.Cut(text, " "); ok && !strings.ContainsAny(scheme, "=;,") {
		return strings.TrimSpace(rest)
	}
	return text
}
