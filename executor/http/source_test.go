package http_test

import (
	"encoding/json"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestSource checks that a source adds the settings that the tool does not set.
func TestSource(t *testing.T) {
	srv := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		body, _ := io.ReadAll(r.Body)
		json.NewEncoder(w).Encode(map[string]any{
			"url": r.URL.String(), "auth": r.Header.Get("Authorization"), "a": r.Header.Get("X-A"), "b": r.Header.Get("X-B"), "body": string(body),
		})
	}))
	defer srv.Close()
	source := tool.Source{
		Kind: "http", BaseURL: srv.URL + "/v1/", Timeout: "20s",
		Headers:     map[string]string{"x-a": "source", "X-B": "source", "Authorization": "Bearer {{secrets.T}}"},
		QueryParams: map[string]string{"lang": "en", "units": "{{env.units}}"},
	}
	x := executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindHTTP: http.New(rest.Options{})}})
	defer x.Close()
	run := func(spec tool.HTTP, sources map[string]tool.Source) executor.Envelope {
		spec.Source = "weather"
		tl := tool.Tool{Name: "t", Kind: tool.KindHTTP, Spec: &spec, Params: []tool.Param{{Name: "city", Type: &tool.Type{Name: "string"}}}}
		return x.Run(t.Context(), executor.Request{
			Tool: &tl, Trusted: true, Yes: true, Args: json.RawMessage(`{"city": "Zürich"}`), Secrets: map[string]string{"T": "s3cret-token"},
			AllowHosts:  []string{srv.Listener.Addr().String()},
			Environment: executor.Environment{Sources: sources, Variables: map[string]string{"units": "metric"}},
		})
	}
	for name, tt := range map[string]struct {
		spec tool.HTTP
		want string
	}{
		"all of it": {
			tool.HTTP{Method: "GET", Endpoint: "/now"},
			`{"a":"source","auth":"Bearer ••••(T)","b":"source","body":"","url":"/v1/now?lang=en\u0026units=metric\u0026city=Z%C3%BCrich"}`,
		},
		"the tool's own first": {
			tool.HTTP{
				Method: "POST", Endpoint: "now/{city}", Headers: map[string]string{"X-A": "tool"},
				QueryParams: tool.Pairs{{Key: "lang", Value: "de"}},
			},
			`{"a":"tool","auth":"Bearer ••••(T)","b":"source","body":"","url":"/v1/now/Z%C3%BCrich?units=metric\u0026lang=de"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := run(tt.spec, map[string]tool.Source{"weather": source})
			if got := strings.TrimSpace(string(e.Value)); !e.OK || got != tt.want {
				t.Errorf("%s: %s, want %s (%+v)", name, got, tt.want, e.Error)
			}
		})
	}
	change := func(f func(*tool.Source)) map[string]tool.Source {
		s := source
		f(&s)
		return map[string]tool.Source{"weather": s, "other": {}}
	}
	for name, tt := range map[string]struct {
		sources  map[string]tool.Source
		endpoint string
		want     string // in the message or the hint
	}{
		"no source":         {nil, "/now", "Write sources: {weather: {kind: http, base_url: …}} in abl.yaml."},
		"another one":       {map[string]tool.Source{"wether": source}, "/now", "There is wether."},
		"a database":        {change(func(s *tool.Source) { s.Kind = "sqlite" }), "/now", "sources.weather is of kind: sqlite"},
		"nowhere":           {change(func(s *tool.Source) { s.BaseURL = "" }), "/now", "sources.weather.base_url is missing"},
		"no certificates":   {change(func(s *tool.Source) { s.DisableSSLVerification = "true" }), "/now", "certificates are always verified"},
		"a host of its own": {change(func(*tool.Source) {}), "https://evil.example/now", "brings a host of its own"},
		"no time":           {change(func(s *tool.Source) { s.Timeout = "soon" }), "/now", "soon"},
	} {
		t.Run(name, func(t *testing.T) {
			e := run(tool.HTTP{Method: "GET", Endpoint: tt.endpoint}, tt.sources)
			if e.OK || e.Error.Kind != executor.KindDefinition || !strings.Contains(e.Error.Message+e.Error.Hint, tt.want) || len(e.Attempts) > 0 {
				t.Errorf("%s: %+v, want a definition error that says %q", name, e.Error, tt.want)
			}
		})
	}
}

// TestSourceConfirmed checks that a confirmation covers the URL of the source.
func TestSourceConfirmed(t *testing.T) {
	x := executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindHTTP: http.New(rest.Options{})}})
	defer x.Close()
	digest := func(base string) string {
		tl := tool.Tool{Name: "t", Kind: tool.KindHTTP, Spec: &tool.HTTP{Method: "POST", Endpoint: "/", Source: "s"}}
		e := x.Run(t.Context(), executor.Request{Tool: &tl, Trusted: true, Environment: executor.Environment{
			Sources: map[string]tool.Source{"s": {Kind: "http", BaseURL: base}},
		}})
		if e.Needs == nil || e.Needs.Confirmation == nil {
			t.Fatalf("%+v", e.Error)
		}
		return e.Needs.Confirmation.Digest
	}
	if digest("https://a.example") == digest("https://b.example") {
		t.Error("another base URL, same digest")
	}
}
