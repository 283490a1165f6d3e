package http_test

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

func TestHeaders(t *testing.T) {
	s := newServer(t, nil)
	tl := a(&tool.HTTP{Method: "GET", Endpoint: "/", Headers: map[string]string{
		"x-version": "2024-01", "Accept": "text/csv", "X-User": "{{session.id}} {{n}}", "X-Gone": "{{gone}}", "X-Half": "a{{gone}}",
		"X-Tenant": "{{config.tenant}}", "Accept-Encoding": "br",
	}}, "n", "gone")
	r := s.request(tl, `{"n": 1.0}`)
	r.Session = json.RawMessage(`{"id": "ü"}`)
	r.Environment.Variables = map[string]string{"tenant": "demo"}
	succeeds(t, newExecutor().Run(t.Context(), r))
	got := s.one(t)
	for name, want := range map[string]string{
		"X-Version": "2024-01", "Accept": "text/csv", "X-User": "ü 1.0", "X-Half": "a", "X-Tenant": "demo", "Accept-Encoding": "gzip", "User-Agent": "abl-lsp",
	} {
		t.Run(name, func(t *testing.T) {
			if h := got.Header.Get(name); h != want {
				t.Errorf("%s: %q, want %q", name, h, want)
			}
		})
	}
	if _, ok := got.Header["X-Gone"]; ok || got.URI != "/" {
		t.Errorf("%+v", got)
	}
}

func TestBadHeaders(t *testing.T) {
	s := newServer(t, nil)
	for what, tt := range map[string]struct {
		name, text string
		kind       executor.ErrorKind
	}{
		"line breaks in an argument": {"X-A", "{{x}}", executor.KindArguments}, // holds a line break
		"line breaks in a secret":    {"X-A", "{{secrets.LINES}}", executor.KindArguments},
		"a blank in the name":        {"bad name", "x", executor.KindDefinition},
		"the host":                   {"Host", "other.example", executor.KindDefinition},
		"the length":                 {"content-length", "1", executor.KindDefinition},
		"the encoding":               {"transfer-encoding", "chunked", executor.KindDefinition},
		"an unknown argument":        {"X-A", "{{nobody}}", executor.KindDefinition},
	} {
		t.Run(what, func(t *testing.T) {
			r := s.request(a(&tool.HTTP{Method: "GET", Endpoint: "/", Headers: map[string]string{tt.name: tt.text}}, "x"), `{"x": "a\r\nX-Evil: 1"}`)
			r.Secrets = map[string]string{"LINES": "one\ntwo"}
			wants(t, newExecutor().Run(t.Context(), r), tt.kind)
		})
	}
	if got := s.requests(); len(got) > 0 {
		t.Errorf("sent: %+v", got)
	}
}

// TestBadAuthHeaders checks that headers which HTTP controls cannot be set through credentials
// either.
func TestBadAuthHeaders(t *testing.T) {
	s := newServer(t, nil)
	for name, spec := range map[string]*tool.HTTP{
		"Host":           {Auth: "custom", AuthConfig: &tool.AuthConfig{CustomHeaders: map[string]string{"host": "x"}}},
		"Connection":     {Auth: "custom", AuthConfig: &tool.AuthConfig{CustomHeaders: map[string]string{"X-A": "1", "Connection": "close"}}},
		"Upgrade":        {Auth: "custom", AuthConfig: &tool.AuthConfig{CustomHeaders: map[string]string{"X-A": "1", "Upgrade": "h2c"}}},
		"Content-Length": {Auth: "api_key", AuthConfig: &tool.AuthConfig{HeaderName: "Content-Length", APIKey: "1"}},
	} {
		t.Run(name, func(t *testing.T) {
			spec.Method, spec.Endpoint = "GET", "/x"
			wants(t, s.run(t, a(spec), `{}`), executor.KindDefinition)
		})
	}
}

