package oauth_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// echo is a Runner that answers with the arguments.
type echo struct{ calls int }

func (k *echo) Run(_ context.Context, call executor.Call) (executor.Result, error) {
	k.calls++
	raw, err := json.Marshal(call.Scope.Args)
	return executor.Result{Value: raw}, err
}

type echoSpec struct{}

func (*echoSpec) Kind() tool.Kind { return "echo" }

// verifierFixture verifies tokens and runs tools with their claims.
type verifierFixture struct {
	*oauthtest.Issuer
	t    *testing.T
	kind *echo
	ex   *executor.Executor
	now  time.Time
}

func newVerifierFixture(t *testing.T) *verifierFixture {
	d := &verifierFixture{Issuer: oauthtest.NewIssuer(t), t: t, kind: &echo{}, now: time.Now()}
	client := oauth.New(oauth.Options{Now: func() time.Time { return d.now }})
	d.ex = executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{"echo": d.kind}, IdentityVerifier: client, StateDir: t.TempDir()})
	t.Cleanup(func() { _, _ = d.ex.Close(), client.Close() })
	return d
}

// request returns a call of a tool whose parameters come from the token of the service "who".
func (d *verifierFixture) request(token string, params ...tool.Param) executor.Request {
	if params == nil {
		params = []tool.Param{claim("user", "string", "sub")}
	}
	tl := &tool.Tool{Name: "mine", Kind: "echo", Spec: &echoSpec{}, Params: params}
	tl.Hints.SideEffects = "false"
	q := executor.Request{Tool: tl, Trusted: true, AllowHosts: []string{d.Host()}}
	q.Environment.AuthServices = map[string]tool.AuthService{"who": {Kind: "oidc", Issuer: d.URL, Audience: "us"}}
	if token != "" {
		q.AuthTokens = map[string]string{"who": token}
	}
	return q
}

func claim(name, kind, field string) tool.Param {
	return tool.Param{Name: name, Type: &tool.Type{Name: kind}, AuthServices: []tool.AuthClaim{{Name: "who", Field: field}}}
}

func (d *verifierFixture) gives(q executor.Request, want string) executor.Envelope {
	d.t.Helper()
	e := d.ex.Run(d.t.Context(), q)
	if !e.OK || string(e.Value) != want {
		d.t.Fatalf("%s %+v, want %s", e.Value, e.Error, want)
	}
	return e
}

// TestIdentify checks that claims of a token become arguments of the declared type, digit by digit.
func TestIdentify(t *testing.T) {
	d := newVerifierFixture(t)
	token := d.NewToken("us", map[string]any{
		"org": map[string]any{"team": []any{"blue", "red"}}, "https://example.com/plan": "gold", "n": json.Number("12345678901234567890"), "aud": []string{"them", "us"},
	})
	q := d.request(token,
		claim("user", "string", "sub"), claim("team", "string", "org.team[1]"), claim("plan", "string", "https://example.com/plan"), claim("n", "integer", "n"))
	q.Args = json.RawMessage(`{"user": "root", "team": "x"}`)
	e := d.gives(q, `{"n":12345678901234567890,"plan":"gold","team":"red","user":"alice"}`)
	if len(e.Warnings) != 2 || !strings.Contains(e.Warnings[1], `the argument "user" was ignored`) {
		t.Errorf("%q", e.Warnings)
	}
	if text, _ := json.Marshal(e); strings.Contains(string(text), token) {
		t.Error("the token is shown")
	}
}

