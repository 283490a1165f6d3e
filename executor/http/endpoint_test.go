package http_test

import (
	"encoding/json"
	nethttp "net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestPathParameters checks that any argument stays within its path segment.
func TestPathParameters(t *testing.T) {
	s := newServer(t, nil)
	tests := []struct{ value, want string }{
		{"42", "/hotels/42/rooms"},
		{"a b", "/hotels/a%20b/rooms"},
		{"//evil", "/hotels/%2F%2Fevil/rooms"},
		{"//evil.example/x", "/hotels/%2F%2Fevil.example%2Fx/rooms"},
		{"http://evil.example", "/hotels/http%3A%2F%2Fevil.example/rooms"},
		{"../admin", "/hotels/..%2Fadmin/rooms"},
		{"a/../../b", "/hotels/a%2F..%2F..%2Fb/rooms"},
		{"..\\admin", "/hotels/..%5Cadmin/rooms"},
		{"...", "/hotels/.../rooms"},
		{"x?admin=1", "/hotels/x%3Fadmin%3D1/rooms"},
		{"x#y", "/hotels/x%23y/rooms"},
		{"@host", "/hotels/%40host/rooms"},
		{"%2f..", "/hotels/%252f../rooms"},
		{"%2e%2e", "/hotels/%252e%252e/rooms"},
		{";p=1&q:,+$!*'()", "/hotels/%3Bp%3D1%26q%3A%2C%2B%24%21%2A%27%28%29/rooms"},
		{"\r\nX-Evil: 1", "/hotels/%0D%0AX-Evil%3A%201/rooms"},
		{"\x00", "/hotels/%00/rooms"},
		{"{{secrets.X}}", "/hotels/%7B%7Bsecrets.X%7D%7D/rooms"},
		{"{id}", "/hotels/%7Bid%7D/rooms"},
		{"zürich", "/hotels/z%C3%BCrich/rooms"},
	}
	for _, tt := range tests {
		t.Run(tt.value, func(t *testing.T) {
			args, err := json.Marshal(map[string]any{"id": tt.value})
			if err != nil {
				t.Fatal(err)
			}
			succeeds(t, s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/hotels/{id}/rooms"}, "id"), string(args)))
			if got := s.one(t); got.URI != tt.want || got.Host != s.addr() {
				t.Errorf("%q: %s at %s, want %s", tt.value, got.URI, got.Host, tt.want)
			}
		})
	}
	for name, tt := range map[string]struct{ endpoint, args string }{
		"two dots":                        {"/hotels/{id}", `{"id": ".."}`},
		"one dot":                         {"/hotels/{id}", `{"id": "."}`},
		"nothing":                         {"/hotels/{id}", `{"id": ""}`},
		"no argument":                     {"/hotels/{id}", `{}`},
		"null":                            {"/hotels/{id}", `{"id": null}`},
		"two dots from a dot and one":     {"/hotels/.{id}/x", `{"id": "."}`},
		"two dots from one twice":         {"/hotels/{id}{id}/x", `{"id": "."}`},
		"two dots from an escape and one": {"/hotels/%2e{id}/x", `{"id": "."}`},
		"two dots in braces":              {"/{{id}}", `{"id": ".."}`},
	} {
		t.Run(name, func(t *testing.T) {
			wants(t, s.run(t, a(&tool.HTTP{Method: "DELETE", Endpoint: tt.endpoint}, "id"), tt.args), executor.KindArguments)
		})
	}
	if got := s.requests(); len(got) > 0 {
		t.Errorf("sent: %+v", got)
	}
}

func TestEndpoints(t *testing.T) {
	s := newServer(t, nil)
	tests := []struct{ base, endpoint, args, want string }{
		{s.URL + "/v1", "/search", `{}`, "/v1/search"},
		{s.URL + "/v1/", "search", `{}`, "/v1/search"},
		{s.URL + "/v1", "?a=1", `{}`, "/v1?a=1"},
		{s.URL, "/", `{}`, "/"},
		{s.URL, "//evil.example/x", `{}`, "/evil.example/x"},
		{s.URL, "/a/../b", `{}`, "/a/../b"},
		{"https://unused.example", s.URL + "/x", `{}`, "/x"},
		{"", "/from/environment", `{}`, "/from/environment"},
		{"", "{{env.root}}/y", `{}`, "/y"},
		{"", "{{config.root}}/{{ env.tenant }}/{x}", `{"x": 1}`, "/demo/1"},
		{"", "/p/{x}/{{x}}/{{input.x}}", `{"x": "a/b"}`, "/p/a%2Fb/a%2Fb/a%2Fb"},
		{"", "/p/{x.y[0]}", `{"x": {"y": [7]}}`, "/p/7"},
		{"", "/s/{{session.user.id}}", `{}`, "/s/u%2F7"},
		{"", "/bot{{secrets.BOT}}/send", `{}`, "/bots3cret%3A%2F/send"},
		{"", "/q?x={x}&y=1", `{"x": "1&y=2#3"}`, "/q?x=1%26y%3D2%233&y=1"},
		{"", "/q?x={x}", `{}`, "/q?x="},
		{"", "/n/{x}", `{"x": 12345678901234567890}`, "/n/12345678901234567890"},
		{"", "/f#part", `{}`, "/f"},
		{"", "/ä ö", `{}`, "/%C3%A4%20%C3%B6"},
	}
	for _, tt := range tests {
		t.Run(tt.endpoint, func(t *testing.T) {
			r := s.request(a(&tool.HTTP{Method: "GET", BaseURL: tt.base, Endpoint: tt.endpoint}, "x"), tt.args)
			r.Environment.Variables = map[string]string{"root": s.URL, "tenant": "demo"}
			r.Session = json.RawMessage(`{"user.id": "u/7"}`)
			r.Secrets = map[string]string{"BOT": "s3cret:/"}
			succeeds(t, newExecutor().Run(t.Context(), r))
			if got := s.one(t); got.URI != tt.want {
				t.Errorf("%s %s: got %s, want %s", tt.base, tt.endpoint, got.URI, tt.want)
			}
		})
	}
}

// TestBadBase checks that the error for a wrong base URL does not blame the endpoint.
func TestBadBase(t *testing.T) {
	s := newServer(t, nil)
	for _, base := range []string{"api.example.com", "localhost:8080", "http:/x.example", "//x.example", "http://"} {
		t.Run(base, func(t *testing.T) {
			r := s.request(a(&tool.HTTP{Method: "GET", BaseURL: base, Endpoint: "/🛫/{x}"}, "x"), `{"x": "1"}`)
			e := newExecutor().Run(t.Context(), r)
			if e.Error == nil || e.Error.Kind != executor.KindDefinition || e.Error.Message != "base_url: "+base+" does not begin with https:// or http:// and a host" {
				t.Errorf("%s: %+v", base, e.Error)
			}
		})
	}
}

func TestBadEndpoints(t *testing.T) {
	s := newServer(t, nil)
	tests := []struct {
		endpoint string
		kind     executor.ErrorKind
		part     string // of message or hint
	}{
		{"", executor.KindDefinition, "endpoint is missing"},
		{"http://{x}/", executor.KindDefinition, "host"},
		{"{{x}}/path", executor.KindDefinition, "base_url"},
		{"http://{{x}}.example/", executor.KindDefinition, "host"},
		{"http://{{session.h}}/", executor.KindDefinition, "host"},
		{"http://{{secrets.X}}/", executor.KindDefinition, "host"},
		{"{{env.host}}{x}/", executor.KindDefinition, "host"},
		{"http://127.0.0.1:{x}/", executor.KindDefinition, "host"},
		{"/a/{nobody}", executor.KindDefinition, "{nobody}"},
		{"/a/{secrets.X}", executor.KindDefinition, "{secrets.X}"},
		{"/a/{{nobody}}", executor.KindDefinition, "{{nobody}}"},
		{"/a/{{env.nobody}}", executor.KindDefinition, "env.nobody"},
		{"/a/{{session.nobody}}", executor.KindArguments, "session.nobody"},
		{"/a/{{#if x}}b{{/if}}", executor.KindDefinition, "#if"},
		{"/relative", executor.KindDefinition, "base_url"},
		{"http://[::1", executor.KindDefinition, "endpoint"},
		{"http://127.0.0.1:9/", executor.KindDenied, "--allow-host 127.0.0.1:9"},
		{"http://10.1.2.3/", executor.KindDenied, "--allow-host 10.1.2.3"},
		{"http://169.254.169.254/latest", executor.KindDenied, "metadata"},
		{"http://2130706433/", executor.KindDenied, "2130706433"},
		{"http://user:pass@example.com/", executor.KindDenied, "user name"},
		{`http://example.com\@evil.example/`, executor.KindDenied, "backslash"},
		{"http://exa\tmple.com/", executor.KindDenied, "control"},
		{"file:///etc/passwd", executor.KindDenied, "scheme"},
		{"gopher://example.com/", executor.KindDenied, "scheme"},
		{"data:text/plain,x", executor.KindDenied, "scheme"},
		{"http:/x", executor.KindDenied, ""},
	}
	for _, tt := range tests {
		t.Run(tt.endpoint, func(t *testing.T) {
			r := s.request(a(&tool.HTTP{Method: "GET", Endpoint: tt.endpoint}, "x"), `{"x": "evil.example"}`)
			if !strings.HasPrefix(tt.endpoint, "/a/") {
				r.Environment.BaseURL = ""
			}
			r.Environment.Variables = map[string]string{"host": s.URL}
			r.Session = json.RawMessage(`{"h": "evil.example"}`)
			r.Secrets = map[string]string{"X": "evil.example"}
			e := wants(t, newExecutor().Run(t.Context(), r), tt.kind)
			if !strings.Contains(e.Message+e.Hint, tt.part) {
				t.Errorf("%s: %q does not say %q", tt.endpoint, e.Message+e.Hint, tt.part)
			}
		})
	}
	if got := s.requests(); len(got) > 0 {
		t.Errorf("sent: %+v", got)
	}
}

// TestDeniedHost checks that the refusal of a private host names it as written, so that a person
// can allow it.
func TestDeniedHost(t *testing.T) {
	s := newServer(t, nil)
	r := s.request(a(&tool.HTTP{Method: "GET", Endpoint: "/"}), `{}`)
	r.AllowHosts = nil
	e := wants(t, newExecutor().Run(t.Context(), r), executor.KindDenied)
	if e.Details["host"] != s.addr() || e.Retryable {
		t.Errorf("%+v", e)
	}
	host, ok := e.Details["host"].(string)
	if !ok {
		t.Fatal("no host")
	}
	r.AllowHosts = []string{host}
	succeeds(t, newExecutor().Run(t.Context(), r))
	r.AllowHosts = []string{"not a host"}
	wants(t, newExecutor().Run(t.Context(), r), executor.KindArguments)
}

func TestQuery(t *testing.T) {
	s := newServer(t, nil)
	args := `{"list": ["a b", 2, true], "obj": {"k": [1]}, "n": 1.50, "nil": null, "flag": false, "s": "ü&="}`
	all := []string{"list", "obj", "n", "nil", "flag", "s", "left_out"}
	tests := []struct {
		method string
		query  tool.Pairs
		want   string
	}{
		{"GET", nil, "/?list=a+b&list=2&list=true&obj=%7B%22k%22%3A%5B1%5D%7D&n=1.50&flag=false&s=%C3%BC%26%3D"},
		{"delete", nil, "/?list=a+b&list=2&list=true&obj=%7B%22k%22%3A%5B1%5D%7D&n=1.50&flag=false&s=%C3%BC%26%3D"},
		{"POST", tool.Pairs{{Key: "q", Value: "{{s}}"}, {Key: "q", Value: "x{{ n }}"}, {Key: "gone", Value: "{{left_out}}"}, {Key: "ids", Value: "{{list}}"}},
			"/?q=%C3%BC%26%3D&q=x1.50&ids=a+b&ids=2&ids=true"},
		{"PUT", tool.Pairs{{Key: "all", Value: "{{obj}}"}, {Key: "a", Value: "-{{left_out}}-"}}, "/?all=%7B%22k%22%3A%5B1%5D%7D&a=--"},
	}
	for _, tt := range tests {
		t.Run(tt.method, func(t *testing.T) {
			succeeds(t, s.run(t, a(&tool.HTTP{Method: tt.method, Endpoint: "/", QueryParams: tt.query}, all...), args))
			if got := s.one(t); got.URI != tt.want || got.Method != strings.ToUpper(tt.method) {
				t.Errorf("%s %v:\n got %s %s\nwant %s", tt.method, tt.query, got.Method, got.URI, tt.want)
			}
		})
	}
}

func TestContextAccess(t *testing.T) {
	s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.Write([]byte(`{"name": "Ada", "user": {"updated_at": 10.0}, "other": 1}`))
	})
	tl := a(&tool.HTTP{Method: "PUT", Endpoint: "/"}, "name")
	tl.ContextAccess = &tool.ContextAccess{Read: []string{"user.id", "user.none", "name"}, Write: []string{"user.name", "user.updated_at", "user.gone"}}
	r := s.request(tl, `{"name": "x"}`)
	r.Session = json.RawMessage(`{"user": {"id": 7}, "name": "shadowed"}`)
	e := newExecutor().Run(t.Context(), r)
	succeeds(t, e)
	if got := s.one(t).Body; got != `{"name":"x","user.id":7}` {
		t.Errorf("body %s", got)
	}
	if got, err := json.Marshal(e.Set); err != nil || string(got) != `{"user.name":"Ada","user.updated_at":10.0}` {
		t.Errorf("set %s", got)
	}
}

