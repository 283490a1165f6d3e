package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// signInText is a tool whose person signs in at a service of the project.
const signInText = `TOOLS:
  whoami() -> {who: string}
    description: "Whose token it is 🔑"
    type: http
    endpoint: "API/me"
    method: GET
    auth: oauth2_user
    auth_config:
      provider: crm
`

// openSignIn opens that tool. There is a real OAuth server, and an API that accepts its
// tokens.
func openSignIn(t *testing.T, options ...func(*protocol.InitializeParams)) *workspace {
	t.Helper()
	server := oauthtest.Start(t)
	api := httptest.NewServer(http.HandlerFunc(server.ServeAPI))
	t.Cleanup(api.Close)
	w := openWorkspace(t, append(options, lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`))...)
	w.write("abl.yaml", fmt.Sprintf("auth_services:\n  crm: {kind: oidc, issuer: %q, client_id: desktop}\n", server.URL))
	text := strings.ReplaceAll(signInText, "API", api.URL)
	w.write("crm.tools.abl", text)
	w.agent = uri.File(filepath.Join(w.dir, "crm.tools.abl"))
	w.open(w.agent, text)
	w.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: uri.File(filepath.Join(w.dir, "abl.yaml")), Type: protocol.FileChangeTypeCreated}},
	})
	return w
}

// signInMCPText is a tool of an MCP server that asks for a sign-in.
const signInMCPText = `TOOLS:
  whoami() -> {who: string}
    description: "Whose token it is 🔑"
    type: mcp
    server: crm
    hints:
      side_effects: false
`

// openMCPSignIn opens that tool. The server is protected by a real OAuth server.
func openMCPSignIn(t *testing.T, options ...func(*protocol.InitializeParams)) *workspace {
	t.Helper()
	s := sdk.NewServer(&sdk.Implementation{Name: "crm", Version: "1"}, nil)
	s.AddTool(&sdk.Tool{Name: "whoami", InputSchema: json.RawMessage(`{"type": "object"}`)}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{StructuredContent: map[string]string{"who": r.Extra.Header.Get(oauthtest.SubjectHeader)}, Content: []sdk.Content{}}, nil
	})
	protected := oauthtest.Start(t).Protect(t, sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
	w := openWorkspace(t, append(options, lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`))...)
	w.write("abl.yaml", fmt.Sprintf("servers:\n  crm: {transport: http, url: %q}\n", protected.URL+"/mcp"))
	w.write("crm.tools.abl", signInMCPText)
	w.agent = uri.File(filepath.Join(w.dir, "crm.tools.abl"))
	w.open(w.agent, signInMCPText)
	w.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: uri.File(filepath.Join(w.dir, "abl.yaml")), Type: protocol.FileChangeTypeCreated}},
	})
	return w
}

// TestSignInInBrowser checks that the client shows the page in the person's browser while
// the run waits.
func TestSignInInBrowser(t *testing.T) {
	for name, open := range map[string]func(*testing.T, ...func(*protocol.InitializeParams)) *workspace{"http": openSignIn, "mcp": openMCPSignIn} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			signInInBrowser(t, open)
		})
	}
}

func signInInBrowser(t *testing.T, open func(*testing.T, ...func(*protocol.InitializeParams)) *workspace) {
	t.Helper()
	shows := func(p *protocol.InitializeParams) {
		p.Capabilities.Window = &protocol.WindowClientCapabilities{ShowDocument: &protocol.ShowDocumentClientCapabilities{Support: true}, WorkDoneProgress: new(true)}
	}
	w := open(t, shows)
	w.Answer(protocol.MethodWindowShowDocument, func(params jsonrpc2.RawMessage) (any, error) {
		var asked struct {
			URI      string // as received, not decoded by a library
			External bool
		}
		if err := json.Unmarshal(params, &asked); err != nil || !asked.External {
			t.Errorf("%s %v", params, err)
		}
		go func() {
			text, err := (&oauthtest.Person{Name: "alice"}).SignIn(asked.URI)
			if err != nil || !strings.Contains(text, "You are signed in") {
				t.Errorf("%s: %s %v", asked.URI, text, err)
			}
		}()
		return protocol.ShowDocumentResult{Success: true}, nil
	})
	for range 2 {
		if e := w.run("whoami", ""); !e.OK || string(e.Value) != `{"who":"alice"}` {
			t.Fatalf("%s %+v", e.Value, e.Error)
		}
	}
	if n := len(w.Messages(protocol.MethodWindowShowDocument)); n != 1 {
		t.Errorf("%d pages", n)
	}
	w.Await(protocol.MethodProgress, func(params jsonrpc2.RawMessage) bool {
		return strings.Contains(string(params), "sign in at 127.0.0.1")
	})
}

// TestSignInAtPageNotShown has a client that answers that it has not shown the page, or
// null. It gets the page as the answer of the run, and a sign-in there counts.
func TestSignInAtPageNotShown(t *testing.T) {
	for name, answer := range map[string]any{"false": protocol.ShowDocumentResult{}, "null": nil} {
		t.Run(name, func(t *testing.T) {
			w := openSignIn(t, func(p *protocol.InitializeParams) {
				p.Capabilities.Window = &protocol.WindowClientCapabilities{ShowDocument: &protocol.ShowDocumentClientCapabilities{Support: true}}
			})
			w.Answer(protocol.MethodWindowShowDocument, func(jsonrpc2.RawMessage) (any, error) { return answer, nil })
			e := w.run("whoami", "")
			if e.kind() != "needs" || e.Needs.Browser == "" {
				t.Fatalf("%+v", e.Error)
			}
			if text, err := (&oauthtest.Person{Name: "carol"}).SignIn(e.Needs.Browser); err != nil || !strings.Contains(text, "You are signed in") {
				t.Fatal(text, err)
			}
			if e := w.run("whoami", ""); !e.OK || string(e.Value) != `{"who":"carol"}` {
				t.Errorf("%s %+v", e.Value, e.Error)
			}
		})
	}
}

// TestSignInWithoutBrowser has a client that shows no pages. It gets the page as the
// answer of the run, and calls again.
func TestSignInWithoutBrowser(t *testing.T) {
	w := openSignIn(t)
	e := w.run("whoami", "")
	if e.kind() != "needs" || e.Needs.Browser == "" {
		t.Fatalf("%+v", e.Error)
	}
	waiting := w.start(jsonrpc2.NewStringID("again"), "abl.run", "whoami", "")
	if _, err := (&oauthtest.Person{Name: "bob"}).SignIn(e.Needs.Browser); err != nil {
		t.Fatal(err)
	}
	if e := w.wait(waiting); !e.OK || string(e.Value) != `{"who":"bob"}` {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
}

// TestCancelledSignIn: a run that waits for the person ends when it is cancelled.
func TestCancelledSignIn(t *testing.T) {
	w := openSignIn(t, lsptest.WithProgress())
	if e := w.run("whoami", ""); e.kind() != "needs" {
		t.Fatalf("%+v", e.Error)
	}
	waiting := w.start(jsonrpc2.NewStringID("in vain"), "abl.run", "whoami", "")
	w.Await(protocol.MethodProgress, func(params jsonrpc2.RawMessage) bool {
		return strings.Contains(string(params), "sign in at 127.0.0.1")
	})
	waiting.Cancel()
	var raw protocol.LSPAny
	if err := waiting.Wait(&raw); err == nil && !strings.Contains(string(raw), `"cancelled"`) {
		t.Errorf("%s", raw)
	}
}
