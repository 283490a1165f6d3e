package oauth_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// odd is a token endpoint that behaves as no real one does, with an API that must never be called.
func odd(t *testing.T, answer nethttp.HandlerFunc) (q executor.Request, host string) {
	t.Helper()
	token := httptest.NewServer(answer)
	t.Cleanup(token.Close)
	api := httptest.NewServer(nethttp.HandlerFunc(func(_ nethttp.ResponseWriter, r *nethttp.Request) {
		t.Errorf("the API was asked: %v", r.Header)
	}))
	t.Cleanup(api.Close)
	tl := &tool.Tool{Name: "whoami", Kind: tool.KindHTTP, Spec: &tool.HTTP{
		Method: "GET", Endpoint: api.URL, Auth: "oauth2_client",
		AuthConfig: &tool.AuthConfig{TokenURL: token.URL + "/token", ClientID: "me", ClientSecret: "{{secrets.CRM}}"},
	}}
	return executor.Request{
		Tool: tl, Trusted: true, Yes: true, AllowHosts: []string{"127.0.0.1"}, Secrets: map[string]string{"CRM": "crm-secret-42"},
	}, token.Listener.Addr().String()
}

func respondWith(status int, media, body string) nethttp.HandlerFunc {
	return func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func TestOddAnswers(t *testing.T) {
	flood := func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"access_token": "`)
		chunk := strings.Repeat("x", 1<<20)
		for range 64 {
			if _, err := fmt.Fprint(w, chunk); err != nil {
				return
			}
		}
	}
	elsewhere := httptest.NewServer(nethttp.HandlerFunc(func(nethttp.ResponseWriter, *nethttp.Request) { t.Error("it was followed") }))
	t.Cleanup(elsewhere.Close)
	for _, tt := range []struct {
		name   string
		answer nethttp.HandlerFunc
		kind   executor.ErrorKind
		code   string
		says   string
	}{
		{"a flood", flood, executor.KindLimit, "response-size", "larger than 1 MB"},
		{"a redirect", func(w nethttp.ResponseWriter, r *nethttp.Request) {
			nethttp.Redirect(w, r, elsewhere.URL, nethttp.StatusTemporaryRedirect)
		}, executor.KindDenied, "token-redirect", "redirects to " + elsewhere.Listener.Addr().String()},
		{"no JSON", respondWith(200, "text/html", "<h1>Welcome</h1>"), executor.KindRemote, "no-token", "without an access token"},
		{"nothing", respondWith(200, "application/json", ""), executor.KindRemote, "no-token", "without an access token"},
		{"JSON without a token", respondWith(200, "application/json", `{"hello": 1}`), executor.KindRemote, "no-token", "without an access token"},
		{"a page that says no", respondWith(404, "text/html", "no such page"), executor.KindRemote, "token-refused", "404 Not Found"},
		{"a lie", respondWith(200, "application/json", `{"error": "invalid_scope", "error_description": "no such scope"}`), executor.KindRemote, "token-refused", "invalid_scope: no such scope"},
		{"the secret", respondWith(400, "application/json", `{"error": "crm-secret-42", "error_description": "Y3JtLXNlY3JldC00Mg=="}`), executor.KindRemote, "token-refused", "••••(CRM)"},
		{"the secret where the text is cut", respondWith(400, "application/json", `{"error": "no", "error_description": "`+strings.Repeat("x", 285)+`crm-secret-42"}`), executor.KindRemote, "token-refused", "xxx"},
		{"another type", respondWith(200, "application/json", `{"access_token": "abcdefgh", "token_type": "DPoP"}`), executor.KindRemote, "token-type", "DPoP"},
		{"nobody", func(nethttp.ResponseWriter, *nethttp.Request) { panic(nethttp.ErrAbortHandler) }, executor.KindNetwork, "connect", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q, host := odd(t, tt.answer)
			e := newExecutor(t).Run(t.Context(), q)
			if e.OK || e.Error.Kind != tt.kind || e.Error.Code != tt.code {
				t.Fatalf("%+v", e.Error)
			}
			if !strings.Contains(e.Error.Message, tt.says) || !strings.Contains(e.Error.Message, host) || strings.Contains(e.Error.Message, "crm-secret") {
				t.Error(e.Error.Message)
			}
		})
	}
}

