package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	kind "github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestUser checks that the person signs in once, in a browser that the run opens, and that later
// runs use the refresh token.
func TestUser(t *testing.T) {
	clients := map[string]struct {
		change func(*tool.AuthService)
		secret string
	}{
		"public":       {func(*tool.AuthService) {}, ""},
		"confidential": {func(s *tool.AuthService) { s.ClientID, s.ClientSecret = "confidential", "{{secrets.CRM}}" }, oauthtest.ConfidentialSecret},
		"by discovery": {func(s *tool.AuthService) {
			*s = tool.AuthService{Kind: "oidc", Issuer: strings.TrimSuffix(s.TokenURL, "/token"), ClientID: s.ClientID}
		}, ""},
		"another way back":   {func(s *tool.AuthService) { s.RedirectURL = "http://localhost/signed/in" }, ""},
		"a query in the URL": {func(s *tool.AuthService) { s.AuthorizationURL += "?prompt=consent" }, ""},
	}
	for name, tt := range clients {
		t.Run(name, func(t *testing.T) {
			r := newFixture(t, "TOKEN_SECONDS=5") // so short that each run renews it
			tt.change(&r.service)
			q := r.userRequest()
			q.Secrets = map[string]string{"CRM": tt.secret}
			var messages []string
			q.Report = func(p executor.Progress) { messages = append(messages, p.Message) }
			pages := make(chan string, 1)
			opened := 0
			show := browser(&oauthtest.Person{Name: "alice"}, pages)
			q.OpenURL = func(ctx context.Context, page string) error {
				opened++
				u, err := url.Parse(page)
				if err != nil || u.Query().Get("code_challenge_method") != "S256" || len(u.Query().Get("state")) < 32 {
					t.Errorf("%s %v", page, err)
				}
				return show(ctx, page)
			}
			r.run(q, "alice")
			if text := <-pages; !strings.Contains(text, "You are signed in") {
				t.Error(text)
			}
			if len(messages) != 1 || !strings.Contains(messages[0], "sign in at "+r.Host()) {
				t.Errorf("%q", messages)
			}
			r.run(q, "alice")
			r.run(q, "alice") // with the refresh token that the second run got
			if opened != 1 || r.GrantCount("authorization_code") != 1 || r.GrantCount("refresh_token") < 2 || r.GrantCount("error") != 0 {
				t.Errorf("%d pages, %d codes, %d renewals", opened, r.GrantCount("authorization_code"), r.GrantCount("refresh_token"))
			}
		})
	}
}

// TestSecretClientID checks that a client id that is a secret appears in no page that is shown.
func TestSecretClientID(t *testing.T) {
	r := newFixture(t)
	r.service.ClientID = ""
	q := r.userRequest()
	e := r.fails(q, executor.KindNeeds, "missing-secrets")
	if got := strings.Join(e.Needs.Secrets, " "); got != "127_0_0_1_CLIENT_ID 127_0_0_1_CLIENT_SECRET" {
		t.Error(got)
	}
	q.Secrets = map[string]string{"127_0_0_1_CLIENT_ID": "confidential", "127_0_0_1_CLIENT_SECRET": oauthtest.ConfidentialSecret}
	pages := make(chan string, 1)
	show := browser(&oauthtest.Person{Name: "alice"}, pages)
	q.OpenURL = func(ctx context.Context, page string) error {
		if strings.Contains(page, "confidential") || !strings.HasPrefix(page, "http://127.0.0.1:") {
			t.Error(page)
		}
		return show(ctx, page)
	}
	r.run(q, "alice")
	<-pages
}

// TestNeedsBrowser checks that the answer is the page if nothing can open it, and that the next
// call waits for the person.
func TestNeedsBrowser(t *testing.T) {
	r := newFixture(t)
	q := r.userRequest()
	person := &oauthtest.Person{Name: "bob"}
	e := r.fails(q, executor.KindNeeds, "sign-in")
	if !strings.HasPrefix(e.Needs.Browser, r.URL+"/auth?") || len(e.Attempts) != 0 {
		t.Fatalf("%+v %+v", e.Needs, e.Attempts)
	}
	waits := make(chan struct{})
	q.Report = func(executor.Progress) { close(waits) }
	go func() {
		<-waits
		if _, err := person.SignIn(e.Needs.Browser); err != nil {
			t.Error(err)
		}
	}()
	r.run(q, "bob")

	// Signed in before the next call.
	r.service.Scopes = []string{"openid", "write"}
	q = r.userRequest()
	e = r.fails(q, executor.KindNeeds, "sign-in")
	if _, err := person.SignIn(e.Needs.Browser); err != nil {
		t.Fatal(err)
	}
	r.run(q, "bob")

	// Refused before the next call, which hears of it; the one after that begins anew.
	r.service.Scopes = []string{"openid", "read", "write"}
	q = r.userRequest()
	e = r.fails(q, executor.KindNeeds, "sign-in")
	if _, err := (&oauthtest.Person{Name: "bob", Refuses: true}).SignIn(e.Needs.Browser); err != nil {
		t.Fatal(err)
	}
	r.fails(q, executor.KindDenied, "sign-in-denied")
	r.fails(q, executor.KindNeeds, "sign-in")
}

