package callers_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/internal/callers"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/internal/operator"
)

// newPolicy returns the policy of an operator's file in a folder.
func newPolicy(t *testing.T, dir, source string, now func() time.Time) (*callers.Policy, error) {
	t.Helper()
	client := oauth.New(oauth.Options{Now: now})
	t.Cleanup(func() { _ = client.Close() })
	p := callers.New(callers.Options{Client: client, Now: now})
	return p, update(t, p, dir, source)
}

func update(t *testing.T, p *callers.Policy, dir, source string) error {
	t.Helper()
	c, err := operator.Parse(filepath.Join(dir, "op.yaml"), source, func(string) (string, bool, error) { return "", false, nil })
	if err != nil {
		t.Fatal(err)
	}
	return p.Update(context.Background(), c, secrets.Given{"carol": "carols-token"})
}

// request returns a request from an address with headers, each "Name: value".
func request(address string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	r.RemoteAddr = address
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	return r
}

// attempt is a request, with what it must give: a caller, or a refusal whose reason begins with why.
type attempt struct {
	name    string
	request *http.Request
	caller  string
	status  int
	code    string
	why     string
}

func (a attempt) check(t *testing.T, p *callers.Policy) {
	t.Helper()
	c, err := p.Authenticate(a.request)
	if a.status == 0 {
		if err != nil || c == nil || c.Name != a.caller {
			t.Errorf("%+v %v", c, err)
		}
		return
	}
	refusal, _ := errors.AsType[*callers.Refusal](err)
	if refusal == nil || refusal.Status != a.status || refusal.Code != a.code || !strings.Contains(refusal.Why, a.why) {
		t.Errorf("%+v %+v", c, err)
	}
}

func TestFixedTokens(t *testing.T) {
	dir := t.TempDir()
	hash := sha256.Sum256([]byte("bobs-token"))
	lines := "# who may call\n\nann anns-token\r\nbob sha256:" + hex.EncodeToString(hash[:]) + " read write\nann anns-next-token\n"
	if err := os.WriteFile(filepath.Join(dir, "tokens.txt"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := newPolicy(t, dir, "auth: {tokens: {file: tokens.txt, keychain: [carol]}}", nil)
	if err != nil {
		t.Fatal(err)
	}
	const bearer = "Authorization: Bearer "
	for _, a := range []attempt{
		{name: "of a file", request: request("", bearer+"anns-token"), caller: "ann"},
		{name: "a second one", request: request("", bearer+"anns-next-token"), caller: "ann"},
		{name: "by its hash", request: request("", "Authorization: bearer bobs-token"), caller: "bob"},
		{name: "of the keychain", request: request("", bearer+"carols-token"), caller: "carol"},
		{name: "missing", request: request(""), status: 401, why: "this server has to know who calls"},
		{name: "wrong", request: request("", bearer+"anns-tokem"), status: 401, code: "invalid_token", why: "not one of this server's callers"},
		{name: "the beginning", request: request("", bearer+"anns"), status: 401, code: "invalid_token"},
		{name: "the hash itself", request: request("", bearer+"sha256:"+hex.EncodeToString(hash[:])), status: 401, code: "invalid_token"},
		{name: "a comment", request: request("", bearer+"who"), status: 401, code: "invalid_token"},
		{name: "another scheme", request: request("", "Authorization: Basic anns-token"), status: 401, why: "must be Bearer"},
		{name: "two tokens", request: request("", bearer+"anns-token bobs-token"), status: 401, why: "must be Bearer"},
		{name: "two headers", request: request("", bearer+"anns-token", bearer+"bobs-token"), status: 401, why: "must be Bearer"},
		{name: "empty", request: request("", "Authorization: Bearer "), status: 401, why: "must be Bearer"},
	} {
		t.Run(a.name, func(t *testing.T) { a.check(t, p) })
	}
	c, err := p.Authenticate(request("", bearer+"bobs-token"))
	if err != nil || !c.HasScopes([]string{"read"}) || c.HasScopes([]string{"read", "admin"}) {
		t.Errorf("%+v %v", c, err)
	}
	if (*callers.Caller)(nil).HasScopes([]string{"read"}) || !(*callers.Caller)(nil).HasScopes(nil) {
		t.Error("an unknown caller has a scope, or lacks none")
	}
}

// TestTokenFileErrors: a mistake leaves the callers as they were.
func TestTokenFileErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "tokens.txt")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("ann anns-token\n")
	const source = "auth: {tokens: {file: tokens.txt}}"
	p, err := newPolicy(t, dir, source, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"no token":        {"ann anns-token\nbob\n", file + ":2: a line is NAME TOKEN"},
		"a short hash":    {"bob sha256:abcd\n", file + ":1: after sha256: there must be 64 hexadecimal digits"},
		"no hash":         {"bob sha256:" + strings.Repeat("g", 64), "64 hexadecimal digits"},
		"the same token":  {"ann same\nbob same\n", "op.yaml:1: auth.tokens: ann and bob have the same token"},
		"no such file":    {"", "op.yaml:1: auth.tokens.file: "},
		"not in keychain": {"keychain", "op.yaml:1: auth.tokens.keychain: the keychain has no dave"},
	} {
		t.Run(name, func(t *testing.T) {
			write(tt.text)
			next := source
			switch name {
			case "no such file":
				next = "auth: {tokens: {file: none.txt}}"
			case "not in keychain":
				next = "auth: {tokens: {keychain: [dave]}}"
			}
			if err := update(t, p, dir, next); err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "anns-token") {
				t.Error(err)
			}
			attempt{request: request("", "Authorization: Bearer anns-token"), caller: "ann"}.check(t, p)
		})
	}
	write("")
	if err := update(t, p, dir, source); err != nil {
		t.Fatal(err)
	}
	attempt{request: request("", "Authorization: Bearer anns-token"), status: 401, code: "invalid_token"}.check(t, p)
}

