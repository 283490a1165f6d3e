package oauth_test

import (
	nethttp "net/http"
	"net/http/httptest"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// BenchmarkCachedToken measures a run with a cached token, and for comparison a run that sends the
// tool's own token.
func BenchmarkCachedToken(b *testing.B) {
	login := httptest.NewServer(respondWith(200, "application/json", `{"access_token": "token-token-token", "token_type": "Bearer", "expires_in": 3600}`))
	defer login.Close()
	api := httptest.NewServer(nethttp.HandlerFunc(func(nethttp.ResponseWriter, *nethttp.Request) {}))
	defer api.Close()
	for auth, config := range map[string]*tool.AuthConfig{
		"bearer":        {Token: "token-token-token"},
		"oauth2_client": {TokenURL: login.URL, ClientID: "me", ClientSecret: "crm-secret-42"},
	} {
		b.Run(auth, func(b *testing.B) {
			ex := executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindHTTP: http.New(rest.Options{})}})
			defer ex.Close()
			q := executor.Request{
				Tool: &tool.Tool{Name: "whoami", Kind: tool.KindHTTP, Spec: &tool.HTTP{
					Method: "GET", Endpoint: api.URL, Auth: auth, AuthConfig: config,
				}},
				Trusted: true, AllowHosts: []string{"127.0.0.1"},
			}
			for b.Loop() {
				if e := ex.Run(b.Context(), q); !e.OK {
					b.Fatal(e.Error)
				}
			}
		})
	}
}