func TestDeniedConsent(t *testing.T) {
	r := newFixture(t)
	q := r.userRequest()
	pages := make(chan string, 1)
	q.OpenURL = browser(&oauthtest.Person{Name: "eve", Refuses: true}, pages)
	r.fails(q, executor.KindDenied, "sign-in-denied")
	if text := <-pages; !strings.Contains(text, "The sign-in failed") || !strings.Contains(text, "denied") {
		t.Error(text)
	}
}

// TestListener checks that only the right callback is accepted, and only once.
func TestListener(t *testing.T) {
	r := newFixture(t)
	visit := func(address string) (int, string) {
		resp, err := http.Get(address)
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		defer resp.Body.Close()
		if resp.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%v", resp.Header)
		}
		return resp.StatusCode, resp.Header.Get("Content-Type")
	}
	tests := []struct {
		name, query string
		kind        executor.ErrorKind
		code        string
	}{
		{"another state", "code=x&state=other", executor.KindDenied, "sign-in-state"},
		{"no state", "code=x", executor.KindDenied, "sign-in-state"},
		{"no code", "state=STATE", executor.KindRemote, "sign-in"},
		{"denied", "state=STATE&error=access_denied&error_description=no+<b>", executor.KindDenied, "sign-in-denied"},
		{"another error", "state=STATE&error=server_error", executor.KindRemote, "sign-in"},
		{"a code that was never given", "state=STATE&code=made-up", executor.KindRemote, "token-refused"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := r.userRequest()
			q.OpenURL = func(_ context.Context, page string) error {
				go func() {
					u, _ := url.Parse(page)
					back := u.Query().Get("redirect_uri")
					if status, _ := visit(strings.TrimSuffix(back, "/callback") + "/other"); status != http.StatusNotFound {
						t.Errorf("another path: %d", status)
					}
					end := back + "?" + strings.ReplaceAll(tt.query, "STATE", u.Query().Get("state"))
					if status, media := visit(end); status != http.StatusBadRequest || !strings.HasPrefix(media, "text/html") {
						t.Errorf("%d %s", status, media)
					}
				}()
				return nil
			}
			r.fails(q, tt.kind, tt.code)
		})
	}
	t.Run("again, while the code is exchanged", func(t *testing.T) {
		var back atomic.Value
		slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if status, _ := visit(back.Load().(string)); status != http.StatusGone {
				t.Errorf("%d", status)
			}
			w.WriteHeader(http.StatusBadRequest)
		}))
		defer slow.Close()
		r.service.TokenURL = slow.URL
		q := r.userRequest()
		q.OpenURL = func(_ context.Context, page string) error {
			u, _ := url.Parse(page)
			back.Store(u.Query().Get("redirect_uri") + "?code=x&state=" + u.Query().Get("state"))
			go visit(back.Load().(string))
			return nil
		}
		r.fails(q, executor.KindRemote, "token-refused")
		if _, err := http.Get(back.Load().(string)); err == nil {
			t.Error("it goes on listening")
		}
	})
}

// TestCancelledSignIn checks that a run that waits for a person ends when it is cancelled, and
// closes what it opened.
func TestCancelledSignIn(t *testing.T) {
	r := newFixture(t)
	q := r.userRequest()
	q.Tool.Spec.(*tool.HTTP).Timeout = "1" // is not the person's
	ctx, cancel := context.WithCancel(t.Context())
	var back string
	q.OpenURL = func(_ context.Context, page string) error {
		u, _ := url.Parse(page)
		back = u.Query().Get("redirect_uri")
		return nil
	}
	q.Report = func(executor.Progress) { cancel() }
	e := r.ex.Run(ctx, q)
	if e.OK || e.Error.Kind != executor.KindTimeout || e.Error.Code != "cancelled" {
		t.Errorf("%+v", e.Error)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, err := http.Get(back); err != nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the listener stays")
		}
	}
}

