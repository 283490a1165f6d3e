// Package oauthtest starts a real OAuth 2.0 and OpenID Connect server, npm's
// oidc-provider, for tests, and plays the person who signs in there.
//
// The server knows four clients, whose secrets are below, and takes any name and
// password for a user's.
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

// What the clients prove who they are with. One called desktop has none.
const (
	ServiceSecret      = "service+secret/42"
	PostingSecret      = "posting-secret-42"
	ConfidentialSecret = "confidential-secret-42"
)

// Server is a running one.
type Server struct {
	URL string
	t   testing.TB // nil: it was launched
}

// Start starts a server that ends with the test. The environment is added to its own:
// TOKEN_SECONDS is how long a token lasts.
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

// MissingReason says why no server can be started; "" where one can.
func MissingReason() string {
	if _, err := exec.LookPath("node"); err != nil {
		return "node is not on PATH"
	}
	if _, err := os.Stat(filepath.Join(testdeps.CachePath("npm/node_modules"), "oidc-provider")); err != nil {
		return "npm's oidc-provider is not in .cache/npm"
	}
	return ""
}

// StartOutsideTest starts a server for whoever has no test. Its script lies in dir.
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

// Host is the server's, with its port.
func (s *Server) Host() string { return strings.TrimPrefix(s.URL, "http://") }

// GrantCount is how often the token endpoint gave a token for a type of grant, or under
// "error" none.
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

// Subject says who a token stands for, as an ServeAPI asks its server: the user, or where
// there is none the client. It is "" for a token that is not good any more.
func (s *Server) Subject(token string) string {
	var told struct {
		Active   bool   `json:"active"`
		Subject  string `json:"sub"`
		ClientID string `json:"client_id"`
	}
	s.post("/token/introspection", "confidential", ConfidentialSecret, url.Values{"token": {token}}, &told)
	switch {
	case !told.Active:
		return ""
	case told.Subject != "":
		return told.Subject
	}
	return told.ClientID
}

// Revoke makes a token of a client good for nothing.
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

// ServeAPI is a handler that lets in whoever has a good token, and tells whose it is.
func (s *Server) ServeAPI(w http.ResponseWriter, r *http.Request) {
	who := s.Subject(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	if who == "" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"who": %q}`, who)
}
