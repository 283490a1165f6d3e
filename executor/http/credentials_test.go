package http_test

import (
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

func TestCredentials(t *testing.T) {
	s := newServer(t, nil)
	held := tool.Credential{Bearer: "{{secrets.TOKEN}}", APIKey: "{{env.key}}", Headers: map[string]string{"X-Tenant": "t-{{env.key}}"}}
	for _, tt := range []struct {
		name   string
		spec   tool.HTTP
		hints  tool.Hints
		held   tool.Credential
		header string
		want   string
	}{
		{name: "bearer", spec: tool.HTTP{Auth: "bearer"}, held: held, header: "Authorization", want: "Bearer token-1"},
		{name: "api_key", spec: tool.HTTP{Auth: "api_key"}, held: held, header: "X-Api-Key", want: "k-1"},
		{name: "headers", spec: tool.HTTP{Auth: "bearer"}, held: held, header: "X-Tenant", want: "t-k-1"},
		{name: "custom", spec: tool.HTTP{Auth: "custom"}, held: held, header: "X-Tenant", want: "t-k-1"},
		{name: "the tool's own first", spec: tool.HTTP{Auth: "bearer", AuthConfig: &tool.AuthConfig{Token: "own"}}, held: held, header: "Authorization", want: "Bearer own"},
		{name: "the tool's own headers first", spec: tool.HTTP{Auth: "bearer", Headers: map[string]string{"authorization": "Own 1", "x-tenant": "own"}}, held: held, header: "X-Tenant", want: "own"},
		{name: "the tool's own header first", spec: tool.HTTP{Auth: "bearer", Headers: map[string]string{"authorization": "Own 1"}}, held: held, header: "Authorization", want: "Own 1"},
		{name: "none", spec: tool.HTTP{Auth: "none"}, held: held, header: "Authorization"},
		{name: "nothing said", held: held, header: "X-Tenant"},
		{name: "requires_auth", hints: tool.Hints{RequiresAuth: "true"}, held: held, header: "Authorization", want: "Bearer token-1"},
		{name: "requires_auth, a key", hints: tool.Hints{RequiresAuth: "true"}, held: tool.Credential{APIKey: "k-2"}, header: "X-Api-Key", want: "k-2"},
		{name: "requires_auth, headers", hints: tool.Hints{RequiresAuth: "true"}, held: tool.Credential{Headers: map[string]string{"X-A": "a-1"}}, header: "X-A", want: "a-1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.spec.Method, tt.spec.Endpoint = "GET", "/x"
			tl := a(&tt.spec)
			tl.Hints = tt.hints
			r := s.request(tl, `{}`)
			r.Secrets = map[string]string{"TOKEN": "token-1"}
			r.Environment.Variables = map[string]string{"key": "k-1"}
			r.Environment.Credentials = executor.Credentials{s.addr(): tt.held}
			e := newExecutor().Run(t.Context(), r)
			succeeds(t, e)
			if got := s.one(t).Header.Get(tt.header); got != tt.want {
				t.Errorf("%s: %q, want %q", tt.header, got, tt.want)
			}
			if strings.Contains(string(e.Request), "token-1") {
				t.Errorf("%s", e.Request)
			}
		})
	}
}

// TestCredentialsOfAnotherHost checks that a credential is sent only to its host. For another host
// the secret named after that host is used.
func TestCredentialsOfAnotherHost(t *testing.T) {
	s := newServer(t, nil)
	r := s.request(a(&tool.HTTP{Method: "GET", Endpoint: "/x", Auth: "bearer"}), `{}`)
	r.Environment.Credentials = executor.Credentials{"127.0.0.1:1": {Bearer: "no"}, "*.0.0.2": {Bearer: "no"}}
	e := newExecutor().Run(t.Context(), r)
	if wants(t, e, executor.KindNeeds); !slices.Equal(e.Needs.Secrets, []string{"127_0_0_1_BEARER"}) {
		t.Errorf("%q", e.Needs.Secrets)
	}
}

func TestBaseURLOfTheProject(t *testing.T) {
	s := newServer(t, nil)
	r := s.request(a(&tool.HTTP{Method: "GET", Endpoint: "/x"}), `{}`)
	r.Environment.BaseURL = "http://{{env.host}}/{{secrets.PART}}"
	r.Environment.Variables = map[string]string{"host": s.addr()}
	if e := newExecutor().Run(t.Context(), r); e.Needs == nil || !slices.Equal(e.Needs.Secrets, []string{"PART"}) {
		t.Errorf("%+v", e.Error)
	}
	r.Secrets = map[string]string{"PART": "part-1"}
	succeeds(t, newExecutor().Run(t.Context(), r))
	if got := s.one(t); got.URI != "/part-1/x" {
		t.Errorf("%+v", got)
	}
}