// TestHostileTokens checks that nothing runs with a wrong token, and that the error says what is
// wrong.
func TestHostileTokens(t *testing.T) {
	d, stranger := newVerifierFixture(t), oauthtest.NewIssuer(t)
	good := d.NewToken("us", nil)
	parts := strings.Split(good, ".")
	header := func(h map[string]any) string {
		return oauthtest.Sign(h, map[string]any{"iss": d.URL, "aud": "us", "sub": "root", "exp": time.Now().Add(time.Hour).Unix()}, func([]byte) []byte { return nil })
	}
	hmacWith := func(key []byte, h map[string]any) string {
		return oauthtest.Sign(h, map[string]any{"iss": d.URL, "aud": "us", "sub": "root", "exp": time.Now().Add(time.Hour).Unix()}, func(text []byte) []byte {
			mac := hmac.New(sha256.New, key)
			mac.Write(text)
			return mac.Sum(nil)
		})
	}
	payload := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	past, future := d.now.Add(-time.Minute).Unix(), d.now.Add(time.Hour).Unix()
	for name, tt := range map[string]struct{ token, reason, says string }{
		"unsigned":                 {header(map[string]any{"alg": "none"}), "unsigned", "the token of who is not signed"},
		"unsigned, NONE":           {header(map[string]any{"alg": "nOnE"}), "unsigned", "is not signed"},
		"no algorithm":             {header(map[string]any{}), "unsigned", "is not signed"},
		"the signature cut off":    {parts[0] + "." + parts[1] + ".", "signature", "is not signed by a key of " + d.Host()},
		"HMAC with the public key": {hmacWith(d.PublicKey(), map[string]any{"alg": "HS256", "kid": "key-1"}), "algorithm", "is signed by HS256"},
		"HMAC, said to be ES256":   {hmacWith(d.PublicKey(), map[string]any{"alg": "ES256", "kid": "key-1"}), "signature", "is not signed by a key of"},
		"an algorithm of nobody":   {header(map[string]any{"alg": "XX9"}), "algorithm", "is signed by XX9"},
		"a key that it brings":     {header(map[string]any{"alg": "ES256", "jwk": map[string]any{"kty": "EC"}}), "signature", "is not signed by a key of"},
		"a key elsewhere":          {header(map[string]any{"alg": "ES256", "jku": stranger.URL + "/keys", "kid": "key-1"}), "signature", "is not signed by a key of"},
		"another's key":            {stranger.NewToken("us", map[string]any{"iss": d.URL}), "signature", "is not signed by a key of"},
		"another's token":          {stranger.NewToken("us", nil), "issuer", "is of another issuer: of " + stranger.URL + ", not of " + d.URL},
		"no issuer":                {d.NewToken("us", map[string]any{"iss": nil}), "issuer", "of nobody"},
		"an issuer with a slash":   {d.NewToken("us", map[string]any{"iss": d.URL + "/"}), "issuer", "is of another issuer"},
		"another's audience":       {d.NewToken("them", nil), "audience", "is for somebody else: for them, not for us"},
		"no audience":              {d.NewToken("us", map[string]any{"aud": nil}), "audience", "for nobody"},
		"an audience in capitals":  {d.NewToken("us", map[string]any{"aud": nil, "AUD": "us"}), "audience", "for nobody"},
		"a subject in capitals":    {d.NewToken("us", map[string]any{"sub": nil, "Sub": "root"}), "subject", "names nobody"},
		"an end in capitals":       {d.NewToken("us", map[string]any{"exp": nil, "EXP": future}), "expired", "does not say until when it holds"},
		"a part of the audience":   {d.NewToken("usual", nil), "audience", "for usual"},
		"expired":                  {d.NewToken("us", map[string]any{"exp": past}), "expired", "has expired: it held until "},
		"without an end":           {d.NewToken("us", map[string]any{"exp": nil}), "expired", "does not say until when it holds"},
		"an end that is no number": {d.NewToken("us", map[string]any{"exp": "tomorrow"}), "malformed", "its payload cannot be read"},
		"not yet":                  {d.NewToken("us", map[string]any{"nbf": future}), "not-yet", "holds only from "},
		"nobody's":                 {d.NewToken("us", map[string]any{"sub": nil}), "subject", "names nobody"},
		"changed afterwards":       {parts[0] + "." + payload(`{"iss":"`+d.URL+`","aud":"us","sub":"root","exp":`+"99999999999}") + "." + parts[2], "signature", "is not signed by a key of"},
		"no token":                 {"opaque-access-token", "malformed", "is no identity token: it has 1 parts, and not three"},
		"an encrypted one":         {"a.b.c.d.e", "malformed", "it has 5 parts"},
		"no JSON":                  {parts[0] + "." + payload("alice") + "." + parts[2], "malformed", "its payload cannot be read"},
		"JSON instead":             {`{"payload": "e30", "signatures": []}`, "malformed", "is no identity token"},
		"a very long one":          {d.NewToken("us", map[string]any{"groups": strings.Repeat("g", 70<<10)}), "malformed", "it is longer than 64 KB"},
	} {
		t.Run(name, func(t *testing.T) {
			e := d.ex.Run(t.Context(), d.request(tt.token))
			if e.OK || e.Error.Kind != executor.KindDenied || e.Error.Details["reason"] != tt.reason || !strings.Contains(e.Error.Message, tt.says) {
				t.Errorf("%s: %+v, want denied for %s: %s", name, e.Error, tt.reason, tt.says)
			}
		})
	}
	if d.kind.calls != 0 {
		t.Errorf("%d calls were made", d.kind.calls)
	}
	if stranger.RequestCount("/keys") != 0 {
		t.Error("a key that a token names was asked for")
	}
	d.gives(d.request(good), `{"user":"alice"}`)
}

