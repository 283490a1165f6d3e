package executor

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

// reacher is a Runner whose calls have accesses.
type reacher struct {
	runner
	reach Reach
}

func (r *reacher) Reach(Call) (Reach, error) { return r.reach, nil }

func (r *reacher) executor() *Executor {
	return New(Options{Runners: map[tool.Kind]Runner{"test": r}, LookupEnv: func(name string) (string, bool) { return "v-" + name, name != "NONE" }})
}

func permissions(texts ...string) []tool.Permission {
	var out []tool.Permission
	for _, text := range texts {
		var p tool.Permission
		if err := p.UnmarshalJSON(encode(text)); err != nil {
			panic(err)
		}
		out = append(out, p)
	}
	return out
}

func TestPermissions(t *testing.T) {
	for _, tt := range []struct {
		name               string
		declared           []string
		allow, deny, grant []string
		want               string // an error's code
		missing            []string
	}{
		{name: "nothing declared"},
		{name: "asks", declared: []string{"web:get:a.com", "file:read:x"}, want: "permission", missing: []string{"web:get:a.com", "file:read:x"}},
		{name: "asks for the rest", declared: []string{"web:get:a.com", "file:read:x"}, grant: []string{"file:read:x"}, want: "permission", missing: []string{"web:get:a.com"}},
		{name: "granted", declared: []string{"web:get:a.com:80"}, grant: []string{"web:get:a.com:80"}},
		{name: "another one granted", declared: []string{"web:get:a.com"}, grant: []string{"web:post:a.com", "web:get:a.com.evil"}, want: "permission", missing: []string{"web:get:a.com"}},
		{name: "allowed", declared: []string{"web:get:x.a.com"}, allow: []string{"web:get:*.a.com"}},
		{name: "allowed, but not that", declared: []string{"web:get:a.com"}, allow: []string{"web:get:*.a.com"}, want: "permission", missing: []string{"web:get:a.com"}},
		{name: "deny before allow and grant", declared: []string{"web:get:a.com"}, allow: []string{"web:get:a.com"}, grant: []string{"web:get:a.com"}, deny: []string{"WEB::*.com"}, want: "permission"},
		{name: "what the binding reaches is not asked", allow: []string{"web:get:other"}},
		{name: "but denied", deny: []string{"web:get:reached.com"}, want: "permission"},
		{name: "an argument in it", declared: []string{"file:read:{{path}}"}, want: "permission", missing: []string{"file:read:a/b"}},
		{name: "a secret in it", declared: []string{"file:read:{{secrets.A}}"}, want: "permission", missing: []string{"file:read:••••(A)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := &reacher{reach: Reach{Accesses: permissions("web:get:reached.com"), Receiver: "reached.com"}}
			path := param("path", "string")
			tl := reading(&spec{Text: "{{secrets.A}}"}, path)
			tl.Permissions = permissions(tt.declared...)
			r := trusted(tl, `{"path": "a/b"}`)
			r.Yes = true // confirms, and allows nothing
			r.Grants = permissions(tt.grant...)
			r.Environment.Permissions = Permissions{Allow: permissions(tt.allow...), Deny: permissions(tt.deny...)}
			e := k.executor().Run(t.Context(), r)
			var missing []string
			if e.Needs != nil {
				for _, p := range e.Needs.Permission {
					missing = append(missing, grantText(p))
				}
			}
			if e.OK != (tt.want == "") || e.Error != nil && e.Error.Code != tt.want || !slices.Equal(missing, tt.missing) || (k.calls > 0) != e.OK {
				t.Errorf("%+v, missing %q, %d calls", e.Error, missing, k.calls)
			}
			if e.Needs != nil && !strings.Contains(e.Error.Hint, "--grant "+strings.Join(missing, " --grant ")+" ") {
				t.Errorf("hint %q", e.Error.Hint)
			}
			if denied := kindOf(e) == KindDenied; denied != (tt.want != "" && tt.missing == nil) {
				t.Errorf("denied: %v", denied)
			}
		})
	}
}

