package mcp_test

import (
	"context"
	"encoding/json"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/internal/secretservice"
	"github.com/abl-lsp/abl-lsp/tool"
)

// signInFixture is a run's project whose server is protected by a real OAuth server.
type signInFixture struct {
	*fixture
	*oauthtest.Protected
	issuer *oauthtest.Server
	pages  atomic.Int64
}

func newSignInFixture(t *testing.T, issuer *oauthtest.Server) *signInFixture {
	t.Helper()
	s := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	for _, name := range []string{"whoami", "write", "echo_token"} {
		s.AddTool(&sdk.Tool{Name: name, InputSchema: anything}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			if name == "echo_token" {
				return textResult(r.Extra.Header.Get("Authorization")), nil
			}
			return textResult(r.Extra.Header.Get(oauthtest.SubjectHeader)), nil
		})
	}
	f := &signInFixture{issuer: issuer}
	f.Protected = f.issuer.Protect(t, sdk.NewStreamableHTTPHandler(func(*nethttp.Request) *sdk.Server { return s }, nil))
	f.Scopes = map[string]string{"write": "write"}
	f.fixture = newFixture(t, mcp.Options{}, one(tool.Server{URL: f.URL + "/mcp"}))
	f.signsIn(&oauthtest.Person{Name: "alice"})
	return f
}

// signsIn lets a person sign in at each page that a run opens.
func (f *signInFixture) signsIn(p *oauthtest.Person) {
	f.request.OpenURL = func(_ context.Context, page string) error {
		f.pages.Add(1)
		go func() { _, _ = p.SignIn(page) }() // the run tells how it ends
		return nil
	}
}

func (f *signInFixture) opened(want int64) {
	f.Helper()
	if n := f.pages.Swap(0); n != want {
		f.Errorf("%d pages were opened, want %d", n, want)
	}
}

func (f *signInFixture) settings(o tool.ServerOAuth) {
	s := f.request.Environment.Servers["s"]
	s.OAuth = &o
	f.request.Environment.Servers = one(s)
}

// TestSignIn checks a run from the first refusal to the answer: the person signs in once, the token
// is renewed, and a call that needs more scopes asks for them once.
func TestSignIn(t *testing.T) {
	t.Parallel()
	f := newSignInFixture(t, oauthtest.Start(t, "TOKEN_SECONDS=11")) // a token counts as expired ten seconds early
	e := f.run(reading("whoami"), "")
	if !e.OK || string(e.Value) != `"alice"` || len(e.Attempts) != 1 {
		t.Fatalf("%s %+v %+v", e.Value, e.Error, e.Attempts)
	}
	f.opened(1)
	if got := f.value(reading("echo_token"), ""); got != `"Bearer ••••(access token)"` {
		t.Error(got)
	}
	if got := f.value(reading("write"), ""); got != `"alice"` {
		t.Error(got)
	}
	f.opened(1)
	for range 2 {
		f.value(reading("write"), "")
		f.value(reading("whoami"), "")
	}
	f.opened(0)
	if n := f.issuer.GrantCount("authorization_code"); n != 2 {
		t.Errorf("%d codes", n)
	}
}

// TestSignInRenewed checks that an expired token is renewed without the person, and that the person
// signs in again where it cannot be.
func TestSignInRenewed(t *testing.T) {
	t.Parallel()
	f := newSignInFixture(t, oauthtest.Start(t, "TOKEN_SECONDS=5")) // so short that each run renews it
	for range 3 {
		f.value(reading("whoami"), "")
	}
	f.opened(1)
	if len(f.Tokens()) < 3 || f.issuer.GrantCount("refresh_token") < 2 {
		t.Errorf("%d tokens, %d renewals", len(f.Tokens()), f.issuer.GrantCount("refresh_token"))
	}
}

// TestSignInVariants runs the tests that can share an issuer.
func TestSignInVariants(t *testing.T) {
	t.Parallel()
	issuer := oauthtest.Start(t)
	t.Run("confirmed", func(t *testing.T) { testSignInConfirmed(t, issuer) })
	t.Run("refused", func(t *testing.T) { testSignInRefused(t, issuer) })
	t.Run("by a program", func(t *testing.T) { testSignInByProgram(t, issuer) })
}