func TestHeader(t *testing.T) {
	p, err := newPolicy(t, "", "auth: {header: {name: x-forwarded-user, from: [10.0.0.0/8, '::1']}}", nil)
	if err != nil {
		t.Fatal(err)
	}
	const user = "X-Forwarded-User: "
	for _, a := range []attempt{
		{name: "from the proxy", request: request("10.1.2.3:5", user+"ann lee"), caller: "ann lee"},
		{name: "by IPv6", request: request("[::1]:5", user+"ann"), caller: "ann"},
		{name: "by IPv4 in IPv6", request: request("[::ffff:10.1.2.3]:5", user+"ann"), caller: "ann"},
		{name: "from an untrusted address", request: request("192.0.2.7:5", user+"ann"), status: 403, why: "the header X-Forwarded-User is not accepted from this address"},
		{name: "which says it is another", request: request("192.0.2.7:5", user+"ann", "X-Forwarded-For: 10.1.2.3", "X-Real-Ip: 10.1.2.3", "Forwarded: for=10.1.2.3"), status: 403, why: "not accepted"},
		{name: "without it", request: request("192.0.2.7:5"), status: 401, why: "answers only its proxy"},
		{name: "missing", request: request("10.1.2.3:5"), status: 401, why: "does not say who calls"},
		{name: "empty", request: request("10.1.2.3:5", user+" "), status: 401, why: "does not say who calls"},
		{name: "twice", request: request("10.1.2.3:5", user+"ann", user+"bob"), status: 401, why: "does not say who calls"},
		{name: "very long", request: request("10.1.2.3:5", user+strings.Repeat("a", 300)), status: 401, why: "does not say who calls"},
		{name: "no address", request: request("@", user+"ann"), status: 403, why: "not accepted"},
	} {
		t.Run(a.name, func(t *testing.T) { a.check(t, p) })
	}
}

