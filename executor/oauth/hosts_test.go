package oauth_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial/dialtest"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestIssuerHosts checks by the whole table that no issuer of a file leads to a forbidden host. An
// issuer on another machine is asked over TLS.
func TestIssuerHosts(t *testing.T) {
	for _, row := range dialtest.Rows() {
		t.Run(row.URL+" "+strings.Join(row.Allow, " "), func(t *testing.T) {
			url, want := row.URL, row.Reaches
			rest, plain := strings.CutPrefix(url, "http://")
			if slices.ContainsFunc(row.Allow, func(a string) bool { return strings.Contains(a, ":80") }) {
				return // the port of http alone
			}
			if plain {
				url = "https://" + rest
			}
			if address, usual := strings.CutSuffix(want, ":80"); usual && !strings.HasSuffix(strings.TrimRight(url, "/"), ":80") {
				want = address + ":443"
			}
			network := dialtest.New()
			client := oauth.New(oauth.Options{Dialer: network.Dialer()})
			kind := &echo{}
			x := executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{"echo": kind}, IdentityVerifier: client})
			tl := &tool.Tool{Name: "mine", Kind: "echo", Spec: &echoSpec{}}
			tl.AuthRequired = []string{"who"}
			q := executor.Request{Tool: tl, Trusted: true, Yes: true, AllowHosts: row.Allow}
			q.Environment.AuthServices = map[string]tool.AuthService{"who": {Kind: "oidc", Issuer: url, Audience: "us"}}
			claims := map[string]any{"iss": strings.TrimSpace(url), "aud": "us", "sub": "alice", "exp": time.Now().Add(time.Hour).Unix()}
			q.AuthTokens = map[string]string{"who": oauthtest.Sign(map[string]any{"alg": "RS256"}, claims, func([]byte) []byte { return []byte("x") })}
			e := x.Run(t.Context(), q)
			if e.OK || kind.calls != 0 {
				t.Errorf("%s: it ran", url)
			}
			var reached []string
			if want != "" {
				reached = []string{want}
			}
			if got := network.Reached(); !slices.Equal(got, reached) {
				t.Errorf("%s %q: reached %q, want %q: %+v", url, row.Allow, got, reached, e.Error)
			}
			if host, _ := e.Error.Details["host"].(string); row.Refused != "" && e.Error.Kind == executor.KindDenied && e.Error.Code == string(row.Refused) && host == "" {
				t.Errorf("%s: no host to allow: %+v", url, e.Error)
			}
			_, _ = x.Close(), client.Close()
		})
	}
}