// TestSignInTimesOut checks that a run does not wait for ever, and that the next one asks again.
func TestSignInTimesOut(t *testing.T) {
	r := newFixture(t)
	r.ex = executor.New(executor.Options{
		Runners: map[tool.Kind]executor.Runner{tool.KindHTTP: kind.New(rest.Options{
			Tokens: oauth.New(oauth.Options{SignInTimeout: 500 * time.Millisecond}),
		})},
	})
	defer r.ex.Close()
	q := r.userRequest()
	opened := 0
	q.OpenURL = func(context.Context, string) error { opened++; return nil }
	r.fails(q, executor.KindTimeout, "sign-in")
	r.fails(q, executor.KindTimeout, "sign-in")
	if opened != 2 {
		t.Errorf("%d pages", opened)
	}
}

// TestBrowserThatDoesNotOpen checks that the answer is the page if the browser cannot be opened. The
// person can still sign in there, and another call waits for that.
func TestBrowserThatDoesNotOpen(t *testing.T) {
	r := newFixture(t)
	q := r.userRequest()
	opened := make(chan bool, 4)
	q.OpenURL = func(context.Context, string) error { opened <- true; return errors.New("no window") }
	e := r.fails(q, executor.KindNeeds, "sign-in")
	<-opened
	waiting := make(chan executor.Envelope, 1)
	go func() { waiting <- r.ex.Run(t.Context(), q) }()
	<-opened
	text, err := (&oauthtest.Person{Name: "alice"}).SignIn(e.Needs.Browser)
	if err != nil || !strings.Contains(text, "You are signed in") {
		t.Fatal(text, err)
	}
	if e := <-waiting; !e.OK {
		t.Errorf("%+v", e.Error)
	}
	r.run(q, "alice")
}

// TestCancelledWhilePageIsShown checks that nothing listens for a cancelled call.
func TestCancelledWhilePageIsShown(t *testing.T) {
	r := newFixture(t)
	q := r.userRequest()
	ctx, cancel := context.WithCancel(t.Context())
	var page string
	q.OpenURL = func(_ context.Context, url string) error { page = url; cancel(); return ctx.Err() }
	if e := r.ex.Run(ctx, q); e.OK || e.Needs != nil {
		t.Fatalf("%+v", e)
	}
	if _, err := (&oauthtest.Person{Name: "alice"}).SignIn(page); err == nil {
		t.Error("somebody listens")
	}
}

// TestRevoked checks that the person signs in again if the refresh token is no longer accepted.
func TestRevoked(t *testing.T) {
	r := newFixture(t)
	q := r.userRequest()
	pages := make(chan string, 2)
	opened := 0
	show := browser(&oauthtest.Person{Name: "alice"}, pages)
	q.OpenURL = func(ctx context.Context, page string) error { opened++; return show(ctx, page) }
	r.run(q, "alice")
	if got := r.GrantCount("authorization_code"); got != 1 {
		t.Fatalf("%d codes", got)
	}
	r.refuse = func(token string) bool {
		// The whole grant goes: this token, and the refresh token with it.
		r.Revoke("desktop", "", token)
		return false
	}
	e := r.fails(q, executor.KindRemote, "signed-out")
	if !strings.Contains(e.Error.Hint, "again") {
		t.Errorf("%+v", e.Error)
	}
	r.refuse = nil
	r.run(q, "alice")
	if opened != 2 || r.GrantCount("authorization_code") != 2 {
		t.Errorf("%d pages", opened)
	}
}

// TestDevice checks that a person can enter a code on another device.
func TestDevice(t *testing.T) {
	r := newFixture(t)
	r.service.AuthorizationURL, r.service.DeviceAuthorizationURL = "", r.URL+"/device/auth"
	q := r.userRequest()
	var message string
	q.Report = func(p executor.Progress) { message = p.Message }
	pages := make(chan string, 1)
	q.OpenURL = browser(&oauthtest.Person{Name: "alice"}, pages)
	r.run(q, "alice")
	if !strings.Contains(message, "with the code") {
		t.Error(message)
	}
	<-pages
}

