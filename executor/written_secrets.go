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

// writtenSecrets are the short secrets that files write out as literals. They are so
// short that other data may contain them by chance; it is hidden there as well, and a
// warning says so.
type writtenSecrets struct {
	mu    sync.Mutex
	short []writtenSecret
}

// writtenSecret is a secret that a file writes out.
type writtenSecret struct {
	name string // by which it is marked: sources.pg.password
	file string
}

// shortLiteral is the number of characters below which a secret is likely to be in other
// data.
const shortLiteral = 8

// trackWrittenSecret has a value that a file writes out treated as a secret.
func (r *run) trackWrittenSecret(file, name, value string) {
	r.redactor.Add(name, value)
	one := writtenSecret{name, file}
	r.writtenSecrets.mu.Lock()
	defer r.writtenSecrets.mu.Unlock()
	if utf8.RuneCountInString(value) < shortLiteral && value != "" && !slices.Contains(r.writtenSecrets.short, one) {
		r.writtenSecrets.short = append(r.writtenSecrets.short, one)
	}
}

// trackToolSecret is trackWrittenSecret for what the tool's own file writes out.
func (r *run) trackToolSecret(name, value string) {
	o := r.req.Tool.Origin
	file := filepath.Base(o.File)
	if o.Line > 0 {
		file = fmt.Sprintf("%s:%d", file, o.Line)
	}
	r.trackWrittenSecret(file, name, value)
}

// warnHidden warns of short literals for which something was hidden in what came back.
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

// trackProjectSecrets marks as secret what the project's file writes out as a secret,
// and the credentials that it sends.
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

// trackCredential calls track with each value of a credential that stands there in plain
// text, and what to call it.
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

// trackCredentials looks at headers or variables of which only some sign in.
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

// IsCredentialHeader reports whether a header that may hold a credential does. In a
// header whose name does not say so, a short word is no secret: it would be removed
// from all text.
func IsCredentialHeader(name, text string) bool {
	const long = 8
	plain := slices.Contains([]string{"accept", "accept-language", "content-type", "user-agent"}, strings.ToLower(name))
	return IsCredentialName(name) || !plain && len(text) >= long
}

// IsCredentialName reports whether a header or a variable has a name that credentials
// have.
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
