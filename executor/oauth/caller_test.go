package oauth_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// needsSecrets checks that a call asks for secrets with these names.
func (d *verifierFixture) needsSecrets(q executor.Request, names ...string) executor.Envelope {
	d.t.Helper()
	e := d.ex.Run(d.t.Context(), q)
	if e.Needs == nil || !slices.Equal(e.Needs.Secrets, names) {
		d.t.Fatalf("%s %+v %+v, want that it needs %q", e.Value, e.Error, e.Needs, names)
	}
	return e
}

// TestTokenPlaces checks that a token comes from the call, else from the secret named after its
// service.
func TestTokenPlaces(t *testing.T) {
	d := newVerifierFixture(t)
	q := d.request("")
	service := q.Environment.AuthServices["who"]
	q.Environment.AuthServices = map[string]tool.AuthService{"my-google.auth": service}
	q.Tool.Params[0].AuthServices[0].Name = "my-google.auth"
	e := d.needsSecrets(q, "MY_GOOGLE_AUTH_TOKEN")
	if want := "mine needs an identity token of my-google.auth"; e.Error.Message != want || !strings.Contains(e.Error.Hint, "--auth-token my-google.auth=TOKEN") {
		t.Errorf("%+v, want %s", e.Error, want)
	}
	q.Secrets = map[string]string{"MY_GOOGLE_AUTH_TOKEN": d.NewToken("us", nil)}
	d.gives(q, `{"user":"alice"}`)
	q.AuthTokens = map[string]string{"my-google.auth": d.NewToken("us", map[string]any{"sub": "bob"}), "other": "x"}
	if e := d.gives(q, `{"user":"bob"}`); len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "no token of other") {
		t.Errorf("%q", e.Warnings)
	}
	q.AuthTokens["my-google.auth"] = " "
	d.gives(q, `{"user":"alice"}`)
}

// TestAuthRequired checks that a valid token of any one of the services is enough.
func TestAuthRequired(t *testing.T) {
	d, other := newVerifierFixture(t), oauthtest.NewIssuer(t)
	good, bad := d.NewToken("us", nil), other.NewToken("us", nil)
	call := func(tokens map[string]string) executor.Request {
		q := d.request("", []tool.Param{}...)
		q.Tool.Params, q.Tool.AuthRequired, q.AuthTokens = nil, []string{"who", "b"}, tokens
		q.Environment.AuthServices["b"] = q.Environment.AuthServices["who"]
		return q
	}
	d.needsSecrets(call(nil), "WHO_TOKEN", "B_TOKEN")
	for name, tt := range map[string]struct {
		tokens map[string]string
		kind   executor.ErrorKind
	}{
		"the first":          {map[string]string{"who": good}, ""},
		"the second":         {map[string]string{"b": good}, ""},
		"a bad one":          {map[string]string{"b": bad}, executor.KindDenied},
		"a bad and a good":   {map[string]string{"who": bad, "b": good}, ""},
		"two bad ones":       {map[string]string{"who": bad, "b": bad}, executor.KindDenied},
		"a good one of c":    {map[string]string{"c": good}, executor.KindNeeds},
		"good, for somebody": {map[string]string{"who": d.NewToken("them", nil)}, executor.KindDenied},
	} {
		t.Run(name, func(t *testing.T) {
			before := d.kind.calls
			e := d.ex.Run(t.Context(), call(tt.tokens))
			switch {
			case tt.kind == "" && (!e.OK || d.kind.calls != before+1):
				t.Errorf("%s: %+v", name, e.Error)
			case tt.kind != "" && (e.OK || e.Error.Kind != tt.kind || d.kind.calls != before):
				t.Errorf("%s: %+v, want %s", name, e.Error, tt.kind)
			}
		})
	}
	q := call(map[string]string{"who": good})
	q.Tool.AuthRequired = []string{"nobody"}
	if e := d.ex.Run(t.Context(), q); e.OK || e.Error.Kind != executor.KindDefinition || !strings.Contains(e.Error.Hint, "There is b, who.") {
		t.Errorf("%+v", e.Error)
	}
	q.Tool.AuthRequired, q.Environment.AuthServices["b"] = []string{"b"}, tool.AuthService{Kind: "saml"}
	if e := d.ex.Run(t.Context(), q); e.OK || e.Error.Kind != executor.KindDefinition || !strings.Contains(e.Error.Message, "auth_services.b is of kind: saml") {
		t.Errorf("%+v", e.Error)
	}
}