// testSignInConfirmed checks that a confirmation outlasts the sign-in, that the answer has the page
// where none can be opened, and that the next call, with the same digest, waits for the person.
func testSignInConfirmed(t *testing.T, issuer *oauthtest.Server) {
	f := newSignInFixture(t, issuer)
	f.request.OpenURL = nil
	asking := reading("whoami")
	asking.Hints.SideEffects = ""
	f.request.Confirm = f.run(asking, "").Needs.Confirmation.Digest
	e := f.run(asking, "")
	if e.Needs == nil || !strings.HasPrefix(e.Needs.Browser, f.issuer.URL+"/auth?") || len(e.Attempts) != 0 {
		t.Fatalf("%+v %+v %+v", e.Needs, e.Error, e.Attempts)
	}
	if text, err := (&oauthtest.Person{Name: "bob"}).SignIn(e.Needs.Browser); err != nil || !strings.Contains(text, "You are signed in") {
		t.Fatal(text, err)
	}
	if got := f.value(asking, ""); got != `"bob"` {
		t.Error(got)
	}
	if e := f.run(asking, ""); e.Needs == nil || e.Needs.Confirmation == nil {
		t.Errorf("the digest is not used up: %+v", e)
	}
}

// TestSignInKept checks that the keychain has the client and the sign-in for later processes.
func TestSignInKept(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", secretservice.Start(t))
	f := newSignInFixture(t, oauthtest.Start(t))
	f.value(reading("whoami"), "")
	f.opened(1)
	before := f.request
	f.fixture = newFixture(t, mcp.Options{}, before.Environment.Servers)
	f.request = before
	f.value(reading("whoami"), "")
	f.opened(0)
	if f.issuer.GrantCount("refresh_token") != 1 {
		t.Errorf("%d renewals", f.issuer.GrantCount("refresh_token"))
	}
}

// testSignInRefused checks the sign-ins that must not, or cannot, lead to a token.
func testSignInRefused(t *testing.T, issuer *oauthtest.Server) {
	elsewhere := oauthtest.NewIssuer(t)
	for name, tt := range map[string]struct {
		change  func(*signInFixture)
		foreign bool // the issuer gives tokens for another resource
		kind    executor.ErrorKind
		code    string
		pages   int64
	}{
		"denied": {func(f *signInFixture) { f.signsIn(&oauthtest.Person{Name: "eve", Refuses: true}) }, false, executor.KindDenied, "sign-in-denied", 1},
		"another resource": {func(f *signInFixture) {
			f.Metadata = func(m map[string]any) { m["resource"] = "https://bank.example.com/mcp" }
		}, false, executor.KindDenied, "resource-mismatch", 0},
		"another issuer than the project's": {func(f *signInFixture) { f.settings(tool.ServerOAuth{Issuer: "https://login.example.com"}) }, false, executor.KindDenied, "issuer-mismatch", 0},
		"no PKCE": {func(f *signInFixture) {
			f.Metadata = func(m map[string]any) { m["authorization_servers"] = []string{elsewhere.URL} }
		}, false, executor.KindDenied, "no-pkce", 0},
		"no issuer": {func(f *signInFixture) {
			f.Metadata = func(m map[string]any) { delete(m, "authorization_servers") }
		}, false, executor.KindRemote, "discovery", 0},
		"not encrypted": {func(f *signInFixture) {
			f.Metadata = func(m map[string]any) { m["authorization_servers"] = []string{"http://login.example.com"} }
		}, false, executor.KindDenied, "plain-http", 0},
		"metadata that is not encrypted": {func(f *signInFixture) { f.Place = "http://login.example.com/metadata" }, false, executor.KindDenied, "plain-http", 0},
		"a private issuer": {func(f *signInFixture) {
			f.Metadata = func(m map[string]any) { m["authorization_servers"] = []string{"https://10.1.2.3"} }
		}, false, executor.KindDenied, "private-address", 0},
		"a foreign audience":       {func(*signInFixture) {}, true, executor.KindRemote, "token-rejected", 1},
		"a scope that no one gets": {func(f *signInFixture) { f.Scopes["whoami"] = "root" }, false, executor.KindRemote, "insufficient-scope", 2},
		"nobody there":             {func(f *signInFixture) { f.request.OpenURL, f.request.Unattended = nil, true }, false, executor.KindNeeds, "sign-in", 0},
		"a client that is not known": {func(f *signInFixture) {
			f.settings(tool.ServerOAuth{ClientID: "service", ClientSecret: "wrong", Issuer: f.issuer.URL, Grant: "client_credentials"})
		}, false, executor.KindRemote, "token-refused", 0},
	} {
		t.Run(name, func(t *testing.T) {
			at := issuer
			if tt.foreign {
				at = oauthtest.Start(t, "FOREIGN_AUDIENCE=https://bank.example.com")
			}
			f := newSignInFixture(t, at)
			tt.change(f)
			e := f.run(reading("whoami"), "")
			if e.OK || e.Error.Kind != tt.kind || e.Error.Code != tt.code {
				t.Errorf("%+v", e.Error)
			}
			f.opened(tt.pages)
			if len(f.Tokens()) > 0 && tt.code != "insufficient-scope" {
				t.Errorf("%d tokens were accepted", len(f.Tokens()))
			}
		})
	}
}

