package mcp

import (
	"cmp"
	"context"
	"errors"
	"io"
	nethttp "net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// accessToken is the token that a session sends. It is safe for concurrent use.
type accessToken struct {
	mu      sync.Mutex
	value   string // "": none
	refusal error  // the last answer that wants another token; nil: none
}

// Store replaces the token.
func (a *accessToken) Store(value string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.value = value
}

func (a *accessToken) load() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.value
}

// noteRefusal keeps a refusal and returns it.
func (a *accessToken) noteRefusal(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refusal = err
	return err
}

// pending returns the last refusal, if no one has taken it.
func (a *accessToken) pending() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.refusal
}

// takeRefusal returns the last refusal, once.
func (a *accessToken) takeRefusal() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.refusal
	a.refusal = nil
	return err
}

// challengeError is the cause of an error of a server that wants another token. It did not begin the
// call.
type challengeError struct{ oauth.Challenge }

func (e *challengeError) Error() string { return "the server wants another token" }

func (e *challengeError) Unwrap() error { return executor.ErrUnprepared }

// authorize adds the session's token to a request whose headers do not say who calls. It returns the
// token that it added.
func (s *session) authorize(r *nethttp.Request) string {
	token := s.token.load()
	if s.target.resource == nil || token == "" || r.Header.Get("Authorization") != "" {
		return ""
	}
	r.Header.Set("Authorization", "Bearer "+token)
	return token
}

// challengeIn returns the error for a response that wants another token. It is nil for any other
// response, and if the headers say who calls. token is the one that was sent.
func (s *session) challengeIn(resp *nethttp.Response, token string) error {
	if s.target.resource == nil || resp.Request.Header.Get("Authorization") != "" && token == "" {
		return nil
	}
	ch := oauth.Challenge{Status: resp.StatusCode, Token: token}
	reason := ""
	challenges, _ := oauthex.ParseWWWAuthenticate(resp.Header.Values("WWW-Authenticate")) // one that cannot be read says nothing
	for _, c := range challenges {
		ch.Metadata = cmp.Or(ch.Metadata, c.Params["resource_metadata"])
		if c.Scheme == "bearer" {
			ch.Scope, reason = cmp.Or(ch.Scope, c.Params["scope"]), cmp.Or(reason, c.Params["error"])
		}
	}
	wantsMore := resp.StatusCode == nethttp.StatusForbidden && reason == "insufficient_scope"
	if resp.StatusCode != nethttp.StatusUnauthorized && !wantsMore {
		return nil
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusalBody))
	e := s.remoteError(resp.StatusCode, string(body))
	e.Err = &challengeError{ch}
	return e
}

// noteChallenge passes on what a server wants to the one who obtains tokens. It returns err, for
// which the call is prepared and made again unless that would be in vain.
func (r *Runner) noteChallenge(ctx context.Context, call executor.Call, t *target, err error) error {
	refusal, ok := errors.AsType[*challengeError](err)
	if !ok || r.opts.Tokens.NoteChallenge(ctx, call, t.resource, refusal.Challenge) {
		return err
	}
	if e, ok := copyError(err).(*executor.Error); ok { //nolint:errorlint // it is copyError's own
		e.Err = nil
		return e
	}
	return err
}

// token returns the token to send to a server; "" if it has not asked for one.
func (r *Runner) token(ctx context.Context, call executor.Call, t *target) (string, error) {
	if t.resource == nil {
		return "", nil
	}
	return r.opts.Tokens.ResourceToken(ctx, call, t.resource)
}

// oauth sets how the tokens of a server are obtained, unless its headers say who calls.
func (f *filler) oauth(t *target, e tool.Server) {
	switch authorized := t.headers["Authorization"] != ""; {
	case e.OAuth != nil && authorized:
		f.fail(executor.DefinitionError("server", "%soauth and the header Authorization both say who calls; keep one of them", f.at))
		return
	case f.err != nil, t.transport != viaHTTP, authorized:
		return
	}
	filled := tool.ServerOAuth{}
	if e.OAuth != nil {
		filled = *e.OAuth
		filled.Scopes = slices.Clone(filled.Scopes)
	}
	for property, text := range map[string]*string{
		"grant": &filled.Grant, "client_id": &filled.ClientID, "client_secret": &filled.ClientSecret, "private_key": &filled.PrivateKey,
		"issuer": &filled.Issuer, "redirect_url": &filled.RedirectURL,
	} {
		*text = strings.TrimSpace(f.text("oauth."+property, *text))
	}
	for i, text := range filled.Scopes {
		filled.Scopes[i] = f.text("oauth.scopes", text)
	}
	if f.err == nil {
		var err error
		t.resource, err = oauth.NewResource(t.name, t.url, filled)
		f.err = err
	}
}

// sentSecrets returns the names of the secrets that a server itself gets.
func sentSecrets(call executor.Call, e tool.Server) []string {
	hostHeaders, toolHeaders := hostCredentials(call, e), toolCredentials(call, e)
	e.OAuth = nil
	return placeholder.Secrets(string(exactjson.EncodeOrNil([]any{e, hostHeaders, toolHeaders, call.Tool.Spec})))
}

// issuerReceivers returns which hosts get the secrets of `oauth`, by the name of the secret: the
// issuer's.
func issuerReceivers(e tool.Server, t *target) map[string][]string {
	if e.OAuth == nil || t.resource == nil {
		return nil
	}
	u, err := url.Parse(t.resource.Settings.Issuer)
	if err != nil || u.Hostname() == "" {
		return nil
	}
	receivers := map[string][]string{}
	for _, name := range placeholder.Secrets(strings.Join([]string{e.OAuth.ClientID, e.OAuth.ClientSecret, e.OAuth.PrivateKey}, " ")) {
		receivers[name] = []string{u.Hostname()}
	}
	return receivers
}
