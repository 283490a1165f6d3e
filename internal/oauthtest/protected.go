package oauthtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// SubjectHeader is the header by which a protected server learns whose token it got.
const SubjectHeader = "X-Subject"

// Protected is an MCP server at /mcp that accepts the tokens of a [Server] which are for it.
type Protected struct {
	*httptest.Server
	issuer *Server
	next   http.Handler

	Metadata func(map[string]any) // changes what it says of itself; nil: nothing
	Place    string               // where it says that is; "": where it is
	Scopes   map[string]string    // further scopes that calls of a tool need, by tool

	mu     sync.Mutex
	tokens []string
}

// Protect starts a server that ends with the test. next gets the requests with a token.
func (s *Server) Protect(t testing.TB, next http.Handler) *Protected {
	t.Helper()
	p := &Protected{issuer: s, next: next}
	p.Server = httptest.NewServer(p)
	t.Cleanup(func() {
		p.CloseClientConnections()
		p.Close()
	})
	return p
}

// Tokens returns the tokens that it accepted, in order and without repetitions.
func (p *Protected) Tokens() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.tokens)
}

func (p *Protected) resource() string { return p.URL + "/mcp" }

// ServeHTTP serves the server's metadata, and lets requests with a token through.
func (p *Protected) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/.well-known/oauth-protected-resource/mcp":
		about := map[string]any{"resource": p.resource(), "authorization_servers": []string{p.issuer.URL}, "scopes_supported": []string{"read"}}
		if p.Metadata != nil {
			p.Metadata(about)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(about) // the client hears of it
	case "/mcp":
		p.serveMCP(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (p *Protected) serveMCP(w http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	var about struct {
		Active   bool   `json:"active"`
		Audience string `json:"aud"`
		Scope    string `json:"scope"`
		Subject  string `json:"sub"`
		ClientID string `json:"client_id"`
	}
	if token != "" {
		p.issuer.post("/token/introspection", "confidential", ConfidentialSecret, url.Values{"token": {token}}, &about)
	}
	if !about.Active || about.Audience != p.resource() {
		p.challenge(w, http.StatusUnauthorized, "read", "")
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if scope := p.Scopes[calledTool(body)]; scope != "" && !slices.Contains(strings.Fields(about.Scope), scope) {
		p.challenge(w, http.StatusForbidden, scope, `, error="insufficient_scope"`)
		return
	}
	p.mu.Lock()
	if !slices.Contains(p.tokens, token) {
		p.tokens = append(p.tokens, token)
	}
	p.mu.Unlock()
	r.Header.Set(SubjectHeader, about.Subject+about.ClientID)
	if about.Subject != "" {
		r.Header.Set(SubjectHeader, about.Subject)
	}
	p.next.ServeHTTP(w, r)
}

func (p *Protected) challenge(w http.ResponseWriter, status int, scope, more string) {
	w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer resource_metadata="%s", scope="%s"%s`, cmp.Or(p.Place, p.URL+"/.well-known/oauth-protected-resource/mcp"), scope, more))
	w.WriteHeader(status)
}

// calledTool returns the name of the tool that a message calls; "" if it calls none.
func calledTool(body []byte) string {
	var message struct {
		Method string
		Params struct{ Name string }
	}
	if json.Unmarshal(body, &message) != nil || message.Method != "tools/call" {
		return ""
	}
	return message.Params.Name
}
