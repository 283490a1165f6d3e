// Package oauthtest starts a real OAuth 2.0 and OpenID Connect server, npm's
// oidc-provider, for tests, and plays the person who signs in there.
//
// The server knows four clients, whose secrets are below, and accepts any name and
// password of a user.
package oauthtest

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

//go:embed provider.mjs
var script string

// The secrets of the clients. The client called desktop has none.
const (
	ServiceSecret      = "service+secret/42"
	PostingSecret      = "posting-secret-42"
	ConfidentialSecret = "confidential-secret-42"
)

// Server is a running server.
type Server struct {
	URL string
	t   testing.TB // nil if it was started outside a test
}

// Start starts a server that ends with the test. The environment is added to the server's:
// TOKEN_SECONDS is how long a token is valid, TOKEN_FORMAT=jwt makes tokens JWTs.
func Start(t testing.TB, environment ...string) *Server {
	t.Helper()
	if why := MissingReason(); why != "" {
		testdeps.SkipOrFail(t, "%s", why)
	}
	url, stop, err := StartOutsideTest(t.TempDir(), environment...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return &Server{url, t}
}

// MissingReason says why no server can be started; "" if one can.
func MissingReason() string {
	if _, err := exec.LookPath("node"); err != nil {
		return "node is not on PATH"
	}
	if _, err := os.Stat(filepath.Join(testdeps.CachePath("npm/node_modules"), "oidc-provider")); err != nil {
		return "npm's oidc-provider is not in .cache/npm"
	}
	return ""
}

// StartOutsideTest starts a server for a caller without a test. It writes the server's script
// into dir. The caller must call stop.
func StartOutsideTest(dir string, environment ...string) (url string, stop func(), err error) {
	file := filepath.Join(dir, "provider.mjs")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	cmd := exec.CommandContext(ctx, "node", file, testdeps.CachePath("npm/node_modules"))
	cmd.Env = append(os.Environ(), environment...)
	cmd.WaitDelay = 5 * time.Second
	in, err := cmd.StdinPipe() // its end is the server's
	if err != nil {
		cancel()
		return "", nil, err
	}
	stop = func() {
		_ = in.Close()
		cancel()
		_ = cmd.Wait() // killed
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	var line string
	if err == nil {
		line, err = bufio.NewReader(out).ReadString('\n')
	}
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("oidc-provider does not start: %w", err)
	}
	return strings.TrimSpace(line), stop, nil
}

// Host returns the server's host with its port.
func (s *Server) Host() string { return strings.TrimPrefix(s.URL, "http://") }

// GrantCount returns how many tokens the token endpoint gave for a type of grant; for "error",
// how many requests it refused.
func (s *Server) GrantCount(grant string) int {
	s.t.Helper()
	resp, err := http.Get(s.URL + "/asked")
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	var asked map[string]int
	if err := json.NewDecoder(resp.Body).Decode(&asked); err != nil {
		s.t.Fatal(err)
	}
	return asked[grant]
}

// Subject returns the user of a token, or the client if the token has no user. It is "" for a
// token that is no longer valid. It asks the server, as an API would.
func (s *Server) Subject(token string) string {
	var introspection struct {
		Active   bool   `json:"active"`
		Subject  string `json:"sub"`
		ClientID string `json:"client_id"`
	}
	s.post("/token/introspection", "confidential", ConfidentialSecret, url.Values{"token": {token}}, &introspection)
	switch {
	case !introspection.Active:
		return ""
	case introspection.Subject != "":
		return introspection.Subject
	}
	return introspection.ClientID
}

// ServiceToken returns an access token of the client called service, for a resource and scopes.
func (s *Server) ServiceToken(resource, scope string) string {
	s.t.Helper()
	var given struct {
		Token string `json:"access_token"`
	}
	s.post("/token", "service", ServiceSecret, url.Values{"grant_type": {"client_credentials"}, "resource": {resource}, "scope": {scope}}, &given)
	return given.Token
}

// Revoke revokes a token of a client.
func (s *Server) Revoke(client, secret, token string) {
	s.post("/token/revocation", client, secret, url.Values{"token": {token}}, nil)
}

func (s *Server) post(path, client, secret string, form url.Values, answer any) {
	s.t.Helper()
	if secret == "" {
		form.Set("client_id", client)
	}
	r, err := http.NewRequest(http.MethodPost, s.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		s.t.Error(err)
		return
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if secret != "" {
		r.SetBasicAuth(url.QueryEscape(client), url.QueryEscape(secret))
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Error(err)
		return
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		s.t.Errorf("%s: %s", path, resp.Status)
	}
	if answer != nil {
		if err := json.NewDecoder(resp.Body).Decode(answer); err != nil {
			s.t.Errorf("%s: %v", path, err)
		}
	}
}

// ServeAPI is a handler of an API that answers requests with a valid token, and says whose
// token it is.
func (s *Server) ServeAPI(w http.ResponseWriter, r *http.Request) {
	who := s.Subject(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	if who == "" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"who": %q}`, who)
}
