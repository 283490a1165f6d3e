package mcpserver

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/internal/callers"
	"github.com/abl-lsp/abl-lsp/internal/operator"
)

// TestWhilePermitted checks that a stream ends soon after its caller may not have it any more, and goes
// on otherwise.
func TestWhilePermitted(t *testing.T) {
	dir := t.TempDir()
	permit := func(t *testing.T, p *callers.Policy, tokens string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "tokens.txt"), []byte(tokens), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := operator.Parse(filepath.Join(dir, "operator.yaml"), "auth: {tokens: {file: tokens.txt}}", nil)
		if err == nil {
			err = p.Update(t.Context(), c, secrets.Given{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		tokens string // the later ones
		ends   bool
	}{
		"the same tokens":   {"ann anns-token\n", false},
		"a further caller":  {"ann anns-token\nbob bobs-token\n", false},
		"without her":       {"bob bobs-token\n", true},
		"with another one":  {"ann another-token\n", true},
		"without any token": {"", true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := callers.New(callers.Options{})
				permit(t, p, "ann anns-token\n")
				s := &Server{opts: Options{Callers: p}}
				var streamed *http.Request
				stop := func() {}
				r := httptest.NewRequest(http.MethodGet, "/mcp", nil)
				r.Header.Set("Authorization", "Bearer anns-token")
				s.requireCaller(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { streamed, stop = s.whilePermitted(r) })).ServeHTTP(httptest.NewRecorder(), r)
				time.Sleep(2*recheckInterval + time.Second)
				if streamed == nil || streamed.Context().Err() != nil {
					t.Fatal("it ends although its caller is permitted")
				}
				permit(t, p, tt.tokens)
				time.Sleep(recheckInterval + time.Second)
				if ended := streamed.Context().Err() != nil; ended != tt.ends {
					t.Errorf("it has ended: %v", ended)
				}
				stop()
				if streamed.Context().Err() == nil {
					t.Error("it goes on after stop")
				}
			})
		})
	}
	t.Run("an unknown caller", func(t *testing.T) {
		r := httptest.NewRequest(http.MethodGet, "/mcp", nil)
		permitted, stop := (&Server{}).whilePermitted(r)
		stop()
		if permitted != r {
			t.Error("nothing is checked, and it is another request")
		}
	})
}
