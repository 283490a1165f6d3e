package conformance

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// testIdentity: an argument that comes from the caller's token has the token's value, even if
// the call gives another value.
func testIdentity(t *testing.T, k Kind) {
	issuer, client := oauthtest.NewIssuer(t), oauth.New(oauth.Options{})
	defer client.Close()
	x := executor.New(executor.Options{
		Runners:          map[tool.Kind]executor.Runner{k.Echo.Kind: k.Runner},
		LookupEnv:        func(string) (string, bool) { return "", false },
		IdentityVerifier: client,
	})
	mine := k.Echo
	mine.Params = slices.Clone(mine.Params)
	mine.Params[0].AuthServices = []tool.AuthClaim{{Name: "who", Field: "sub"}}
	r := k.request(mine, `{"text": "mallory", "n": 1}`)
	r.AllowHosts = append(slices.Clone(r.AllowHosts), issuer.Host())
	r.Environment.AuthServices = maps.Clone(r.Environment.AuthServices)
	if r.Environment.AuthServices == nil {
		r.Environment.AuthServices = map[string]tool.AuthService{}
	}
	r.Environment.AuthServices["who"] = tool.AuthService{Kind: "oidc", Issuer: issuer.URL, Audience: "us"}
	r.AuthTokens = map[string]string{"who": issuer.NewToken("us", map[string]any{"sub": "alice"})}
	e := x.Run(t.Context(), r)
	requireSuccess(t, e)
	if got := formatEnvelope(e); !strings.Contains(string(e.Value), "alice") || strings.Contains(string(e.Value), "mallory") || strings.Contains(got, r.AuthTokens["who"]) {
		t.Errorf("%s", got)
	}
	before := k.Calls()
	r.AuthTokens = map[string]string{"who": issuer.NewToken("them", nil)}
	requireFailure(t, x.Run(t.Context(), r), executor.KindDenied)
	if k.Calls() != before {
		t.Error("a call with another's token was sent")
	}
}
