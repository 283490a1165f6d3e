package oauth_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/executor/state/redis"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/internal/redistest"
	"github.com/abl-lsp/abl-lsp/internal/secretservice"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestKeychain checks that a person who signed in need not do so again after a restart, in the
// same project, and that no name of a secret leads to the stored token.
func TestKeychain(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", secretservice.Start(t))
	r := newFixture(t)
	r.root = t.TempDir()
	pages := make(chan string, 3)
	opened := 0
	show := browser(&oauthtest.Person{Name: "alice"}, pages)
	request := func() executor.Request {
		q := r.userRequest()
		q.OpenURL = func(ctx context.Context, page string) error { opened++; return show(ctx, page) }
		return q
	}
	r.run(request(), "alice")
	<-pages
	for range 2 { // the second time with the refresh token that the first one got
		r.ex = newExecutor(t)
		r.run(request(), "alice")
	}
	if opened != 1 || r.GrantCount("refresh_token") != 2 {
		t.Errorf("%d pages, %d renewals", opened, r.GrantCount("refresh_token"))
	}
	if names, err := secrets.Keychain(r.root).Names(t.Context()); err != nil || len(names) > 0 {
		t.Errorf("%q %v", names, err)
	}

	// Not taken any more, it goes, and the person signs in again.
	token := ""
	r.refuse = func(got string) bool { token = got; return false }
	r.run(request(), "alice")
	r.refuse = nil
	r.Revoke("desktop", "", token)
	r.ex = newExecutor(t)
	r.run(request(), "alice")
	<-pages
	if opened != 2 {
		t.Errorf("%d pages", opened)
	}

	// Another project has sign-ins of its own.
	r.ex, r.root = newExecutor(t), t.TempDir()
	q := request()
	q.OpenURL = nil
	e := r.fails(q, executor.KindNeeds, "sign-in")
	if !strings.HasPrefix(e.Needs.Browser, r.URL) {
		t.Error(e.Needs.Browser)
	}

	// What another process of the project has renewed meanwhile is found there; what
	// this one has in memory is used up.
	r.Server = oauthtest.Start(t, "TOKEN_SECONDS=5") // so short that each run renews it
	r.service.AuthorizationURL, r.service.TokenURL = r.URL+"/auth", r.URL+"/token"
	opened = 0
	editor, terminal := r.ex, newExecutor(t)
	for _, r.ex = range []*executor.Executor{editor, terminal, editor, terminal, editor} {
		r.run(request(), "alice")
	}
	if opened != 1 {
		t.Errorf("%d pages", opened)
	}

	// Servers that share a Redis server renew one after the other: a refresh token is good once.
	server := redistest.Start(t)
	refused := r.GrantCount("error")
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	var all sync.WaitGroup
	for range 3 {
		ex := newSharingExecutor(t, server.URL())
		all.Go(func() {
			for range 5 {
				if e := ex.Run(ctx, r.userRequest()); !e.OK { // no one signs in again
					t.Errorf("%+v", e.Error)
				}
			}
		})
	}
	all.Wait()
	if got := r.GrantCount("error"); got != refused {
		t.Errorf("%d refused renewals", got-refused)
	}
}

// newSharingExecutor is [newExecutor] of a server that shares a Redis server with others.
func newSharingExecutor(t *testing.T, url string) *executor.Executor {
	t.Helper()
	shared, err := redis.Open(redis.Options{URL: url, Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	tokens := oauth.New(oauth.Options{State: shared})
	ex := executor.New(executor.Options{
		Runners:   map[tool.Kind]executor.Runner{tool.KindHTTP: http.New(rest.Options{Tokens: tokens})},
		LookupEnv: func(string) (string, bool) { return "", false },
		State:     shared,
	})
	t.Cleanup(func() {
		if err := errors.Join(ex.Close(), tokens.Close(), shared.Close()); err != nil {
			t.Error(err)
		}
	})
	return ex
}