// TestRetriedEndpoint checks that a call is retried if no token came, even if it changes something,
// because the API received nothing.
func TestRetriedEndpoint(t *testing.T) {
	var n atomic.Int64
	q, _ := odd(t, func(nethttp.ResponseWriter, *nethttp.Request) {
		n.Add(1)
		panic(nethttp.ErrAbortHandler)
	})
	spec := q.Tool.Spec.(*tool.HTTP)
	spec.Method, spec.Retry, spec.RetryDelay = "POST", "2", "1"
	if e := newExecutor(t).Run(t.Context(), q); e.OK || len(e.Attempts) != 3 {
		t.Errorf("%d attempts, %+v", len(e.Attempts), e.Error)
	}
}

// TestGuardedEndpoint checks that a private token endpoint is refused like any private host, and
// that the project's denials apply to it.
func TestGuardedEndpoint(t *testing.T) {
	q, host := odd(t, func(nethttp.ResponseWriter, *nethttp.Request) { t.Error("it was asked") })
	api := strings.TrimPrefix(q.Tool.Spec.(*tool.HTTP).Endpoint, "http://")
	q.AllowHosts = []string{api}
	e := newExecutor(t).Run(t.Context(), q)
	if e.OK || e.Error.Kind != executor.KindDenied || e.Error.Details["host"] != host {
		t.Errorf("%+v", e.Error)
	}
	q.AllowHosts = []string{"127.0.0.1"}
	for name, p := range map[string]tool.Permission{
		"the request": {Kind: "web", Op: "post", Resource: host},
		"the secret":  {Kind: "secret", Op: "send", Resource: "CRM 127.*"},
	} {
		t.Run(name, func(t *testing.T) {
			q.Environment.Permissions.Deny = []tool.Permission{p}
			if e := newExecutor(t).Run(t.Context(), q); e.OK || e.Error.Code != "permission" {
				t.Errorf("%v: %+v", p, e.Error)
			}
		})
	}
}