// TestGrantOfNothing checks that an empty grant is an error, since it would allow everything.
func TestGrantOfNothing(t *testing.T) {
	k := &reacher{}
	tl := reading(&spec{})
	tl.Permissions = permissions("file:read:x")
	r := trusted(tl, "")
	r.Grants = []tool.Permission{{}}
	if e := k.executor().Run(t.Context(), r); kindOf(e) != KindArguments || e.Error.Code != "grant" || k.calls > 0 {
		t.Errorf("%+v", e.Error)
	}
}

func TestFits(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "x", true}, {"*", "", true}, {"a", "A", true}, {"a", "ab", false}, {"*.a.com", "x.a.com", true}, {"*.a.com", "a.com", false},
		{"*.a.com", "x.a.com.evil", false}, {"a*a", "a", false}, {"a*b*c", "a-b-c", true}, {"a*b*c", "a-c", false}, {"a*b*b", "ab", false}, {"**", "x", true},
	} {
		t.Run(tt.pattern, func(t *testing.T) {
			if got := matchesPattern(tt.text, tt.pattern); got != tt.want {
				t.Errorf("%q fits %q: %v", tt.text, tt.pattern, got)
			}
		})
	}
}

func TestWebAccesses(t *testing.T) {
	for _, tt := range []struct {
		pattern, url string
		want         bool
	}{
		{"a.com", "https://a.com/v1/x?k=v", true}, {"a.com:443", "https://a.com/v1", true}, {"*.a.com", "https://a.com", false},
		{"https://a.com", "https://a.com/v1", true}, {"https://a.com/", "https://a.com/v1", true}, {"https://a.com/*", "https://a.com/v1", true},
		{"https://a.com:443/v1", "https://a.com/v1/x", true}, {"a.com/v1/", "https://a.com/v1/x", true}, {"a.com/v1", "https://a.com/v12", false},
		{"https://a.com/v1/x", "https://a.com/v1", false}, {"http://*", "https://a.com/v1", false}, {"*://*.a.com/admin/*", "http://x.a.com:8080/admin/b", true},
		{"http://127.0.0.1:80/a", "http://127.0.0.1/a", true}, {"::1", "http://[::1]:80/a", true}, {"[::1]:80", "http://[::1]/a", true},
		{"http://[::1]/a", "http://[::1]/a/b", true}, {"a.com/%2e", "https://a.com/%2e", true},
		{"a.com", "https://A.com./v1", true},
		{"a.com/admin", "https://a.com//admin/x", true}, {"a.com/admin", "https://a.com/v1/../%61dmin", true}, {"a.com/admin/", "https://a.com/./admin/", true},
		{"a.com/admin/users", "https://a.com/admin%2Fusers", true}, {"a.com/v1", "https://a.com/v1/../v2", true}, {"a.com/admin", "https://a.com/x?to=/admin", false},
	} {
		t.Run(tt.pattern, func(t *testing.T) {
			u, err := url.Parse(tt.url)
			if err != nil {
				t.Fatal(err)
			}
			denied := slices.ContainsFunc(WebAccesses("GET", u), func(p tool.Permission) bool {
				return isCovered(p, []tool.Permission{{Kind: "web", Op: "get", Resource: tt.pattern}})
			})
			if denied != tt.want {
				t.Errorf("%s denies %s: %v", tt.pattern, tt.url, denied)
			}
		})
	}
}

func TestSecretsAreAskedForOnce(t *testing.T) {
	k := &reacher{reach: Reach{Receiver: "api.example.com"}}
	r := trusted(reading(&spec{Text: "{{secrets.A}} {{secrets.B}}"}), "")
	run := func() Envelope { return k.executor().Run(t.Context(), r) }
	if e := run(); !e.OK {
		t.Fatalf("asked although nobody wants it: %+v", e.Error)
	}
	r.AskSecrets = true
	r.Secrets = map[string]string{"B": "given"}
	r.Environment.Permissions.Allow = permissions("secret:send:*") // does not count
	e := run()
	if e.Needs == nil || len(e.Needs.Permission) != 1 || grantText(e.Needs.Permission[0]) != "secret:send:A api.example.com" || k.calls != 1 {
		t.Fatalf("%+v", e.Error)
	}
	if got := string(encode(e.Needs)); got != `{"permission":[{"kind":"secret","op":"send","resource":"A api.example.com"}]}` {
		t.Error(got)
	}
	r.Grants = e.Needs.Permission
	if e := run(); !e.OK {
		t.Errorf("%+v", e.Error)
	}
	r.RememberedSecrets = []string{"B"} // not typed for this call
	if e := run(); e.Needs == nil || len(e.Needs.Permission) != 1 || grantText(e.Needs.Permission[0]) != "secret:send:B api.example.com" {
		t.Errorf("%+v", e.Error)
	}
	r.RememberedSecrets = nil
	r.Environment.Permissions.Deny = permissions("secret:send:A *")
	if e := run(); kindOf(e) != KindDenied {
		t.Errorf("%+v", e.Error)
	}
	r.Environment.Permissions.Deny = nil
	r.Grants = permissions("secret:send:A other.example.com")
	if e := run(); e.Needs == nil {
		t.Error("granted for another host")
	}
}