// TestDeviceEnds checks what happens if the person refuses, or does nothing before the code
// expires.
func TestDeviceEnds(t *testing.T) {
	tests := []struct {
		name    string
		expires int
		says    string
		kind    executor.ErrorKind
		code    string
	}{
		{"denied", 60, "access_denied", executor.KindDenied, "sign-in-denied"},
		{"expired, says the service", 60, "expired_token", executor.KindTimeout, "sign-in"},
		{"expired", 1, "authorization_pending", executor.KindTimeout, "sign-in"},
		{"refused", 60, "invalid_client", executor.KindRemote, "token-refused"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newFixture(t)
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if req.URL.Path == "/token" {
					w.WriteHeader(http.StatusBadRequest)
					fmt.Fprintf(w, `{"error": %q}`, tt.says)
					return
				}
				fmt.Fprintf(w, `{"device_code": "d", "user_code": "u", "verification_uri": "http://%s/", "expires_in": %d, "interval": 1}`, req.Host, tt.expires)
			}))
			defer service.Close()
			r.service.AuthorizationURL, r.service.DeviceAuthorizationURL, r.service.TokenURL = "", service.URL+"/device", service.URL+"/token"
			q := r.userRequest()
			q.OpenURL = func(context.Context, string) error { return nil }
			r.fails(q, tt.kind, tt.code)
		})
	}
}

// TestSignInTogether checks that runs which need the same person open one page.
func TestSignInTogether(t *testing.T) {
	r := newFixture(t)
	pages := make(chan string, 8)
	var opened atomic.Int64
	person := browser(&oauthtest.Person{Name: "alice"}, pages)
	var waiting, all sync.WaitGroup
	waiting.Add(8)
	for range 8 {
		all.Go(func() {
			q := r.userRequest()
			q.OpenURL = func(ctx context.Context, page string) error {
				opened.Add(1)
				go func() {
					waiting.Wait() // all of them
					_ = person(ctx, page)
				}()
				return nil
			}
			q.Report = func(executor.Progress) { waiting.Done() }
			if e := r.ex.Run(t.Context(), q); !e.OK {
				t.Errorf("%+v", e.Error)
			}
		})
	}
	all.Wait()
	if opened.Load() != 1 || r.GrantCount("authorization_code") != 1 {
		t.Errorf("%d pages, %d codes", opened.Load(), r.GrantCount("authorization_code"))
	}
}

// TestCacheOfAnotherPerson checks that a person gets no cached answer of the person who signed in
// before.
func TestCacheOfAnotherPerson(t *testing.T) {
	r := newFixture(t)
	pages := make(chan string, 2)
	as := func(who string) executor.Request {
		q := r.userRequest()
		q.Tool.Hints.Cacheable = "true"
		q.OpenURL = browser(&oauthtest.Person{Name: who}, pages)
		return q
	}
	var token string
	r.refuse = func(got string) bool { token = got; return false }
	r.run(as("alice"), "alice")
	if e := r.run(as("alice"), "alice"); !e.Cached {
		t.Error("alice asked twice")
	}
	// The API takes the token no more, which shows in a call that is not cached.
	r.Revoke("desktop", "", token)
	fresh := as("alice")
	fresh.Fresh = true
	r.refuse = func(string) bool { return true }
	r.fails(fresh, executor.KindRemote, "signed-out")
	r.refuse = nil
	if e := r.run(as("bob"), "bob"); e.Cached {
		t.Error("bob got an old answer")
	}
	if e := r.run(as("bob"), "bob"); !e.Cached {
		t.Error("bob asked twice")
	}
}

// TestPortOfTheRedirect checks that the port of a redirect_url is free for the next sign-in once the
// person is back. While it is in use, the error names the address.
func TestPortOfTheRedirect(t *testing.T) {
	r := newFixture(t)
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.service.RedirectURL = "http://" + socket.Addr().String() + "/callback"
	pages := make(chan string, 2)
	sign := func(scope string) executor.Request {
		r.service.Scopes = []string{"openid", scope}
		q := r.userRequest()
		q.OpenURL = browser(&oauthtest.Person{Name: "alice"}, pages)
		return q
	}
	if e := r.fails(sign("read"), executor.KindNetwork, "listen"); !strings.Contains(e.Error.Message, socket.Addr().String()) {
		t.Errorf("%+v", e.Error)
	}
	if err := socket.Close(); err != nil {
		t.Fatal(err)
	}
	for _, scope := range []string{"read", "write"} {
		t.Run(scope, func(t *testing.T) {
			r.run(sign(scope), "alice")
			if text := <-pages; !strings.Contains(text, "You are signed in") {
				t.Error(text)
			}
		})
	}
}