// TestReceiversOfTheSecret checks that the question whether a secret may be sent names the host that
// issues the tokens. It names the API's host only if that receives the secret, too.
func TestReceiversOfTheSecret(t *testing.T) {
	tl := &tool.Tool{Name: "whoami", Kind: tool.KindHTTP, Spec: &tool.HTTP{
		Method: "GET", Endpoint: "https://api.example.com/me", Auth: "oauth2_client",
		AuthConfig: &tool.AuthConfig{
			TokenURL: "https://{{env.login}}/{{secrets.TENANT}}/token", ClientID: "me", ClientSecret: "{{secrets.CRM}}", Scopes: "{{secrets.BOTH}}",
		},
		Headers: map[string]string{"X-A": "{{secrets.BOTH}}", "X-B": "{{secrets.OTHER}}"},
	}}
	q := executor.Request{Tool: tl, Trusted: true, AskSecrets: true, Environment: executor.Environment{Variables: map[string]string{"login": "login.example.net"}}}
	env := map[string]string{"CRM": "1", "TENANT": "2", "BOTH": "3", "OTHER": "4"}
	ex := executor.New(executor.Options{
		Runners:   kinds(),
		LookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
	})
	defer ex.Close()
	e := ex.Run(t.Context(), q)
	if e.Needs == nil {
		t.Fatalf("%+v", e.Error)
	}
	var got []string
	for _, p := range e.Needs.Permission {
		got = append(got, p.Resource)
	}
	slices.Sort(got)
	want := []string{"BOTH api.example.com", "BOTH login.example.net", "CRM login.example.net", "OTHER api.example.com", "TENANT login.example.net"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPreview(t *testing.T) {
	q, _ := odd(t, func(nethttp.ResponseWriter, *nethttp.Request) { t.Error("it was asked") })
	q.Secrets, q.Trusted, q.Yes = nil, false, false
	e := newExecutor(t).Preview(t.Context(), q)
	if !e.OK || !strings.Contains(string(e.Value), `"Authorization":"Bearer ••••(access token)"`) {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
}

// TestSAML checks that an assertion is exchanged as RFC 7522 says. No package offers a server for
// that, so this one replaces it. It does not check the signature of the assertion.
func TestSAML(t *testing.T) {
	const assertion = `<Assertion xmlns="urn:oasis:names:tc:SAML:2.0:assertion"><Subject>ÿ~alice?</Subject></Assertion>`
	standard := base64.StdEncoding.EncodeToString([]byte(assertion))
	var form map[string][]string
	login := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		form = r.PostForm
		text, err := base64.RawURLEncoding.DecodeString(form["assertion"][0])
		if form["grant_type"][0] != "urn:ietf:params:oauth:grant-type:saml2-bearer" || err != nil || string(text) != assertion {
			respondWith(400, "application/json", `{"error": "invalid_grant"}`)(w, r)
			return
		}
		respondWith(200, "application/json", `{"access_token": "token-for-alice", "token_type": "Bearer", "expires_in": 600}`)(w, r)
	}))
	defer login.Close()
	api := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer token-for-alice" {
			t.Error(got)
		}
		respondWith(200, "application/json", `"token-for-alice"`)(w, r)
	}))
	defer api.Close()
	ex := newExecutor(t)
	q := executor.Request{
		Trusted: true, AllowHosts: []string{"127.0.0.1"},
		Tool: &tool.Tool{Name: "whoami", Kind: tool.KindHTTP, Spec: &tool.HTTP{
			Method: "GET", Endpoint: api.URL, Auth: "saml", AuthConfig: &tool.AuthConfig{Provider: "sso"},
		}},
		Environment: executor.Environment{AuthServices: map[string]tool.AuthService{
			"sso": {Kind: "saml", TokenURL: login.URL, Assertion: "{{secrets.ASSERTION}}"},
		}},
	}
	for _, written := range []string{assertion, standard, standard[:20] + "\n" + standard[20:]} {
		t.Run(written, func(t *testing.T) {
			q.Secrets = map[string]string{"ASSERTION": written}
			e := ex.Run(t.Context(), q)
			if !e.OK || string(e.Value) != `"••••(access token)"` {
				t.Errorf("%s %+v", e.Value, e.Error)
			}
			if len(form["client_id"]) > 0 {
				t.Errorf("%v", form)
			}
		})
	}
	q.Secrets = map[string]string{"ASSERTION": "<Another/>"}
	if e := ex.Run(t.Context(), q); e.OK || e.Error.Code != "token-refused" {
		t.Errorf("%+v", e.Error)
	}
}

// TestDefinition checks that the error names a missing setting, and where to set it.
func TestDefinition(t *testing.T) {
	services := map[string]tool.AuthService{
		"half": {Kind: "oauth2", TokenURL: "https://login.example.com/token"},
		"crm":  {Kind: "oauth2", TokenURL: "https://login.example.com/token", AuthorizationURL: "https://login.example.com/auth"},
		"away": {Kind: "oauth2", TokenURL: "https://login.example.com/token", AuthorizationURL: "https://login.example.com/auth", RedirectURL: "http://evil.example.com/callback"},
		"tls":  {Kind: "oauth2", TokenURL: "https://login.example.com/token", AuthorizationURL: "https://login.example.com/auth", RedirectURL: "https://127.0.0.1/callback"},
		"sso":  {Kind: "saml", TokenURL: "https://login.example.com/token", Assertion: "x"},
	}
	for _, tt := range []struct {
		auth   string
		config tool.AuthConfig
		says   string
	}{
		{"oauth2_client", tool.AuthConfig{}, "auth_config.token_url"},
		{"oauth2_user", tool.AuthConfig{TokenURL: "https://login.example.com/token"}, "authorization_url"},
		{"oauth2_user", tool.AuthConfig{Provider: "half"}, "authorization_url"},
		{"oauth2_user", tool.AuthConfig{Provider: "crn"}, "away, crm, half, sso, tls"},
		{"oauth2_user", tool.AuthConfig{Provider: "sso"}, "kind: saml"},
		{"saml", tool.AuthConfig{Provider: "crm"}, "kind: oauth2"},
		{"saml", tool.AuthConfig{}, "kind: saml"},
		{"oauth2_user", tool.AuthConfig{Provider: "away"}, "auth_services.away.redirect_url"},
		{"oauth2_user", tool.AuthConfig{Provider: "tls"}, "auth_services.tls.redirect_url"},
		{"oauth2_client", tool.AuthConfig{TokenURL: "login.example.com/token"}, "auth_config.token_url"},
		{"oauth2_client", tool.AuthConfig{TokenURL: "file:///etc/passwd"}, "auth_config.token_url"},
		{"oauth2_client", tool.AuthConfig{TokenURL: "https://{{host}}/token"}, "auth_config.token_url: {{host}}"},
		{"oauth2_client", tool.AuthConfig{TokenURL: "https://{{secrets.HOST}}/token"}, "auth_config.token_url: {{secrets.HOST}}"},
		{"oauth2_client", tool.AuthConfig{TokenURL: "https://{{env.NONE}}/token"}, "auth_config.token_url: {{env.NONE}}"},
	} {
		t.Run(tt.auth, func(t *testing.T) {
			spec := &tool.HTTP{Method: "GET", Endpoint: "https://api.example.com", Auth: tt.auth, AuthConfig: &tt.config}
			tl := &tool.Tool{Name: "whoami", Kind: tool.KindHTTP, Spec: spec, Params: []tool.Param{{Name: "host", Type: &tool.Type{Name: "string"}, Optional: true}}}
			e := newExecutor(t).Run(t.Context(), executor.Request{
				Tool: tl, Trusted: true, Environment: executor.Environment{AuthServices: services},
				Secrets: map[string]string{"HOST": "login.example.com", "API_EXAMPLE_COM_CLIENT_ID": "a", "API_EXAMPLE_COM_CLIENT_SECRET": "b"},
			})
			if e.OK || e.Error.Kind != executor.KindDefinition || !strings.Contains(e.Error.Message+" "+e.Error.Hint, tt.says) {
				t.Errorf("%s %+v: %+v", tt.auth, tt.config, e.Error)
			}
		})
	}
}

