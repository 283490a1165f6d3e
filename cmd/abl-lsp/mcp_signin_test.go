package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
)

// mcpSignIn returns a file with a tool that needs a sign-in. It starts a real OAuth
// server and an API.
func mcpSignIn(t *testing.T) (file string) {
	t.Helper()
	server := oauthtest.Start(t)
	api := httptest.NewServer(http.HandlerFunc(server.ServeAPI))
	t.Cleanup(api.Close)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"abl.yaml":      "auth_services:\n  crm: {kind: oidc, issuer: " + server.URL + ", client_id: desktop}\n",
		"crm.tools.abl": "TOOLS:\n  whoami() -> {who: string}\n    description: \"🔑\"\n    type: http\n    endpoint: \"" + api.URL + "/me\"\n    method: GET\n    auth: oauth2_user\n    auth_config:\n      provider: crm\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "crm.tools.abl")
}

// callOver calls a tool without arguments in a client of its own.
func callOver(t *testing.T, file, name, version string, o *sdk.ClientOptions) *sdk.CallToolResult {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "mcp", file, "--allow-host", "127.0.0.1")
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir())
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o).
		Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close() // otherwise the test's context ends it
	r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestMCPSignIn checks that the client is asked to open the sign-in page by elicitation,
// in each form of the protocol, and that a client that shows no pages gets it in the
// answer.
func TestMCPSignIn(t *testing.T) {
	file := mcpSignIn(t)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			for _, action := range []string{"accept", "decline"} {
				t.Run(action, func(t *testing.T) {
					var questions []string
					o := &sdk.ClientOptions{
						Capabilities: &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{URL: &sdk.URLElicitationCapabilities{}}},
						ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
							questions = append(questions, r.Params.Mode+" "+r.Params.Message)
							if action == "accept" {
								if text, err := (&oauthtest.Person{Name: "alice"}).SignIn(r.Params.URL); err != nil || !strings.Contains(text, "You are signed in") {
									t.Errorf("%s %v", text, err)
								}
							}
							return &sdk.ElicitResult{Action: action}, nil
						},
					}
					r := callOver(t, file, "whoami", version, o)
					text := r.Content[0].(*sdk.TextContent).Text
					if r.IsError != (action == "decline") || len(questions) != 1 || questions[0] != "url Sign in, so that whoami can run." || action == "accept" && !strings.Contains(text, `"alice"`) {
						t.Errorf("%s %s: %s %q", version, action, text, questions)
					}
				})
			}
			r := callOver(t, file, "whoami", version, nil)
			if text := r.Content[0].(*sdk.TextContent).Text; !r.IsError || !strings.Contains(text, "Open this page, sign in, and call again: http://127.0.0.1:") {
				t.Errorf("%s: %s", version, text)
			}
		})
	}
}
