package lsp

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

const mcpTool = "TOOLS:\n  ab() -> string\n    description: \"A\"\n    type: mcp\n    server: maps\n"

// wantCodes waits until the diagnostics that are published for a document have these
// codes.
func wantCodes(t *testing.T, c testClient, u uri.URI, want ...string) {
	t.Helper()
	c.Until("the codes "+fmt.Sprint(want), func(messages []lsptest.Message) bool {
		codes := []string{"nothing yet"}
		for _, m := range messages {
			var params protocol.PublishDiagnosticsParams
			if protocol.Unmarshal(m.Params, &params) != nil || m.Method != protocol.MethodTextDocumentPublishDiagnostics || params.URI != u {
				continue
			}
			codes = nil
			for _, d := range params.Diagnostics {
				codes = append(codes, fmt.Sprint(d.Code, " ", int(d.Severity)))
			}
		}
		return slices.Equal(codes, want)
	})
}

// TestProjectFile opens, edits and closes the project's file, and changes it on disk
// without telling the server.
func TestProjectFile(t *testing.T) {
	f := newTestFolder(t)
	if err := os.Mkdir(f.join("tools"), 0o700); err != nil {
		t.Fatal(err)
	}
	f.write("abl.yaml", "servers: {maps: {}}\n")
	lib, project := uri.File(f.join("tools/a.tools.abl")), uri.File(f.join("abl.yaml"))
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path))
	c.Open(lib, mcpTool)
	wantCodes(t, c, lib)
	c.Open(project, "servers: {map: {}}\n")
	wantCodes(t, c, lib, "unknown-server 2")
	c.Change(project, 2, lsptest.ReplaceAll("functions: {}\n"))
	wantCodes(t, c, lib, "unknown-server 4")
	c.Close(project)
	wantCodes(t, c, lib)

	f.write("tools/abl.yaml", "servers: {}\n")
	c.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: uri.File(f.join("tools/abl.yaml")), Type: protocol.FileChangeTypeCreated}},
	})
	wantCodes(t, c, lib, "unknown-server 2")
	c.Close(lib)
	c.echo(t)
	if at := c.server.session.load().workspace; len(at.Paths())+len(at.Dotenvs()) > 0 {
		t.Errorf("%q and %q are left", at.Paths(), at.Dotenvs())
	}
}

// TestProjectFileOutside has a project file above the folder of a workspace that is not
// trusted.
func TestProjectFileOutside(t *testing.T) {
	f := newTestFolder(t)
	f.write("../abl.yaml", "servers: {}\n")
	lib := uri.File(f.join("a.tools.abl"))
	for trusted, want := range map[string]string{"false": "unknown-server 4", "true": "unknown-server 2"} {
		t.Run("trusted "+trusted, func(t *testing.T) {
			c := startClient(t)
			c.Initialize(lsptest.WithFolders(f.path), lsptest.WithOptions(`{"trusted":`+trusted+`}`))
			c.Open(lib, mcpTool)
			wantCodes(t, c, lib, want)
		})
	}
}

// TestDotenvBuffer checks that the names in an open .env count, not those on disk.
func TestDotenvBuffer(t *testing.T) {
	f := newTestFolder(t)
	f.write("abl.yaml", "secrets: {providers: [dotenv]}\n")
	f.write(".env", "OLD=1\n")
	lib, env := uri.File(f.join("a.tools.abl")), uri.File(f.join(".env"))
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path))
	c.Open(lib, "TOOLS:\n  ab() -> string\n    description: \"A\"\n    type: http\n    method: GET\n"+
		"    endpoint: \"https://example.com/\"\n    headers:\n      X: \"{{secrets.KEY}}\"\n")
	wantCodes(t, c, lib, "unknown-secret 2")
	c.Open(env, "KEY=1\n")
	wantCodes(t, c, lib)
	c.Change(env, 2, lsptest.ReplaceAll("KE=1\n"))
	wantCodes(t, c, lib, "unknown-secret 2")
	c.Change(env, 3, lsptest.ReplaceAll("export KEY = 🚀\n"))
	wantCodes(t, c, lib)
	c.Close(env)
	wantCodes(t, c, lib, "unknown-secret 2")
}

// TestEnvironment checks that a hover shows the base URL of the environment that the
// person has chosen.
func TestEnvironment(t *testing.T) {
	f := newTestFolder(t)
	f.write("abl.yaml", "base_url: https://any.example.com/\nenvironments:\n  dev: {base_url: \"https://dev.example.com\"}\n")
	lib := uri.File(f.join("a.tools.abl"))
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path), lsptest.WithOptions(`{"environment":"dev"}`))
	c.Open(lib, "TOOLS:\n  a(id: string) -> string\n    type: http\n    method: GET\n    endpoint: \"things/{id}\"\n")
	hovered := func(want string) {
		t.Helper()
		var h protocol.Hover
		params := &protocol.HoverParams{}
		params.TextDocument.URI, params.Position = lib, protocol.Position{Line: 1, Character: 2}
		if err := c.Call(protocol.MethodTextDocumentHover, params, &h); err != nil {
			t.Fatal(err)
		}
		if got := h.Contents.(*protocol.MarkupContent).Value; !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	hovered("`GET https://dev.example.com/things/{id}`")
	c.Notify(protocol.MethodWorkspaceDidChangeConfiguration, map[string]any{"settings": map[string]any{"abl": map[string]any{"environment": ""}}})
	hovered("`GET https://any.example.com/things/{id}`")
}