// TestClaims checks that a missing claim, or one of another type, stops the call.
func TestClaims(t *testing.T) {
	d := newVerifierFixture(t)
	token := d.NewToken("us", map[string]any{"email": nil, "empty": "", "age": "x", "gone": map[string]any{}})
	for _, tt := range []struct {
		param tool.Param
		says  string
	}{
		{claim("mail", "string", "email"), "mail: the token of who has no claim email"},
		{claim("deep", "string", "gone.deep"), "deep: the token of who has no claim gone.deep"},
		{claim("age", "integer", "age"), `age: must be a whole number, not "x" (the claim age of who)`},
		{claim("list", "array", "sub"), `list: must be an array, not "alice" (the claim sub of who)`},
		{tool.Param{
			Name: "role", Type: &tool.Type{Name: "string"}, AllowedValues: []json.RawMessage{[]byte(`"admin"`)},
			AuthServices: []tool.AuthClaim{{Name: "who", Field: "sub"}},
		}, `role: must be one of admin, not "alice" (the claim sub of who)`},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.says), func(t *testing.T) {
			e := d.ex.Run(t.Context(), d.request(token, tt.param))
			if e.OK || e.Error.Kind != executor.KindDenied || e.Error.Message != tt.says {
				t.Errorf("%+v, want %s", e.Error, tt.says)
			}
		})
	}
	optional := claim("mail", "string", "email")
	optional.Optional, optional.Default = true, json.RawMessage(`"root@localhost"`)
	if e := d.ex.Run(t.Context(), d.request("", optional)); e.Needs == nil || !slices.Equal(e.Needs.Secrets, []string{"WHO_TOKEN"}) {
		t.Errorf("without a token its default counts: %s %+v", e.Value, e.Error)
	}
	if e := d.ex.Run(t.Context(), d.request(token, claim("what", "string", ""))); e.OK || e.Error.Kind != executor.KindDefinition {
		t.Errorf("a claim without a field: %s %+v", e.Value, e.Error)
	}
	d.gives(d.request(token, claim("none", "string", "empty")), `{"none":""}`)
	if d.kind.calls != 1 {
		t.Errorf("%d calls, want 1", d.kind.calls)
	}
}

// TestScopes checks that a service may require scopes of a token.
func TestScopes(t *testing.T) {
	d := newVerifierFixture(t)
	for scope, want := range map[string]string{"read write": "", "read": "scope", "readwrite": "scope", "": "scope"} {
		t.Run(scope, func(t *testing.T) {
			q := d.request(d.NewToken("us", map[string]any{"scope": scope}))
			service := q.Environment.AuthServices["who"]
			service.ScopesRequired = []string{"read", "write"}
			q.Environment.AuthServices["who"] = service
			e := d.ex.Run(t.Context(), q)
			if want == "" && !e.OK || want != "" && (e.OK || e.Error.Details["reason"] != want) {
				t.Errorf("%q: %s %+v", scope, e.Value, e.Error)
			}
		})
	}
}

