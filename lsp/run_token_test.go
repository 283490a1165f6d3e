package lsp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// TestTokenAsSecret checks that in an editor the identity token of the caller is a
// secret, for which the client is asked by name.
func TestTokenAsSecret(t *testing.T) {
	issuer := oauthtest.NewIssuer(t)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, "{\"query\": %q}", r.URL.RawQuery)
	}))
	defer api.Close()
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`))
	text := fmt.Sprintf(`authServices:
  my-login: {kind: generic, authorizationServer: %q, audience: editor}
sources:
  api: {kind: http, baseUrl: %q}
tools:
  mine:
    kind: http
    source: api
    method: GET
    path: /mine
    description: What is mine 🔑
    queryParams:
      - {name: user, type: string, description: Who, authServices: [{name: my-login, field: sub}]}
`, issuer.URL, api.URL)
	w.write("tools.yaml", text)
	w.agent = uri.File(filepath.Join(w.dir, "tools.yaml"))
	w.open(w.agent, text)
	w.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: w.agent, Type: protocol.FileChangeTypeCreated}},
	})
	e := w.run("mine", "")
	if e.kind() != "needs" || e.Needs == nil || strings.Join(e.Needs.Secrets, " ") != "MY_LOGIN_TOKEN" {
		t.Fatalf("%+v %+v", e.Error, e.Needs)
	}
	e = w.run("mine", fmt.Sprintf(`,"secrets":{"MY_LOGIN_TOKEN":%q}`, issuer.NewToken("editor", nil)))
	if string(e.Value) != `{"query":"user=alice"}` && string(e.Value) != `{"query": "user=alice"}` {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	e = w.run("mine", fmt.Sprintf(`,"secrets":{"MY_LOGIN_TOKEN":%q}`, issuer.NewToken("else", nil)))
	if e.kind() != "denied" || e.Error.Details["reason"] != "audience" {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
}
