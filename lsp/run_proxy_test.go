package lsp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// TestRunThroughProxy checks that the requests of a run go through the person's proxy,
// and that refused requests never reach it.
func TestRunThroughProxy(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, "{\"asked\": %q}", r.URL)
	}))
	defer proxy.Close()
	w := openWorkspace(t, lsptest.WithOptions(fmt.Sprintf(`{"trusted":true,"proxy":%q}`, proxy.URL)))
	text := "AGENT: A\nGOAL: \"🛫\"\nTOOLS:\n"
	for name, url := range map[string]string{"public": "http://8.8.8.8/x", "private": "http://10.0.0.1/x"} {
		text += fmt.Sprintf("  %s() -> object\n    type: http\n    endpoint: %q\n    method: GET\n", name, url)
	}
	w.open(w.agent, text)
	if e := w.run("public", ""); string(e.Value) != `{"asked":"http://8.8.8.8/x"}` && string(e.Value) != `{"asked": "http://8.8.8.8/x"}` {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	settings := func(proxy string) {
		w.Notify(protocol.MethodWorkspaceDidChangeConfiguration, map[string]any{"settings": map[string]any{"abl": map[string]any{"proxy": proxy}}})
	}
	settings("none")
	if e := w.run("public", ""); e.kind() != "arguments" || e.Error.Code != "proxy" {
		t.Errorf("a wrong proxy: %+v", e.Error)
	}
	settings(proxy.URL)
	if e := w.run("private", ""); e.kind() != "denied" || e.Error.Details["host"] != "10.0.0.1" {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
}
