package lsp

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

const (
	pingLibrary = "TOOLS:\n  ping(x: string) -> string\n    description: \"Pings\"\n"
	pingAgent   = "AGENT: %s\nGOAL: \"x\"\nTOOLS:\n  file: \"../tools/p.tools.abl\" [ping]\nFLOW:\n  s:\n    REASONING: false\n    CALL: ping\n    THEN: COMPLETE\n"
)

// referencingFiles returns the files and lines that refer to the name at a position.
func referencingFiles(t *testing.T, c testClient, u uri.URI, line, column uint32) []string {
	t.Helper()
	params := &protocol.ReferenceParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: u}, Position: protocol.Position{Line: line, Character: column},
	}}
	params.Context.IncludeDeclaration = true
	var found []protocol.Location
	if err := c.Call(protocol.MethodTextDocumentReferences, params, &found); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range found {
		path := l.URI.FsPath()
		out = append(out, fmt.Sprintf("%s:%d", path[strings.LastIndex(path, "/")+1:], l.Range.Start.Line+1))
	}
	slices.Sort(out)
	return out
}

// TestFeaturesOfUnopenedFiles makes requests about files that are not open, in two
// folders, while files are created, changed and deleted.
func TestFeaturesOfUnopenedFiles(t *testing.T) {
	f, g := newTestFolder(t), newTestFolder(t)
	for _, dir := range []string{f.join("agents"), f.join("tools"), f.join("node_modules")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	f.write("tools/p.tools.abl", pingLibrary)
	f.write("tools/p.cases.yaml", "ping:\n  - name: one\n")
	f.write("agents/a.agent.abl", fmt.Sprintf(pingAgent, "A"))
	f.write("agents/b.agent.abl", fmt.Sprintf(pingAgent, "B"))
	f.write("node_modules/c.agent.abl", fmt.Sprintf(pingAgent, "C"))
	g.write("d.agent.abl", "AGENT: D\nGOAL: \"ping\"\nTOOLS:\n  ping() -> string\n    description: \"Its own\"\n")

	lib := uri.File(f.join("tools/p.tools.abl"))
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path, g.path))
	c.Open(lib, pingLibrary)
	want := func(want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, referencingFiles(t, c, lib, 1, 4)); diff != "" {
			t.Errorf("references (-want +got):\n%s", diff)
		}
	}
	want("a.agent.abl:4", "a.agent.abl:8", "b.agent.abl:4", "b.agent.abl:8", "p.cases.yaml:1", "p.tools.abl:2")

	f.write("agents/b.agent.abl", "AGENT: B\nGOAL: \"calls nobody any more\"\n")
	want("a.agent.abl:4", "a.agent.abl:8", "p.cases.yaml:1", "p.tools.abl:2")
	if err := os.Remove(f.join("agents/a.agent.abl")); err != nil {
		t.Fatal(err)
	}
	f.write("agents/e.agent.abl", fmt.Sprintf(pingAgent, "E"))
	want("e.agent.abl:4", "e.agent.abl:8", "p.cases.yaml:1", "p.tools.abl:2")

	// What is open counts as it is there, saved cases as well.
	c.Open(uri.File(f.join("tools/p.cases.yaml")), "\nping: []\n")
	c.Open(uri.File(f.join("agents/e.agent.abl")), "AGENT: E\nGOAL: \"x\"\n")
	want("p.cases.yaml:2", "p.tools.abl:2")

	var found []protocol.SymbolInformation
	if err := c.Call(protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: "ping"}, &found); err != nil {
		t.Fatal(err)
	}
	if len(found) != 2 || found[0].Name != "ping" || found[1].Name != "ping" {
		t.Errorf("found %v, want the two tools", found)
	}
}

// TestRenameUnopened renames a tool in files that are not open.
func TestRenameUnopened(t *testing.T) {
	f := newTestFolder(t)
	for _, dir := range []string{f.join("agents"), f.join("tools")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	f.write("tools/p.tools.abl", pingLibrary)
	f.write("agents/a.agent.abl", fmt.Sprintf(pingAgent, "A"))
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path), lsptest.WithDocumentChanges())
	lib := uri.File(f.join("tools/p.tools.abl"))
	c.Open(lib, pingLibrary)
	rename := func(name string) (protocol.WorkspaceEdit, error) {
		params := &protocol.RenameParams{NewName: name}
		params.TextDocument.URI = lib
		params.Position = protocol.Position{Line: 1, Character: 4}
		var edit protocol.WorkspaceEdit
		err := c.Call(protocol.MethodTextDocumentRename, params, &edit)
		return edit, err
	}
	edit, err := rename("pong")
	if err != nil {
		t.Fatal(err)
	}
	edits := 0
	for _, change := range edit.DocumentChanges {
		of, ok := change.(*protocol.TextDocumentEdit)
		if !ok {
			t.Fatalf("%T", change)
		}
		edits += len(of.Edits)
		if open := of.TextDocument.URI == lib; open != (of.TextDocument.Version != nil) {
			t.Errorf("%s is edited in version %v", of.TextDocument.URI, of.TextDocument.Version)
		}
	}
	if edits != 3 {
		t.Errorf("%d edits, want 3", edits)
	}
	if _, err := rename("no name"); err == nil || !strings.Contains(err.Error(), "no name for a tool") {
		t.Errorf("renamed to what is no name: %v", err)
	}
}