// TestKeys checks that keys are read once, and again if the issuer has a new one.
func TestKeys(t *testing.T) {
	d := newVerifierFixture(t)
	asked := func(discovery, keys int) {
		t.Helper()
		if got := d.RequestCount("/.well-known/openid-configuration"); got != discovery {
			t.Errorf("asked %d times where the keys are, want %d", got, discovery)
		}
		if got := d.RequestCount("/keys"); got != keys {
			t.Errorf("asked %d times for the keys, want %d", got, keys)
		}
	}
	old := d.NewToken("us", nil)
	d.gives(d.request(old), `{"user":"alice"}`)
	d.gives(d.request(d.NewToken("us", map[string]any{"sub": "bob"})), `{"user":"bob"}`)
	asked(1, 1)
	d.RotateKey(t)
	rotated := d.request(d.NewToken("us", nil))
	if e := d.ex.Run(t.Context(), rotated); e.OK {
		t.Error("keys were asked for again at once, so that anybody can have them asked for")
	}
	d.now = d.now.Add(15 * time.Second)
	d.gives(rotated, `{"user":"alice"}`)
	asked(1, 2)
	if e := d.ex.Run(t.Context(), d.request(old)); e.OK {
		t.Error("a key that its issuer has no more is taken")
	}
	asked(1, 2)
	d.now = d.now.Add(2 * time.Hour)
	d.gives(d.request(d.NewToken("us", map[string]any{"exp": d.now.Add(time.Hour).Unix()})), `{"user":"alice"}`)
	asked(2, 3)
}

// TestIssuers checks that nothing is accepted of an issuer that cannot be asked, or not safely.
func TestIssuers(t *testing.T) {
	var document string
	q, host := odd(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		switch r.URL.Path {
		case "/moved/.well-known/openid-configuration":
			nethttp.Redirect(w, r, "http://169.254.169.254/", nethttp.StatusFound)
		case "/keys":
			w.WriteHeader(nethttp.StatusTeapot)
		case "/long":
			w.Write(make([]byte, 2<<20))
		default:
			respondWith(200, "application/json", strings.NewReplacer("ISSUER", "http://"+r.Host, "ES256", `"id_token_signing_alg_values_supported": ["ES256"]`).Replace(document))(w, r)
		}
	})
	issuer := "http://" + host
	d := newVerifierFixture(t)
	for name, tt := range map[string]struct {
		issuer, document string
		kind             executor.ErrorKind
		code             string
	}{
		"nobody there":       {"http://127.0.0.1:1", "", executor.KindNetwork, ""},
		"no document":        {issuer, "<h1>Hello</h1>", executor.KindRemote, "discovery"},
		"another's document": {issuer, `{"issuer": "https://elsewhere.example", "jwks_uri": "ISSUER/keys"}`, executor.KindRemote, "discovery"},
		"no keys":            {issuer, `{"issuer": "ISSUER"}`, executor.KindRemote, "discovery"},
		"keys nowhere":       {issuer, `{"issuer": "ISSUER", "jwks_uri": "file:///etc/passwd"}`, executor.KindRemote, "discovery"},
		"keys refused":       {issuer, `{"issuer": "ISSUER", "jwks_uri": "ISSUER/keys", ES256}`, executor.KindRemote, "keys"},
		"private keys":       {issuer, `{"issuer": "ISSUER", "jwks_uri": "http://10.0.0.1/keys", ES256}`, executor.KindDenied, "private-address"},
		"very many keys":     {issuer, `{"issuer": "ISSUER", "jwks_uri": "ISSUER/long", ES256}`, executor.KindLimit, "response-size"},
		"another algorithm":  {issuer, `{"issuer": "ISSUER", "jwks_uri": "ISSUER/keys"}`, executor.KindDenied, "token"},
		"redirected":         {issuer + "/moved", "", executor.KindDenied, "token-redirect"},
		"a private issuer":   {"https://10.0.0.1", "", executor.KindDenied, "private-address"},
		"no https":           {"http://login.example.com", "", executor.KindDefinition, "auth"},
		"no URL":             {"login", "", executor.KindDefinition, "auth"},
		"none":               {"", "", executor.KindDefinition, "auth"},
	} {
		t.Run(name, func(t *testing.T) {
			document = tt.document
			r := d.request(d.NewToken("us", map[string]any{"iss": tt.issuer}))
			r.AllowHosts = append(q.AllowHosts, "127.0.0.1:1")
			r.Environment.AuthServices["who"] = tool.AuthService{Kind: "oidc", Issuer: tt.issuer, Audience: "us"}
			e := d.ex.Run(t.Context(), r)
			if e.OK || e.Error.Kind != tt.kind || tt.code != "" && e.Error.Code != tt.code {
				t.Errorf("%s: %+v, want %s %s", name, e.Error, tt.kind, tt.code)
			}
		})
	}
	r := d.request(d.NewToken("us", nil))
	r.Environment.Permissions.Deny = []tool.Permission{{Kind: "web", Op: "get", Resource: "127.0.0.1"}}
	if e := d.ex.Run(t.Context(), r); e.OK || e.Error.Code != "permission" {
		t.Errorf("an issuer that the project denies: %+v", e.Error)
	}
	if d.kind.calls != 0 {
		t.Errorf("%d calls were made", d.kind.calls)
	}
}

