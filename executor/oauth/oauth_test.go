package oauth_test

import (
	"context"
	"encoding/json"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// fixture is an executor with an OAuth server, and an API that accepts its tokens.
type fixture struct {
	*oauthtest.Server
	t       *testing.T
	api     *httptest.Server
	ex      *executor.Executor
	service tool.AuthService // called crm
	root    string
	refuse  func(token string) bool // by the API; nil: only what the server does not know
	tokens  chan string             // that the API got
}

func newFixture(t *testing.T, environment ...string) *fixture {
	t.Helper()
	r := &fixture{Server: oauthtest.Start(t, environment...), t: t, tokens: make(chan string, 1000)}
	r.api = httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, q *nethttp.Request) {
		token := strings.TrimPrefix(q.Header.Get("Authorization"), "Bearer ")
		r.tokens <- token
		if r.refuse != nil && r.refuse(token) {
			w.WriteHeader(nethttp.StatusUnauthorized)
			return
		}
		r.ServeAPI(w, q)
	}))
	t.Cleanup(r.api.Close)
	r.ex = newExecutor(t)
	r.service = tool.AuthService{
		Kind: "oauth2", ClientID: "desktop", Scopes: []string{"openid", "read"},
		AuthorizationURL: r.URL + "/auth", TokenURL: r.URL + "/token",
	}
	return r
}

func kinds() map[tool.Kind]executor.Runner {
	return map[tool.Kind]executor.Runner{tool.KindHTTP: http.New(rest.Options{})}
}

func newExecutor(t *testing.T) *executor.Executor {
	ex := executor.New(executor.Options{
		Runners:   kinds(),
		LookupEnv: func(string) (string, bool) { return "", false },
	})
	t.Cleanup(func() {
		if err := ex.Close(); err != nil {
			t.Error(err)
		}
	})
	return ex
}

// request returns a call that asks the API who is signed in, with that auth.
func (r *fixture) request(auth string, config tool.AuthConfig) executor.Request {
	tl := &tool.Tool{Name: "whoami", Kind: tool.KindHTTP, Spec: &tool.HTTP{
		Method: "GET", Endpoint: r.api.URL + "/me", Auth: auth, AuthConfig: &config,
	}}
	return executor.Request{
		Tool: tl, Trusted: true, Yes: true, AllowHosts: []string{"127.0.0.1"},
		Environment: executor.Environment{Root: r.root, AuthServices: map[string]tool.AuthService{"crm": r.service}},
	}
}

func (r *fixture) serviceRequest() executor.Request {
	q := r.request("oauth2_client", tool.AuthConfig{
		TokenURL: r.URL + "/token", ClientID: "service", ClientSecret: "{{secrets.CRM}}", Scopes: "read",
	})
	q.Secrets = map[string]string{"CRM": oauthtest.ServiceSecret}
	return q
}

func (r *fixture) userRequest() executor.Request {
	return r.request("oauth2_user", tool.AuthConfig{Provider: "crm"})
}

// run makes a call that must succeed, and returns who is signed in.
func (r *fixture) run(q executor.Request, who string) executor.Envelope {
	r.t.Helper()
	e := r.ex.Run(r.t.Context(), q)
	if !e.OK {
		r.t.Fatalf("%s %s: %s", e.Error.Kind, e.Error.Code, e.Error.Message)
	}
	var token struct{ Who string }
	if err := json.Unmarshal(e.Value, &token); err != nil || token.Who != who {
		r.t.Errorf("%s, want %s (%v)", e.Value, who, err)
	}
	r.clean(e)
	return e
}

// fails makes a call that must fail with such an error.
func (r *fixture) fails(q executor.Request, kind executor.ErrorKind, code string) executor.Envelope {
	r.t.Helper()
	e := r.ex.Run(r.t.Context(), q)
	if e.OK || e.Error.Kind != kind || e.Error.Code != code {
		r.t.Fatalf("%+v, want %s %s", e.Error, kind, code)
	}
	r.clean(e)
	return e
}

// clean checks that an envelope contains neither a token that the API got nor a client's secret.
func (r *fixture) clean(e executor.Envelope) {
	r.t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		r.t.Fatal(err)
	}
	hidden := []string{oauthtest.ServiceSecret, oauthtest.ConfidentialSecret}
	for len(r.tokens) > 0 {
		hidden = append(hidden, <-r.tokens)
	}
	for _, s := range hidden {
		if s != "" && strings.Contains(string(text), s) {
			r.t.Errorf("%q stands in %s", s, text)
		}
	}
}

// browser returns a function that signs a person in when a run opens a page.
func browser(p *oauthtest.Person, pages chan<- string) func(context.Context, string) error {
	return func(_ context.Context, page string) error {
		go func() {
			text, err := p.SignIn(page)
			if err != nil {
				text = err.Error()
			}
			pages <- text
		}()
		return nil
	}
}