// testSignInByProgram checks that a program gets a token with a secret of its own, which goes to the
// issuer alone.
func testSignInByProgram(t *testing.T, issuer *oauthtest.Server) {
	f := newSignInFixture(t, issuer)
	f.settings(tool.ServerOAuth{ClientID: "service", ClientSecret: "{{secrets.KEY}}", Issuer: f.issuer.URL, Grant: "client_credentials"})
	e := f.run(reading("whoami"), "")
	if e.Needs == nil || strings.Join(e.Needs.Secrets, " ") != "KEY" {
		t.Fatalf("%+v", e.Error)
	}
	f.request.Secrets = map[string]string{"KEY": oauthtest.ServiceSecret}
	f.request.AskSecrets, f.request.RememberedSecrets = true, []string{"KEY"}
	e = f.run(reading("whoami"), "")
	if e.Needs == nil || len(e.Needs.Permission) != 1 || e.Needs.Permission[0].Resource != "KEY 127.0.0.1" {
		t.Fatalf("%+v", e.Error)
	}
	f.request.Grants = e.Needs.Permission
	if got := f.value(reading("whoami"), ""); got != `"service"` {
		t.Error(got)
	}
	f.opened(0)
	preview := f.executor.Preview(t.Context(), executor.Request{Tool: reading("whoami"), Environment: f.request.Environment})
	if raw, _ := json.Marshal(preview); !preview.OK || strings.Contains(string(raw), "Bearer") {
		t.Errorf("%s", raw)
	}
}

// TestSignInSettings checks the settings that cannot work.
func TestSignInSettings(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		server tool.Server
		says   string
	}{
		"a process":           {tool.Server{Command: "x", OAuth: &tool.ServerOAuth{}}, "oauth goes with transport: http"},
		"a header":            {tool.Server{URL: "https://s", Headers: map[string]string{"authorization": "Bearer x"}, OAuth: &tool.ServerOAuth{}}, "both say who calls"},
		"a secret for anyone": {tool.Server{URL: "https://s", OAuth: &tool.ServerOAuth{ClientID: "a", ClientSecret: "b"}}, "oauth.issuer is missing"},
		"a secret of no one":  {tool.Server{URL: "https://s", OAuth: &tool.ServerOAuth{ClientSecret: "b"}}, "needs the client_id"},
		"another grant":       {tool.Server{URL: "https://s", OAuth: &tool.ServerOAuth{Grant: "password"}}, "password is none of"},
		"a program unnamed":   {tool.Server{URL: "https://s", OAuth: &tool.ServerOAuth{Grant: "client_credentials"}}, "needs a client_id"},
	} {
		t.Run(name, func(t *testing.T) {
			newFixture(t, mcp.Options{}, one(tt.server)).fails(reading("x"), "", executor.KindDefinition, tt.says)
		})
	}
}

// TestUnprotected checks that a server which rejects the call and names no issuer is an error like
// before, and that it is not asked over and over.
func TestUnprotected(t *testing.T) {
	t.Parallel()
	var calls, questions atomic.Int64
	s := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if r.Method == nethttp.MethodPost {
			calls.Add(1)
			w.WriteHeader(nethttp.StatusUnauthorized)
			return
		}
		questions.Add(1)
		nethttp.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	f := newFixture(t, mcp.Options{}, one(tool.Server{URL: s.URL + "/mcp"}))
	e := f.fails(reading("whoami"), "", executor.KindRemote, "answered 401 Unauthorized")
	if !strings.Contains(e.Error.Hint, "Authorization") || calls.Load() != 2 || questions.Load() != 4 || len(e.Attempts) != 1 {
		t.Errorf("%q, %d calls, %d questions, %d attempts", e.Error.Hint, calls.Load(), questions.Load(), len(e.Attempts))
	}
}