// TestIdentifyByGoogle checks that only the client must be set for Google. The network is a fake.
func TestIdentifyByGoogle(t *testing.T) {
	issuer := oauthtest.NewIssuer(t)
	var hosts []string
	google := httptest.NewTLSServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		hosts = append(hosts, r.Host+r.URL.Path)
		if r.URL.Path == "/.well-known/openid-configuration" {
			respondWith(200, "application/json", `{"issuer": "https://accounts.google.com", "jwks_uri": "https://www.googleapis.com/keys",
				"id_token_signing_alg_values_supported": ["ES256"]}`)(w, r)
			return
		}
		issuer.ServeHTTP(w, r)
	}))
	defer google.Close()
	dialer := dial.New(dial.Options{
		TLS: &tls.Config{InsecureSkipVerify: true}, // the server is a stand-in
		Connect: func(ctx context.Context, _ *net.Dialer, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, google.Listener.Addr().String())
		},
	})
	client := oauth.New(oauth.Options{Dialer: dialer})
	defer client.Close()
	d := &verifierFixture{Issuer: issuer, t: t, kind: &echo{}}
	d.ex = executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{"echo": d.kind}, IdentityVerifier: client, StateDir: t.TempDir()})
	defer d.ex.Close()
	call := func(claims map[string]any) executor.Request {
		q := d.request(d.NewToken("1234.apps.googleusercontent.com", claims))
		q.Environment.AuthServices["who"] = tool.AuthService{Kind: "google", ClientID: "1234.apps.googleusercontent.com"}
		return q
	}
	d.gives(call(map[string]any{"iss": "https://accounts.google.com"}), `{"user":"alice"}`)
	d.gives(call(map[string]any{"iss": "accounts.google.com"}), `{"user":"alice"}`)
	for name, other := range map[string]string{
		"another issuer":   issuer.URL,
		"no TLS":           "http://accounts.google.com",
		"a longer name":    "https://accounts.google.com.evil.example",
		"the domain above": "google.com",
	} {
		t.Run(name, func(t *testing.T) {
			if e := d.ex.Run(t.Context(), call(map[string]any{"iss": other})); e.OK || e.Error.Details["reason"] != "issuer" {
				t.Errorf("%s: %s %+v", other, e.Value, e.Error)
			}
		})
	}
	if want := []string{"accounts.google.com/.well-known/openid-configuration", "www.googleapis.com/keys"}; !slices.Equal(hosts, want) {
		t.Errorf("asked %q, want %q", hosts, want)
	}
}

// TestRealProvider checks the tokens of a real provider, which signs by RSA.
func TestRealProvider(t *testing.T) {
	server := oauthtest.Start(t)
	token, err := oauthtest.IDToken(server.URL, "desktop", "alice")
	if err != nil {
		t.Fatal(err)
	}
	d := newVerifierFixture(t)
	for audience, want := range map[string]executor.ErrorKind{"desktop": "", "service": executor.KindDenied} {
		t.Run(audience, func(t *testing.T) {
			q := d.request(token)
			q.AllowHosts = []string{server.Host()}
			q.Environment.AuthServices["who"] = tool.AuthService{Kind: "oidc", Issuer: server.URL, Audience: audience}
			e := d.ex.Run(t.Context(), q)
			if want == "" && string(e.Value) != `{"user":"alice"}` || want != "" && (e.OK || e.Error.Kind != want) {
				t.Errorf("for %s: %s %+v", audience, e.Value, e.Error)
			}
		})
	}
}
