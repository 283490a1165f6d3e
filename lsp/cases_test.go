package lsp

import (
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

const (
	findTool = "TOOLS:\n  find(n?: number) -> string\n    description: \"🔎 Finds\"\n    type: http\n    method: GET\n    endpoint: \"https://example.com/\"\n"
	seekTool = "TOOLS:\n  seek(n?: number) -> string\n    description: \"🔎 Seeks\"\n    type: http\n    method: GET\n    endpoint: \"https://example.com/\"\n"
)

// TestArgumentsOfACall edits the tool whose arguments are typed in a document, and checks that the
// diagnostics of the arguments follow.
func TestArgumentsOfACall(t *testing.T) {
	f := newTestFolder(t)
	f.write("a.tools.abl", findTool)
	lib, arguments := uri.File(f.join("a.tools.abl")), uri.File(f.join("a.find.arguments.json"))
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path))
	c.Open(arguments, `{"n": 1}`)
	wantCodes(t, c, arguments)
	c.Open(lib, strings.Replace(findTool, "n?: number", "n: string", 1))
	wantCodes(t, c, arguments, "call-arguments 2")
	c.Change(lib, 2, lsptest.ReplaceAll(findTool))
	wantCodes(t, c, arguments)
	c.Change(lib, 3, lsptest.ReplaceAll(strings.Replace(findTool, "n?: number", "n: enum<[one, two]>", 1)))
	wantCodes(t, c, arguments, "call-arguments 2")
	c.Close(lib)
	wantCodes(t, c, arguments)
}

// TestCasesFile edits the tools of saved cases, in documents and on disk, and checks that
// the diagnostics of the cases follow.
func TestCasesFile(t *testing.T) {
	f := newTestFolder(t)
	f.write("abl.yaml", "environments: {dev: {}}\n")
	f.write("a.tools.abl", findTool)
	lib, project, cases := uri.File(f.join("a.tools.abl")), uri.File(f.join("abl.yaml")), uri.File(f.join("a.cases.yaml"))
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path))
	wrote := func(name, source string) {
		t.Helper()
		f.write(name, source)
		c.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
			Changes: []protocol.FileEvent{{URI: uri.File(f.join(name)), Type: protocol.FileChangeTypeChanged}},
		})
	}
	c.Open(cases, "find:\n  - {args: {n: 1}, environment: dev}\n")
	wantCodes(t, c, cases)

	c.Open(lib, seekTool)
	wantCodes(t, c, cases, "undefined-tool 2")
	c.Change(lib, 2, lsptest.ReplaceAll(findTool))
	wantCodes(t, c, cases)
	c.Change(lib, 3, lsptest.ReplaceAll(seekTool))
	wantCodes(t, c, cases, "undefined-tool 2")
	c.Close(lib)
	wantCodes(t, c, cases)
	wrote("a.tools.abl", seekTool)
	wantCodes(t, c, cases, "undefined-tool 2")
	wrote("a.tools.abl", findTool)
	wantCodes(t, c, cases)

	c.Open(project, "environments: {prod: {}}\n")
	wantCodes(t, c, cases, "invalid-value 2")
	c.Change(project, 2, lsptest.ReplaceAll("environments: {dev: {}}\n"))
	wantCodes(t, c, cases)
	c.Change(project, 3, lsptest.ReplaceAll("environments: {prod: {}}\n"))
	wantCodes(t, c, cases, "invalid-value 2")
	c.Close(project)
	wantCodes(t, c, cases)
	wrote("abl.yaml", "environments: {prod: {}}\n")
	wantCodes(t, c, cases, "invalid-value 2")

	c.Change(cases, 2, lsptest.ReplaceAll("find:\n  - {args: {m: 1}, environment: prod}\n"))
	wantCodes(t, c, cases, "call-arguments 2")
}