// TestAccessTokens checks JWTs that a real issuer would not give.
func TestAccessTokens(t *testing.T) {
	issuer, stranger := oauthtest.NewIssuer(t), oauthtest.NewIssuer(t)
	now := time.Now()
	source := "auth: {oauth: {issuer: '" + issuer.URL + "', audience: https://tools.example.com}}"
	p, err := newPolicy(t, "", source, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	token := func(i *oauthtest.Issuer, audience string, claims map[string]any) *http.Request {
		return request("", "Authorization: Bearer "+i.NewToken(audience, claims))
	}
	const us = "https://tools.example.com"
	for _, a := range []attempt{
		{name: "good", request: token(issuer, us, nil), caller: "alice"},
		{name: "of a client", request: token(issuer, us, map[string]any{"sub": nil, "client_id": "alice"}), caller: "client alice"},
		{name: "missing", request: request(""), status: 401, why: "this server has to know who calls"},
		{name: "wrong", request: request("", "Authorization: Bearer abc"), status: 401, code: "invalid_token", why: "is no access token"},
		{name: "expired", request: token(issuer, us, map[string]any{"exp": now.Add(-time.Second).Unix()}), status: 401, code: "invalid_token", why: "has expired"},
		{name: "without an end", request: token(issuer, us, map[string]any{"exp": nil}), status: 401, code: "invalid_token", why: "until when"},
		{name: "not yet", request: token(issuer, us, map[string]any{"nbf": now.Add(time.Hour).Unix()}), status: 401, code: "invalid_token", why: "holds only from"},
		{name: "foreign audience", request: token(issuer, "https://other.example.com", nil), status: 401, code: "invalid_token", why: "is for somebody else: for https://other.example.com"},
		{name: "no audience", request: token(issuer, us, map[string]any{"aud": nil}), status: 401, code: "invalid_token", why: "is for somebody else"},
		{name: "another issuer", request: token(stranger, us, nil), status: 401, code: "invalid_token", why: "is of another issuer"},
		{name: "another's key", request: token(stranger, us, map[string]any{"iss": issuer.URL}), status: 401, code: "invalid_token", why: "is not signed by a key of"},
		{name: "nobody", request: token(issuer, us, map[string]any{"sub": nil}), status: 401, code: "invalid_token", why: "names nobody"},
	} {
		t.Run(a.name, func(t *testing.T) { a.check(t, p) })
	}
	for name, claims := range map[string]map[string]any{
		"a text":        {"scope": "write read"},
		"a list":        {"scp": []string{"read", "write"}},
		"one as a text": {"scope": "read", "scp": "write"},
	} {
		t.Run("scopes as "+name, func(t *testing.T) {
			c, err := p.Authenticate(token(issuer, us, claims))
			if err != nil || !cmp.Equal(c.Scopes, []string{"read", "write"}) || c.Issuer != issuer.URL || c.Expires.IsZero() {
				t.Errorf("%+v %v", c, err)
			}
		})
	}
	t.Run("no answer", func(t *testing.T) {
		down, err := newPolicy(t, "", "auth: {oauth: {issuer: 'http://127.0.0.1:1', audience: a}}", nil)
		if err != nil {
			t.Fatal(err)
		}
		attempt{request: token(issuer, "a", map[string]any{"iss": "http://127.0.0.1:1"}), status: 503, why: "cannot be known at the moment"}.check(t, down)
	})
	t.Run("keys elsewhere", func(t *testing.T) {
		named, err := newPolicy(t, "", strings.Replace(source, "audience", "jwks: '"+stranger.URL+"/keys', audience", 1), nil)
		if err != nil {
			t.Fatal(err)
		}
		attempt{request: token(stranger, us, map[string]any{"iss": issuer.URL}), caller: "alice"}.check(t, named)
		attempt{request: token(issuer, us, nil), status: 401, code: "invalid_token", why: "is not signed"}.check(t, named)
	})
}

// TestRealIssuer checks the access tokens of a real authorization server, as JWTs and by introspection.
func TestRealIssuer(t *testing.T) {
	const us = "https://tools.example.com"
	for name, tt := range map[string]struct{ format, introspection string }{
		"JWT":           {format: "jwt"},
		"introspection": {format: "opaque", introspection: ", introspection: {url: 'ISSUER/token/introspection', client_id: confidential, client_secret: " + oauthtest.ConfidentialSecret + "}"},
	} {
		t.Run(name, func(t *testing.T) {
			server := oauthtest.Start(t, "TOKEN_FORMAT="+tt.format)
			now := time.Now()
			p, err := newPolicy(t, "", strings.ReplaceAll("auth: {oauth: {issuer: 'ISSUER', audience: "+us+tt.introspection+"}}", "ISSUER", server.URL), func() time.Time { return now })
			if err != nil {
				t.Fatal(err)
			}
			token := server.ServiceToken(us, "read")
			for _, r := range []*http.Request{request("", "Authorization: Bearer "+token), request("", "Authorization: Bearer "+token)} {
				c, err := p.Authenticate(r)
				if err != nil || !strings.Contains(c.Name, "service") || !cmp.Equal(c.Scopes, []string{"read"}) {
					t.Fatalf("%+v %v", c, err)
				}
			}
			attempt{request: request("", "Authorization: Bearer "+server.ServiceToken("https://other.example.com", "read")), status: 401, code: "invalid_token", why: "somebody else"}.check(t, p)
			attempt{request: request("", "Authorization: Bearer "+token+"x"), status: 401, code: "invalid_token"}.check(t, p)
			if tt.introspection == "" {
				now = now.Add(2 * time.Hour)
				attempt{request: request("", "Authorization: Bearer "+token), status: 401, code: "invalid_token", why: "has expired"}.check(t, p)
				return
			}
			server.Revoke("service", oauthtest.ServiceSecret, token)
			now = now.Add(time.Minute) // answers are used for less than that
			attempt{request: request("", "Authorization: Bearer "+token), status: 401, code: "invalid_token", why: "is not valid, or not any more"}.check(t, p)
			refused, err := newPolicy(t, "", strings.ReplaceAll("auth: {oauth: {issuer: 'ISSUER', audience: a, introspection: {url: 'ISSUER/token/introspection', client_id: confidential, client_secret: wrong}}}", "ISSUER", server.URL), nil)
			if err != nil {
				t.Fatal(err)
			}
			attempt{request: request("", "Authorization: Bearer "+token), status: 503, why: "does not say whether a token is valid"}.check(t, refused)
		})
	}
}

func TestTakeCall(t *testing.T) {
	now := time.Now()
	p, err := newPolicy(t, "", "rate: 2", func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if wait := p.TakeCall(t.Context(), "ann"); wait != 0 {
			t.Errorf("the first calls wait %v", wait)
		}
	}
	if wait := p.TakeCall(t.Context(), "ann"); wait != 500*time.Millisecond {
		t.Errorf("the third call waits %v", wait)
	}
	if wait := p.TakeCall(t.Context(), "bob"); wait != 0 {
		t.Errorf("another caller waits %v", wait)
	}
	now = now.Add(500 * time.Millisecond)
	if wait := p.TakeCall(t.Context(), "ann"); wait != 0 {
		t.Errorf("half a second later: %v", wait)
	}
	if err := update(t, p, "", "rate: 1000"); err != nil {
		t.Fatal(err)
	}
	now = now.Add(100 * time.Millisecond)
	for i := range 50 {
		if wait := p.TakeCall(t.Context(), "ann"); wait != 0 {
			t.Fatalf("call %d of a new rate waits %v", i, wait)
		}
	}
	if err := update(t, p, "", ""); err != nil {
		t.Fatal(err)
	}
	for range 5000 {
		if p.TakeCall(t.Context(), "ann") != 0 {
			t.Fatal("there is no rate")
		}
	}
}

// unreachable is a keychain that does not answer.
type unreachable struct{}

func (unreachable) Lookup(context.Context, string) (string, bool, error) {
	return "", false, context.DeadlineExceeded
}

// TestRefreshKeychain checks that tokens of the keychain come and go while those of the file stay.
func TestRefreshKeychain(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tokens.txt"), []byte("ann anns-token\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := newPolicy(t, dir, "auth: {tokens: {file: tokens.txt, keychain: [carol]}}", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		keychain secrets.Provider
		missing  []string
		fails    bool
		valid    []string // of anns-token, carols-token and next-token
	}{
		{"as it was", secrets.Given{"carol": "carols-token"}, nil, false, []string{"anns-token", "carols-token"}},
		{"another one", secrets.Given{"carol": "next-token"}, nil, false, []string{"anns-token", "next-token"}},
		{"no answer", unreachable{}, nil, true, []string{"anns-token", "next-token"}},
		{"that of somebody else", secrets.Given{"carol": "anns-token"}, nil, true, []string{"anns-token", "next-token"}},
		{"missing", secrets.Given{}, []string{"carol"}, false, []string{"anns-token"}},
		{"there again", secrets.Given{"carol": "carols-token"}, nil, false, []string{"anns-token", "carols-token"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			missing, err := p.RefreshKeychain(context.Background(), tt.keychain)
			if (err != nil) != tt.fails || !cmp.Equal(missing, tt.missing) {
				t.Errorf("%q %v", missing, err)
			}
			var valid []string
			for _, token := range []string{"anns-token", "carols-token", "next-token"} {
				if _, err := p.Authenticate(request("", "Authorization: Bearer "+token)); err == nil {
					valid = append(valid, token)
				}
			}
			if diff := cmp.Diff(tt.valid, valid); diff != "" {
				t.Error(diff)
			}
		})
	}
}