func TestAuth(t *testing.T) {
	s := newServer(t, nil)
	secrets := map[string]string{
		"127_0_0_1_BEARER": "host-token", "127_0_0_1_API_KEY": "host-key", "OWN": "own-value\n",
	}
	tests := []struct {
		name   string
		spec   tool.HTTP
		hints  tool.Hints
		header string
		want   string
		needs  string // without secrets
	}{
		{name: "none", spec: tool.HTTP{Auth: "none"}, header: "Authorization"},
		{name: "nothing said", header: "Authorization"},
		{name: "bearer", spec: tool.HTTP{Auth: "bearer"}, header: "Authorization", want: "Bearer host-token", needs: "127_0_0_1_BEARER"},
		{name: "bearer, own token", spec: tool.HTTP{Auth: "bearer", AuthConfig: &tool.AuthConfig{Token: "{{secrets.OWN}}"}}, header: "Authorization", want: "Bearer own-value", needs: "OWN"},
		{name: "bearer, own header", spec: tool.HTTP{Auth: "bearer", Headers: map[string]string{"authorization": "Token {{secrets.OWN}}"}}, header: "Authorization", want: "Token own-value", needs: "OWN"},
		{name: "api_key", spec: tool.HTTP{Auth: "api_key"}, header: "X-Api-Key", want: "host-key", needs: "127_0_0_1_API_KEY"},
		{name: "api_key, named", spec: tool.HTTP{Auth: "api_key", AuthConfig: &tool.AuthConfig{HeaderName: "X-Partner"}}, header: "X-Partner", want: "host-key", needs: "127_0_0_1_API_KEY"},
		{name: "api_key, own", spec: tool.HTTP{Auth: "api_key", AuthConfig: &tool.AuthConfig{APIKey: "{{secrets.OWN}}"}}, header: "X-Api-Key", want: "own-value", needs: "OWN"},
		{name: "api_key, named, beside another secret", spec: tool.HTTP{Auth: "api_key", AuthConfig: &tool.AuthConfig{HeaderName: "X-Partner"}, QueryParams: tool.Pairs{{Key: "t", Value: "{{secrets.OWN}}"}}}, header: "X-Partner", want: "host-key", needs: "OWN 127_0_0_1_API_KEY"},
		{name: "api_key in the headers", spec: tool.HTTP{Auth: "api_key", Headers: map[string]string{"X-Mine": "{{secrets.OWN}}"}}, header: "X-Mine", want: "own-value", needs: "OWN"},
		{name: "custom", spec: tool.HTTP{Auth: "custom", AuthConfig: &tool.AuthConfig{CustomHeaders: map[string]string{"x-one": "a {{secrets.OWN}}"}}}, header: "X-One", want: "a own-value", needs: "OWN"},
		{name: "requires_auth", hints: tool.Hints{RequiresAuth: "true"}, header: "Authorization", want: "Bearer host-token", needs: "127_0_0_1_BEARER"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.spec.Method, tt.spec.Endpoint = "GET", "/x"
			tl := a(&tt.spec)
			tl.Hints = tt.hints
			r := s.request(tl, `{}`)
			if tt.needs != "" {
				e := newExecutor().Run(t.Context(), r)
				wants(t, e, executor.KindNeeds)
				if !slices.Equal(e.Needs.Secrets, strings.Fields(tt.needs)) {
					t.Errorf("needs %v, want %s", e.Needs.Secrets, tt.needs)
				}
			}
			r.Secrets = secrets
			e := newExecutor().Run(t.Context(), r)
			succeeds(t, e)
			if got := s.one(t).Header.Get(tt.header); got != tt.want {
				t.Errorf("%s: %q, want %q", tt.header, got, tt.want)
			}
			for _, v := range secrets {
				if v = strings.TrimSpace(v); strings.Contains(string(e.Request), v) {
					t.Errorf("request shows %q: %s", v, e.Request)
				}
			}
			for _, name := range strings.Fields(tt.needs) {
				if !strings.Contains(string(e.Request), "••••("+name+")") {
					t.Errorf("request: %s", e.Request)
				}
			}
		})
	}
	for _, spec := range []*tool.HTTP{{Auth: "oauth2_client"}, {Auth: "oauth2_user"}, {Auth: "saml"}, {Auth: "custom"}, {Auth: "kerberos"}} {
		t.Run("refused: "+spec.Auth, func(t *testing.T) {
			spec.Method, spec.Endpoint = "GET", "/x"
			if e := wants(t, s.run(t, a(spec), `{}`), executor.KindDefinition); !strings.Contains(e.Message, spec.Auth) {
				t.Errorf("%s: %s", spec.Auth, e.Message)
			}
		})
	}
}

