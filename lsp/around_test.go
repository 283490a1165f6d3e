package lsp

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

const mcpTool = "TOOLS:\n  a() -> string\n    description: \"A\"\n    type: mcp\n    server: maps\n"

// wantCodes waits until the codes of what is published for a document are these.
func wantCodes(t *testing.T, c fake, u uri.URI, want ...string) {
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

// TestProjectFile opens, edits and closes the project's file, and writes it
// behind the server's back.
func TestProjectFile(t *testing.T) {
	f := newFolder(t)
	if err := os.Mkdir(f.at("tools"), 0o700); err != nil {
		t.Fatal(err)
	}
	f.write("abl.yaml", "servers: {maps: {}}\n")
	lib, project := uri.File(f.at("tools/a.tools.abl")), uri.File(f.at("abl.yaml"))
	c := startFake(t)
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
		Changes: []protocol.FileEvent{{URI: uri.File(f.at("tools/abl.yaml")), Type: protocol.FileChangeTypeCreated}},
	})
	wantCodes(t, c, lib, "unknown-server 2")
	c.Close(lib)
	c.echo(t)
	if at := c.server.session.load().workspace; len(at.Paths())+len(at.Dotenvs()) > 0 {
		t.Errorf("%q and %q are left", at.Paths(), at.Dotenvs())
	}
}

// TestProjectFileOutside stands above the folder of a workspace that nobody
// trusts.
func TestProjectFileOutside(t *testing.T) {
	f := newFolder(t)
	f.write("../abl.yaml", "servers: {}\n")
	lib := uri.File(f.at("a.tools.abl"))
	for trusted, want := range map[string]string{"false": "unknown-server 4", "true": "unknown-server 2"} {
		c := startFake(t)
		c.Initialize(lsptest.WithFolders(f.path), lsptest.WithOptions(`{"trusted":`+trusted+`}`))
		c.Open(lib, mcpTool)
		wantCodes(t, c, lib, want)
	}
}