// TestMissingSecretsComeFirst checks that missing secrets are reported before the person is asked
// where secrets may be sent.
func TestMissingSecretsComeFirst(t *testing.T) {
	k := &reacher{reach: Reach{Receiver: "h"}}
	r := trusted(reading(&spec{Text: "{{secrets.A}} {{secrets.NONE}}"}), "")
	r.AskSecrets = true
	if e := k.executor().Run(t.Context(), r); e.Needs == nil || !slices.Equal(e.Needs.Secrets, []string{"NONE"}) || e.Needs.Permission != nil {
		t.Errorf("%+v", e.Needs)
	}
}

func TestWrittenCredentialsAreSecrets(t *testing.T) {
	k := &runner{run: func(context.Context, Call) (Result, error) {
		return Result{Value: json.RawMessage(`["tok-1 key-1 sec-1 head-1 demo-1 {{secrets.A}}"]`)}, nil
	}}
	r := trusted(reading(&spec{Text: "tok-1"}), "")
	r.Environment.Credentials = Credentials{"h": {Bearer: "tok-1", APIKey: "key-1", ClientSecret: "sec-1", Headers: map[string]string{"authorization": "head-1", "X-Tenant": "demo-1"}}}
	e := k.executor().Run(t.Context(), r)
	want := `["••••(credentials.h.bearer) ••••(credentials.h.api_key) ••••(credentials.h.client_secret) ••••(credentials.h.headers.authorization) demo-1 {{secrets.A}}"]`
	if string(e.Value) != want || string(e.Request) != `{"text":"••••(credentials.h.bearer)"}` {
		t.Errorf("%s %s", e.Value, e.Request)
	}
}

func TestCredentialsFor(t *testing.T) {
	all := Credentials{
		"my_tool": {Bearer: "tool"}, "API.example.com:8443": {Bearer: "port"}, "api.example.com": {Bearer: "host"},
		"*.example.com": {Bearer: "domain"}, "*.com": {Bearer: "far"}, "[::1]:80": {Bearer: "six"}, "example.org:443": {Bearer: "usual"},
	}
	for _, tt := range []struct{ tool, host, port, want string }{
		{"my_tool", "api.example.com", "8443", "tool"},
		{"x", "api.example.com", "8443", "port"},
		{"x", "api.example.com", "443", "host"},
		{"x", "a.b.example.com", "443", "domain"},
		{"x", "example.com", "443", "far"},
		{"x", "::1", "80", "six"},
		{"x", "example.org", "443", "usual"},
		{"x", "example.org", "80", ""},
		{"api.example.com", "other.org", "80", "host"}, // a tool of that name
	} {
		t.Run(tt.tool, func(t *testing.T) {
			if got := all.For(tt.tool, tt.host, tt.port).Bearer; got != tt.want {
				t.Errorf("%+v: %q", tt, got)
			}
		})
	}
}

func TestProvidersOfTheProject(t *testing.T) {
	k := &reacher{}
	r := trusted(reading(&spec{Text: "{{secrets.A}}"}), "")
	r.Environment.Secrets.Providers = []string{}
	if e := k.executor().Run(t.Context(), r); e.Needs == nil {
		t.Errorf("%+v", e)
	}
	r.Environment.Secrets.Providers = []string{"vault"}
	if e := k.executor().Run(t.Context(), r); kindOf(e) != KindDefinition {
		t.Errorf("%+v", e)
	}
}
