package lsp

import (
	"os"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// TestForeignFiles edits a file of another system, on disk and open, while an
// agent imports it.
func TestForeignFiles(t *testing.T) {
	const one, two = "tools:\n  a: {kind: wait, description: A}\n", "tools:\n  a: {kind: wait, description: A}\n  b: {kind: wait, description: B}\n"
	f := newTestFolder(t)
	lib, agent := f.join("tools.yaml"), uri.File(f.join("a.agent.abl"))
	f.write("tools.yaml", one)
	c := startClient(t)
	c.Initialize()
	c.Open(uri.File(lib), two)
	c.Open(agent, "AGENT: A\nGOAL: x\nTOOLS:\n  file: \"./tools.yaml\" [b]\n")
	if found := c.Diagnostics(agent, 1); len(found) > 0 {
		t.Errorf("the text that is open does not count: %+v", found)
	}
	c.Change(uri.File(lib), 2, lsptest.ReplaceAll(one))
	wantTools(t, c, lib, 1)
	c.Change(uri.File(lib), 3, lsptest.ReplaceAll(two))
	wantTools(t, c, lib, 2)
	c.Close(uri.File(lib))
	wantTools(t, c, lib, 1)
	f.write("tools.yaml", two)
	c.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: uri.File(lib), Type: protocol.FileChangeTypeChanged}},
	})
	wantTools(t, c, lib, 2)
	if err := os.Remove(lib); err != nil {
		t.Fatal(err)
	}
	c.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: uri.File(lib), Type: protocol.FileChangeTypeDeleted}},
	})
	wantTools(t, c, lib, 0)
}

// TestFolderAppears creates a folder, as a switch of branches does. An editor may report
// only the folder, and not the files in it.
func TestFolderAppears(t *testing.T) {
	f := newTestFolder(t)
	agent := uri.File(f.join("a.agent.abl"))
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path), supportWatching)
	c.waitUntilWatched(t)
	c.Open(agent, "AGENT: A\nGOAL: x\nTOOLS:\n  file: \"./lib/b.tools.abl\" [b]\n")
	wantCodes(t, c, agent, "unresolved-import 1")
	if err := os.Mkdir(f.join("lib"), 0o700); err != nil {
		t.Fatal(err)
	}
	f.write("lib/b.tools.abl", "TOOLS:\n  b() -> string\n    type: http\n    endpoint: \"https://x.example/🛫\"\n    method: GET\n")
	c.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: uri.File(f.join("lib")), Type: protocol.FileChangeTypeCreated}},
	})
	wantCodes(t, c, agent)
}

// TestForeignByNameOnly checks that a file that only looks like one of another system has
// no diagnostics until a file imports it.
func TestForeignByNameOnly(t *testing.T) {
	f := newTestFolder(t)
	c := startClient(t)
	c.Initialize()
	other, agent, whole := uri.File(f.join("list.json")), uri.File(f.join("a.agent.abl")), uri.File(f.join("tools.yaml"))
	const none, imports = "AGENT: A\nGOAL: x\n", "AGENT: A\nGOAL: x\nTOOLS:\n  file: \"./list.json\"\n"
	c.Open(other, `{"tools": [{"name": "hammer", "price": 3}]}`)
	c.Open(agent, none)
	wantCodes(t, c, other)
	c.Change(agent, 2, lsptest.ReplaceAll(imports))
	wantCodes(t, c, other, "missing-property 2")
	c.Change(agent, 3, lsptest.ReplaceAll(none))
	wantCodes(t, c, other)
	c.Open(whole, "tools:\n  a: {kind: wait, description: A}\n  b: {}\n")
	wantCodes(t, c, whole, "missing-property 1", "missing-property 2")
	c.Change(whole, 2, lsptest.ReplaceAll("tools:\n  a: {kind: postgresql-qsl, description: A}\nsurces: {}\n"))
	wantCodes(t, c, whole, "invalid-value 3", "unknown-property 2")
}

// TestForeignByContent checks that a file whose content identifies its system has
// diagnostics, even if no tool in it is complete.
func TestForeignByContent(t *testing.T) {
	f := newTestFolder(t)
	c := startClient(t)
	c.Initialize()
	for name, tt := range map[string]struct{ text, want string }{
		"a.yaml": {"apiVersion: agents.recif.dev/v1\nkind: Tool\nmetadata: {name: a}\nspec: {name: a, type: htp, description: A}\n", "invalid-value 1"},
		"b.yaml": {"apiVersion: agents.recif.dev/v1\nkind: Agent\nspec: {tools: [gone]}\n", "undefined-tool 2"},
		"d.json": {`[{"name": "a", "type": "htp", "description": "A", "endpoint": "https://example.com"}]`, "invalid-value 2"},
		"c.json": {`{"tools": [{"name": "a", "description": "A", "binding": {"type": "htp"}}]}`, "invalid-value 1"},
	} {
		t.Run(name, func(t *testing.T) {
			at := uri.File(f.join(name))
			f.write(name, tt.text)
			c.Open(at, tt.text)
			wantCodes(t, c, at, tt.want)
		})
	}
}