// TestCancelledFetch checks that a call that waits for a token ends when it is cancelled, and the
// request for the token with it.
func TestCancelledFetch(t *testing.T) {
	requested, ended := make(chan struct{}), make(chan struct{})
	q, _ := odd(t, func(_ nethttp.ResponseWriter, r *nethttp.Request) {
		_ = r.ParseForm()
		close(requested)
		<-r.Context().Done()
		close(ended)
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-requested
		cancel()
	}()
	if e := newExecutor(t).Run(ctx, q); e.OK || e.Error.Code != "cancelled" {
		t.Errorf("%+v", e.Error)
	}
	<-ended
}

// TestDiscovery checks that the metadata of an issuer is accepted only for that issuer, and only
// in the form that OpenID Connect requires.
func TestDiscovery(t *testing.T) {
	for _, tt := range []struct {
		name, document string
		kind           executor.ErrorKind
		code           string
	}{
		{"tokens elsewhere", `{"issuer": "ISSUER", "authorization_endpoint": "ISSUER/auth", "token_endpoint": "http://login.example.com/token"}`, executor.KindDenied, "token-host"},
		{"no token endpoint", `{"issuer": "ISSUER", "authorization_endpoint": "ISSUER/auth"}`, executor.KindDenied, "token-host"},
		{"another issuer", `{"issuer": "https://login.example.com", "token_endpoint": "ISSUER/token"}`, executor.KindRemote, "discovery"},
		{"no document", `<h1>Welcome</h1>`, executor.KindRemote, "discovery"},
		{"a page that is none", `{"issuer": "ISSUER", "authorization_endpoint": "file:///etc/passwd", "token_endpoint": "ISSUER/token"}`, executor.KindRemote, "sign-in"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var issuer string
			q, host := odd(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
				respondWith(200, "application/json", strings.ReplaceAll(tt.document, "ISSUER", issuer))(w, r)
			})
			issuer = "http://" + host
			spec := q.Tool.Spec.(*tool.HTTP)
			spec.Auth, spec.AuthConfig = "oauth2_user", &tool.AuthConfig{Provider: "oidc"}
			q.Environment.AuthServices = map[string]tool.AuthService{"oidc": {Kind: "oidc", Issuer: issuer, ClientID: "me"}}
			if e := newExecutor(t).Run(t.Context(), q); e.OK || e.Error.Kind != tt.kind || e.Error.Code != tt.code {
				t.Errorf("%+v", e.Error)
			}
		})
	}
}

