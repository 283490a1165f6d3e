package oauth_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/tool"
)

func TestClientCredentials(t *testing.T) {
	r := newFixture(t)
	r.run(r.serviceRequest(), "service")
	r.run(r.serviceRequest(), "service")
	if n := r.GrantCount("client_credentials"); n != 1 {
		t.Errorf("%d tokens for two runs", n)
	}
	t.Run("a server that wants the secret in the form", func(t *testing.T) {
		q := r.request("oauth2_client", tool.AuthConfig{TokenURL: r.URL + "/token", ClientID: "posting", ClientSecret: "posting-secret-42"})
		r.run(q, "posting")
	})
	t.Run("a wrong secret", func(t *testing.T) {
		q := r.serviceRequest()
		q.Secrets = map[string]string{"CRM": "wrong-secret"}
		e := r.fails(q, executor.KindRemote, "token-refused")
		if e.Error.Details["status"] != 401 || e.Error.Details["error"] != "invalid_client" {
			t.Errorf("%+v", e.Error)
		}
	})
}

// TestSharedToken checks that concurrent runs request one token.
func TestSharedToken(t *testing.T) {
	r := newFixture(t)
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			if e := r.ex.Run(t.Context(), r.serviceRequest()); !e.OK {
				t.Errorf("%+v", e.Error)
			}
		})
	}
	all.Wait()
	if n := r.GrantCount("client_credentials"); n != 1 {
		t.Errorf("%d tokens", n)
	}
}

// TestExpiry checks that a token is not reused if it expires within the leeway.
func TestExpiry(t *testing.T) {
	r := newFixture(t, "TOKEN_SECONDS=5")
	r.run(r.serviceRequest(), "service")
	r.run(r.serviceRequest(), "service")
	if n := r.GrantCount("client_credentials"); n != 2 {
		t.Errorf("%d tokens", n)
	}
}

// TestRefusedToken checks that a rejected token is replaced once, even for a call that changes
// something, because the rejected call did nothing.
func TestRefusedToken(t *testing.T) {
	for _, method := range []string{"GET", "POST"} {
		t.Run(method, func(t *testing.T) {
			r := newFixture(t)
			q := r.serviceRequest()
			q.Tool.Spec.(*tool.HTTP).Method = method
			r.run(q, "service")
			var first string
			r.refuse = func(token string) bool {
				if first == "" {
					first = token
				}
				return token == first
			}
			if e := r.run(q, "service"); len(e.Attempts) != 1 {
				t.Errorf("%+v", e.Attempts)
			}
			if n := r.GrantCount("client_credentials"); n != 2 {
				t.Errorf("%d tokens", n)
			}
			r.refuse = func(string) bool { return true }
			r.fails(q, executor.KindRemote, "http-401")
			if n := r.GrantCount("client_credentials"); n != 3 {
				t.Errorf("%d tokens", n)
			}
			r.fails(q, executor.KindRemote, "http-401") // a new one at the first go is not replaced
			if n := r.GrantCount("client_credentials"); n != 4 {
				t.Errorf("%d tokens", n)
			}
		})
	}
}

// TestCredentials checks that missing settings of the client come from the project's credentials.
func TestCredentials(t *testing.T) {
	r := newFixture(t)
	q := r.request("oauth2_client", tool.AuthConfig{TokenURL: r.URL + "/token"})
	q.Environment.Credentials = executor.Credentials{"127.0.0.1": {
		ClientID: "service", ClientSecret: oauthtest.ServiceSecret, Headers: map[string]string{"X-A": "a"},
	}}
	e := r.run(q, "service")
	if !strings.Contains(string(e.Request), `"X-A":"a"`) {
		t.Errorf("%s", e.Request)
	}
	q.Environment.Credentials = nil
	q.Secrets = map[string]string{"127_0_0_1_CLIENT_ID": "service", "127_0_0_1_CLIENT_SECRET": oauthtest.ServiceSecret}
	r.run(q, "••••(127_0_0_1_CLIENT_ID)")
	if n := r.GrantCount("client_credentials"); n != 1 {
		t.Errorf("%d tokens for one client", n)
	}
	t.Run("by the service, and the profile that names it", func(t *testing.T) {
		r.service = tool.AuthService{Kind: "oauth2", TokenURL: r.URL + "/token", ClientID: "posting", ClientSecret: "{{secrets.P}}"}
		q := r.request("oauth2_client", tool.AuthConfig{})
		q.Tool.Extra = map[string]json.RawMessage{"auth_profile": json.RawMessage(`"crm"`)}
		q.Secrets = map[string]string{"P": oauthtest.PostingSecret}
		r.run(q, "posting")
	})
	t.Run("a header of the tool's own", func(t *testing.T) {
		q := r.serviceRequest()
		q.Tool.Spec.(*tool.HTTP).Headers = map[string]string{"authorization": "Bearer mine"}
		if e := r.ex.Run(t.Context(), q); e.OK || <-r.tokens != "mine" {
			t.Errorf("%+v", e.Error)
		}
	})
}