// TestFirstService checks that the first of a parameter's services that has a token counts, even if
// the token is bad.
func TestFirstService(t *testing.T) {
	d := newVerifierFixture(t)
	call := func(tokens map[string]string) executor.Request {
		q := d.request("")
		q.Tool.Params[0].AuthServices = append(q.Tool.Params[0].AuthServices, tool.AuthClaim{Name: "b", Field: "name"})
		q.Environment.AuthServices["b"] = q.Environment.AuthServices["who"]
		q.AuthTokens = tokens
		return q
	}
	good := d.NewToken("us", map[string]any{"name": "Alice"})
	d.gives(call(map[string]string{"who": good, "b": good}), `{"user":"alice"}`)
	d.gives(call(map[string]string{"b": good}), `{"user":"Alice"}`)
	if e := d.ex.Run(t.Context(), call(map[string]string{"who": "x", "b": good})); e.OK || e.Error.Kind != executor.KindDenied {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	e := d.needsSecrets(call(nil), "WHO_TOKEN", "B_TOKEN")
	if want := "mine needs an identity token of who or b"; e.Error.Message != want {
		t.Errorf("%q, want %q", e.Error.Message, want)
	}
}

// TestSourceAuth checks that `source: auth` gives a claim of the signed-in person.
func TestSourceAuth(t *testing.T) {
	d := newVerifierFixture(t)
	text := &tool.Type{Name: "string"}
	token := d.NewToken("us", map[string]any{"email": "a@example.com"})
	q := d.request(token,
		tool.Param{Name: "email", Type: text, Source: "auth"},
		tool.Param{Name: "who", Type: text, Source: "auth", Value: "sub"},
		tool.Param{Name: "greeting", Type: text, Source: "expr", Value: `"Dear " + who`},
	)
	d.gives(q, `{"email":"a@example.com","greeting":"Dear alice","who":"alice"}`)
	q.AuthTokens = nil
	d.needsSecrets(q, "WHO_TOKEN")
	for i := range q.Tool.Params {
		q.Tool.Params[i].Optional = true
	}
	q.Tool.Params[0].Default = json.RawMessage(`"nobody@example.com"`)
	q.Tool.Params[2].Value = `"Dear " + email`
	d.gives(q, `{"email":"nobody@example.com","greeting":"Dear nobody@example.com"}`)
}

// TestPlaceholdersOfServices checks that the settings of a service may come from the environment,
// and its audience from a secret.
func TestPlaceholdersOfServices(t *testing.T) {
	d := newVerifierFixture(t)
	q := d.request(d.NewToken("client-42", nil))
	q.Environment.AuthServices["who"] = tool.AuthService{Kind: "oidc", Issuer: "{{env.ISSUER}}", ClientID: "{{secrets.CLIENT}}"}
	q.Environment.Variables = map[string]string{"ISSUER": d.URL}
	d.needsSecrets(q, "CLIENT")
	q.Secrets = map[string]string{"CLIENT": "client-42"}
	d.gives(q, `{"user":"alice"}`)
	q.Environment.AuthServices["who"] = tool.AuthService{Kind: "oidc", Issuer: "https://{{secrets.CLIENT}}.example", ClientID: "x"}
	if e := d.ex.Run(t.Context(), q); e.OK || e.Error.Kind != executor.KindDefinition || !strings.Contains(e.Error.Message, "auth_services.who.issuer") {
		t.Errorf("%+v", e.Error)
	}
}

// TestOrder checks that neither a token nor an issuer's keys are asked for before the workspace is
// trusted and the arguments are right, and not for a blocked tool.
func TestOrder(t *testing.T) {
	d := newVerifierFixture(t)
	q := d.request(d.NewToken("us", nil), claim("user", "string", "sub"), tool.Param{Name: "n", Type: &tool.Type{Name: "number"}})
	q.Args = json.RawMessage(`{"n": 1}`)
	for name, tt := range map[string]struct {
		change func(*executor.Request)
		kind   executor.ErrorKind
	}{
		"not trusted":     {func(q *executor.Request) { q.Trusted = false }, executor.KindNeeds},
		"wrong arguments": {func(q *executor.Request) { q.Args = json.RawMessage(`{"n": "x"}`) }, executor.KindArguments},
		"missing ones":    {func(q *executor.Request) { q.Args = nil }, executor.KindNeeds},
		"blocked":         {func(q *executor.Request) { q.Tool.RiskLevel, q.Yes = "blocked", true }, executor.KindDenied},
	} {
		t.Run(name, func(t *testing.T) {
			r, tl := q, *q.Tool
			r.Tool = &tl
			tt.change(&r)
			if e := d.ex.Run(t.Context(), r); e.OK || e.Error.Kind != tt.kind || e.Needs != nil && e.Needs.Secrets != nil {
				t.Errorf("%s: %+v %+v", name, e.Error, e.Needs)
			} else if a := e.Needs; a != nil && a.Arguments != nil && strings.Contains(string(a.Arguments), `"user"`) {
				t.Errorf("%s: %s asks for what a token gives", name, a.Arguments)
			}
		})
	}
	if n := d.RequestCount("/keys"); n != 0 || d.kind.calls != 0 {
		t.Errorf("asked %d times for keys, %d calls", n, d.kind.calls)
	}
}

// TestConfirmedForWhom checks that a confirmation is valid for one person, with any token.
func TestConfirmedForWhom(t *testing.T) {
	d := newVerifierFixture(t)
	for name, change := range map[string]func(*tool.Tool){
		"an argument":   func(tl *tool.Tool) { tl.Hints.SideEffects = "true" },
		"auth_required": func(tl *tool.Tool) { tl.Params, tl.AuthRequired, tl.Hints.SideEffects = nil, []string{"who"}, "true" },
	} {
		t.Run(name, func(t *testing.T) {
			ask := func(token, confirm string) executor.Envelope {
				q := d.request(token)
				change(q.Tool)
				q.Confirm = confirm
				return d.ex.Run(t.Context(), q)
			}
			e := ask(d.NewToken("us", nil), "")
			if e.Needs == nil || e.Needs.Confirmation == nil {
				t.Fatalf("%s: %+v", name, e.Error)
			}
			digest := e.Needs.Confirmation.Digest
			if e := ask(d.NewToken("us", map[string]any{"sub": "bob"}), digest); e.OK {
				t.Errorf("%s: what alice confirmed runs for bob", name)
			}
			if e := ask(d.NewToken("us", map[string]any{"jti": "renewed"}), digest); !e.OK {
				t.Errorf("%s: %+v", name, e.Error)
			}
		})
	}
}

// TestCachedForWhom checks that a cached answer of one person is not given to another.
func TestCachedForWhom(t *testing.T) {
	d := newVerifierFixture(t)
	run := func(sub string) bool {
		q := d.request(d.NewToken("us", map[string]any{"sub": sub}))
		q.Tool.Params, q.Tool.AuthRequired, q.Tool.Hints.Cacheable = nil, []string{"who"}, "true"
		e := d.ex.Run(t.Context(), q)
		if !e.OK {
			t.Fatalf("%+v", e.Error)
		}
		return e.Cached
	}
	if run("alice") || run("bob") || !run("alice") || !run("bob") {
		t.Error("an answer is given to another one, or not given again")
	}
}

// TestSecretClaims checks that a claim with the name of a credential is a secret.
func TestSecretClaims(t *testing.T) {
	d := newVerifierFixture(t)
	e := d.ex.Run(t.Context(), d.request(d.NewToken("us", map[string]any{"crm": map[string]any{"api_key": "k3y-0f-alice"}}), claim("key", "string", "crm.api_key")))
	if string(e.Value) != `{"key":"••••(who.crm.api_key)"}` {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
}