func TestPreview(t *testing.T) {
	s := newServer(t, nil)
	tl := a(&tool.HTTP{
		Method: "POST", Endpoint: "/{a}?k={{secrets.KEY}}", Auth: "bearer",
		Headers:      map[string]string{"X-B": "{{b}}"},
		BodyTemplate: `{"x": "{{secrets.OTHER}}", "y": {{b}}}`,
	}, "a", "b")
	r := executor.Request{Tool: tl, Args: json.RawMessage(`{"a": "x/y", "b": 1.0}`), Environment: executor.Environment{BaseURL: "https://api.example.com"}}
	e := newExecutor().Preview(t.Context(), r)
	succeeds(t, e)
	want := `{"method":"POST","url":"https://api.example.com/x%2Fy?k=••••(KEY)",` +
		`"headers":{"Accept":"application/json, */*;q=0.8","Authorization":"Bearer ••••(API_EXAMPLE_COM_BEARER)","Content-Type":"application/json","User-Agent":"abl-lsp","X-B":"1.0"},` +
		`"body":{"x":"••••(OTHER)","y":1.0}}`
	if diff := cmp.Diff(want, string(e.Value)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(s.requests()) > 0 {
		t.Error("a preview was sent")
	}
	// No two bodies look the same.
	for body, want := range map[string]string{`x`: `"x"`, `"x"`: `"\"x\""`, `null`: `"null"`, `{"a": 1.50}`: `{"a":1.50}`,
		`[{"🛫": [{}, "🛫"]}, {"🛫": {"🛫": 1}}]`: `[{"🛫":[{},"🛫"]},{"🛫":{"🛫":1}}]`, `{"a": {"b": 1, "b": 2}}`: `"{\"a\": {\"b\": 1, \"b\": 2}}"`} {
		t.Run(body, func(t *testing.T) {
			tl := a(&tool.HTTP{Method: "POST", Endpoint: "/", BodyType: "text", BodyTemplate: "{{a}}", Headers: map[string]string{"Content-Type": "application/json"}}, "a")
			args, _ := json.Marshal(map[string]string{"a": body})
			e := newExecutor().Preview(t.Context(), executor.Request{Tool: tl, Args: args, Environment: r.Environment})
			succeeds(t, e)
			if !strings.HasSuffix(string(e.Value), `"body":`+want+`}`) {
				t.Errorf("%s: %s", body, e.Value)
			}
		})
	}
	// An invalid binding is reported before the person is asked.
	tl.Spec = &tool.HTTP{Method: "POST", Endpoint: "/x"}
	wants(t, newExecutor().Run(t.Context(), executor.Request{Tool: tl, Trusted: true}), executor.KindDefinition)
}

func TestBasicAuthIsRedacted(t *testing.T) {
	s := newServer(t, nil)
	pair := base64.StdEncoding.EncodeToString([]byte("me:hunter22"))
	r := s.request(a(&tool.HTTP{Method: "GET", Endpoint: "/", Headers: map[string]string{"Authorization": "Basic " + pair, "X-P": "{{secrets.PASS}}"}}), `{}`)
	r.Secrets = map[string]string{"PASS": "hunter22"}
	e := newExecutor().Run(t.Context(), r)
	succeeds(t, e)
	if strings.Contains(string(e.Request), pair) {
		t.Errorf("%s", e.Request)
	}
}

// TestASecretInEachPlace checks that a request is sent as it was shown, wherever it contains
// secrets.
func TestASecretInEachPlace(t *testing.T) {
	for name, row := range map[string]struct {
		spec            tool.HTTP
		uri, body, kind string
	}{
		"none":              {spec: tool.HTTP{}, uri: "/t?q=1", body: `{"a":1}`, kind: "application/json"},
		"a header":          {spec: tool.HTTP{Headers: map[string]string{"X-Key": "{{secrets.TYPE}}"}}, uri: "/t?q=1", body: `{"a":1}`, kind: "application/json"},
		"the URL":           {spec: tool.HTTP{Endpoint: "/{{secrets.TYPE}}"}, uri: "/text%2Fcsv?q=1", body: `{"a":1}`, kind: "application/json"},
		"the query":         {spec: tool.HTTP{QueryParams: tool.Pairs{{Key: "q", Value: "{{secrets.TYPE}}"}}}, uri: "/t?q=text%2Fcsv", body: `{"a":1}`, kind: "application/json"},
		"the body":          {spec: tool.HTTP{BodyTemplate: `{"k": "{{secrets.TYPE}}"}`}, uri: "/t?q=1", body: `{"k": "text/csv","a":1}`, kind: "application/json"},
		"the type of it":    {spec: tool.HTTP{Headers: map[string]string{"Content-Type": "{{secrets.TYPE}}"}, BodyTemplate: "{{a}}"}, uri: "/t?q=1", body: "1", kind: "text/csv"},
		"that of arguments": {spec: tool.HTTP{Headers: map[string]string{"Content-Type": "{{secrets.JSON}}"}, BodyTemplate: `{"b": 1}`}, uri: "/t?q=1", body: `{"b": 1,"a":1}`, kind: "application/json"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, nil)
			row.spec.Method = "POST"
			if row.spec.Endpoint == "" {
				row.spec.Endpoint = "/t"
			}
			if row.spec.QueryParams == nil {
				row.spec.QueryParams = tool.Pairs{{Key: "q", Value: "1"}}
			}
			r := s.request(a(&row.spec, "a"), `{"a": 1}`)
			r.Secrets = map[string]string{"TYPE": "text/csv", "JSON": "application/json"}
			succeeds(t, newExecutor().Run(t.Context(), r))
			got := s.one(t)
			if got.URI != row.uri || got.Body != row.body || got.Header.Get("Content-Type") != row.kind {
				t.Errorf("%s %s %s", got.URI, got.Body, got.Header.Get("Content-Type"))
			}
		})
	}
}