// TestLongQuery checks that a list of many values takes no more time than its size requires.
func TestLongQuery(t *testing.T) {
	list := "[" + strings.TrimSuffix(strings.Repeat("1234567,", 20000), ",") + "]"
	tl := a(&tool.HTTP{Method: "GET", Endpoint: "https://api.example.com/"}, "a")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	succeeds(t, newExecutor().Preview(t.Context(), executor.Request{Tool: tl, Args: json.RawMessage(`{"a": ` + list + `}`)}))
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 256 {
		t.Errorf("%d MB allocated", got)
	}
}

// TestQueryOfTheAuthor checks that the author's query is sent in the form that a URL requires.
func TestQueryOfTheAuthor(t *testing.T) {
	s := newServer(t, nil)
	for endpoint, want := range map[string]string{
		`/s?q=two words&l=München`:    "/s?q=two%20words&l=M%C3%BCnchen",
		`/s?q=100%25&f=a+b|"<>^`:      "/s?q=100%25&f=a+b%7C%22%3C%3E%5E",
		`/s?t={{env.TENANT}}&u={{n}}`: "/s?t=a%26b%20c%23d&u=1%2F2",
		`{{env.BASE}}/../p/{n}`:       "/v1/../p/1%2F2",
		`/{{env.UP}}/p/{n}`:           "/../p/1%2F2",
		`{{env.BASE}}/p/{n}`:          "/v1/p/1%2F2",
	} {
		t.Run(endpoint, func(t *testing.T) {
			r := s.request(a(&tool.HTTP{Method: "GET", Endpoint: endpoint}, "n"), `{}`)
			if strings.Contains(endpoint, "n}") {
				r.Args = json.RawMessage(`{"n": "1/2"}`)
			}
			r.Environment.Variables = map[string]string{"TENANT": "a&b c#d", "UP": "..", "BASE": s.URL + "/v1"}
			succeeds(t, newExecutor().Run(t.Context(), r))
			if got := s.one(t).URI; got != want {
				t.Errorf("%s: %s, want %s", endpoint, got, want)
			}
		})
	}
}

// TestSessionValueInATemplate checks that a session value that a template uses is not added again.
func TestSessionValueInATemplate(t *testing.T) {
	s := newServer(t, nil)
	tl := a(&tool.HTTP{Method: "GET", Endpoint: "/{{session.user.id}}"})
	tl.ContextAccess = &tool.ContextAccess{Read: []string{"user.id", "user.plan"}}
	r := s.request(tl, `{}`)
	r.Session = json.RawMessage(`{"user": {"id": "7", "plan": "pro"}}`)
	succeeds(t, newExecutor().Run(t.Context(), r))
	if got := s.one(t).URI; got != "/7?user.plan=pro" {
		t.Error(got)
	}
}