func TestResponseLimitOfTheProject(t *testing.T) {
	s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) { _, _ = w.Write([]byte(strings.Repeat("x", 2000))) })
	r := s.request(a(&tool.HTTP{Method: "GET", Endpoint: "/x"}), `{}`)
	r.Environment.Limits.ResponseBytes = 1999
	if e := wants(t, newExecutor().Run(t.Context(), r), executor.KindLimit); !strings.Contains(e.Message, "1999 bytes") {
		t.Error(e.Message)
	}
	r.Environment.Limits.ResponseBytes = 2000
	succeeds(t, newExecutor().Run(t.Context(), r))
}

func TestDeniedHosts(t *testing.T) {
	target := newServer(t, nil)
	s := newServer(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		nethttp.Redirect(w, r, target.URL+"/y", nethttp.StatusFound)
	})
	r := s.request(a(&tool.HTTP{Method: "GET", Endpoint: "/x"}), `{}`)
	r.AllowHosts = []string{"127.0.0.1"}
	deny := func(op, resource string) {
		r.Environment.Permissions.Deny = []tool.Permission{{Kind: "web", Op: op, Resource: resource}}
	}
	for name, resource := range map[string]string{
		"the host and its port": s.addr(),
		"the host":              "127.0.0.1",
		"a pattern":             "127.*",
	} {
		t.Run(name, func(t *testing.T) {
			deny("get", resource)
			wants(t, newExecutor().Run(t.Context(), r), executor.KindDenied)
		})
	}
	if len(s.requests()) > 0 {
		t.Error("it was asked")
	}
	deny("get", target.addr()) // where it is led to
	wants(t, newExecutor().Run(t.Context(), r), executor.KindDenied)
	if len(target.requests()) > 0 {
		t.Error("the redirect was followed")
	}
	deny("post", "*")
	succeeds(t, newExecutor().Run(t.Context(), r))
}

// TestWrittenOut checks that a credential in plain text, in the project's file or the tool's, is a
// secret. It appears neither in the shown request nor in an answer that repeats it, with or
// without its authentication scheme.
func TestWrittenOut(t *testing.T) {
	s := newServer(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		values := map[string]string{}
		for name := range r.Header {
			values[name+": "+r.Header.Get(name)] = executor.WithoutAuthScheme(r.Header.Get(name))
		}
		_ = json.NewEncoder(w).Encode(values)
	})
	const secret = "written-out-42"
	for name, tt := range map[string]struct {
		spec tool.HTTP
		held tool.Credential
	}{
		"bearer":            {tool.HTTP{Auth: "bearer"}, tool.Credential{Bearer: secret}},
		"api_key":           {tool.HTTP{Auth: "api_key"}, tool.Credential{APIKey: secret}},
		"a header":          {tool.HTTP{Auth: "custom"}, tool.Credential{Headers: map[string]string{"X-A": secret}}},
		"with its scheme":   {tool.HTTP{Auth: "custom"}, tool.Credential{Headers: map[string]string{"Authorization": "Bearer " + secret}}},
		"the tool's token":  {tool.HTTP{Auth: "bearer", AuthConfig: &tool.AuthConfig{Token: secret}}, tool.Credential{}},
		"the tool's key":    {tool.HTTP{Auth: "api_key", AuthConfig: &tool.AuthConfig{APIKey: secret, HeaderName: "X-Who"}}, tool.Credential{}},
		"the tool's custom": {tool.HTTP{Auth: "custom", AuthConfig: &tool.AuthConfig{CustomHeaders: map[string]string{"X-Who": secret}}}, tool.Credential{}},
		"the tool's header": {tool.HTTP{Headers: map[string]string{"Authorization": "Bearer " + secret}}, tool.Credential{}},
	} {
		t.Run(name, func(t *testing.T) {
			tt.spec.Method, tt.spec.Endpoint = "GET", "/x"
			r := s.request(a(&tt.spec), `{}`)
			r.Environment.Credentials = executor.Credentials{s.addr(): tt.held}
			x := newExecutor()
			for name, e := range map[string]executor.Envelope{
				"preview": x.Preview(t.Context(), r),
				"run":     x.Run(t.Context(), r),
			} {
				t.Run(name, func(t *testing.T) {
					succeeds(t, e)
					if text, err := json.Marshal(e); err != nil || strings.Contains(string(text), secret) || !strings.Contains(string(text), "••••(") {
						t.Errorf("%s %v", text, err)
					}
				})
			}
			if got := s.one(t); !strings.Contains(fmt.Sprint(got.Header), secret) {
				t.Errorf("%+v", got)
			}
		})
	}
}