// TestGoogle checks that the URLs of Google are known.
func TestGoogle(t *testing.T) {
	tl := &tool.Tool{Name: "whoami", Kind: tool.KindHTTP, Spec: &tool.HTTP{
		Method: "GET", Endpoint: "https://api.example.com/me", Auth: "oauth2_user", AuthConfig: &tool.AuthConfig{Provider: "g"},
	}}
	q := executor.Request{Tool: tl, Trusted: true, Secrets: map[string]string{"GOOGLE": "google-secret"}}
	q.Environment.AuthServices = map[string]tool.AuthService{"g": {Kind: "google", ClientID: "me", ClientSecret: "{{secrets.GOOGLE}}"}}
	for _, resource := range []string{"oauth2.googleapis.com", "accounts.google.com"} {
		t.Run(resource, func(t *testing.T) {
			q.Environment.Permissions.Deny = []tool.Permission{{Kind: "web", Resource: resource}}
			if e := newExecutor(t).Run(t.Context(), q); e.OK || e.Error.Code != "permission" {
				t.Errorf("%s: %+v", resource, e.Error)
			}
		})
	}
	q.Environment.Permissions.Deny = []tool.Permission{{Kind: "secret", Resource: "GOOGLE oauth2.googleapis.com"}}
	if e := newExecutor(t).Run(t.Context(), q); e.OK || e.Error.Code != "permission" {
		t.Errorf("%+v", e.Error)
	}
}

// TestWrittenOut checks that a client secret and an assertion in plain text are secrets, also in
// the form in which an endpoint may return them.
func TestWrittenOut(t *testing.T) {
	const secret, assertion = "written-out-42", "PHNhbWw+YWxpY2U/fj4+Pz8/"
	echo := func(w nethttp.ResponseWriter, r *nethttp.Request) {
		user, password, _ := r.BasicAuth()
		sent := user + " " + password + " " + r.Header.Get("Authorization") + " " + r.FormValue("client_secret") + " " + r.FormValue("assertion")
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(nethttp.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": "invalid_grant", "error_description": sent})
	}
	sent := strings.NewReplacer("+", "-", "/", "_").Replace(assertion)
	for name, change := range map[string]func(*executor.Request, *tool.HTTP){
		"the tool": func(_ *executor.Request, s *tool.HTTP) { s.AuthConfig.ClientSecret = secret },
		"the service": func(q *executor.Request, s *tool.HTTP) {
			service := tool.AuthService{Kind: "oauth2", TokenURL: s.AuthConfig.TokenURL, ClientID: "me", ClientSecret: secret}
			q.Environment.AuthServices = map[string]tool.AuthService{"crm": service}
			s.AuthConfig = &tool.AuthConfig{Provider: "crm"}
		},
		"an assertion": func(q *executor.Request, s *tool.HTTP) {
			service := tool.AuthService{Kind: "saml", TokenURL: s.AuthConfig.TokenURL, Assertion: assertion}
			q.Environment.AuthServices = map[string]tool.AuthService{"crm": service}
			s.Auth, s.AuthConfig = "saml", &tool.AuthConfig{Provider: "crm"}
		},
		"an assertion that is a secret": func(q *executor.Request, s *tool.HTTP) {
			service := tool.AuthService{Kind: "saml", TokenURL: s.AuthConfig.TokenURL, Assertion: "{{secrets.A}}"}
			q.Environment.AuthServices, q.Secrets = map[string]tool.AuthService{"crm": service}, map[string]string{"A": assertion}
			s.Auth, s.AuthConfig = "saml", &tool.AuthConfig{Provider: "crm"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			q, _ := odd(t, echo)
			change(&q, q.Tool.Spec.(*tool.HTTP))
			e := newExecutor(t).Run(t.Context(), q)
			if e.OK || e.Error.Code != "token-refused" {
				t.Fatalf("%+v", e.Error)
			}
			text, err := json.Marshal(e)
			if err != nil || strings.Contains(string(text), secret) || strings.Contains(string(text), assertion) || strings.Contains(string(text), sent) || !strings.Contains(string(text), "••••(") {
				t.Errorf("%s %v", text, err)
			}
		})
	}
}
