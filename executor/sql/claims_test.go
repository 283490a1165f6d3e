package sql_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/sql"
	"github.com/abl-lsp/abl-lsp/tool"
)

// claims is a verifier that takes the token itself as its claims.
type claims struct{}

func (claims) Identify(_ context.Context, _ executor.Call, _ string, _ tool.AuthService, token string) (map[string]any, error) {
	return map[string]any{"table": token}, nil
}

// TestPastedClaim checks that a caller cannot set a template parameter that a token sets, and that
// its value is pasted with the same checks.
func TestPastedClaim(t *testing.T) {
	s := sqliteSession(t)
	s.x = executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindSQL: sql.New(sql.Options{})}, IdentityVerifier: claims{}})
	t.Cleanup(func() { _ = s.x.Close() })
	s.req.Environment.AuthServices = map[string]tool.AuthService{"login": {Kind: "oidc", Issuer: "https://login.example.com", Audience: "us"}}
	tl := pasting("SELECT name FROM {{.table}}", `{"table": {"type": "string", "auth_services": [{"name": "login", "field": "table"}]}}`)
	for range 20 { // whatever stands in for the claim
		r := s.req
		r.Tool, r.Trusted = &tl, true
		e := s.x.Preview(t.Context(), r)
		if shown, _ := json.Marshal(e); e.Error != nil || !strings.Contains(string(shown), "FROM ••••(login.table)") {
			t.Fatalf("%s %+v", shown, e.Error)
		}
	}
	if e := s.run(tl, `{"table": "sqlite_schema"}`); e.OK || e.Error.Code != "missing-token" || !strings.Contains(strings.Join(e.Warnings, " "), `"table" was ignored`) {
		t.Errorf("%s %+v %q", e.Value, e.Error, e.Warnings)
	}
	s.req.AuthTokens = map[string]string{"login": "sqlite_schema"}
	if got := s.ok(tl, `{"table": "nobody"}`); got != "[]" {
		t.Error(got)
	}
	s.req.AuthTokens = map[string]string{"login": "x; DROP TABLE x"}
	if e := s.run(tl, ""); e.OK || e.Error.Code != "not-allowed" {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
}
