package lsp

import (
	"os"
	"path/filepath"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// testFolder is a temporary folder of files.
type testFolder struct {
	t    testing.TB
	path string
}

// newTestFolder creates a folder inside another one, so that there are paths outside of
// it.
func newTestFolder(t testing.TB) testFolder {
	path, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(path, "workspace")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	return testFolder{t, path}
}

func (f testFolder) join(name string) string { return filepath.Join(f.path, name) }

func (f testFolder) write(name, text string) {
	f.t.Helper()
	if err := os.WriteFile(f.join(name), []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func importsOf(names ...string) string {
	text := "TOOLS:\n"
	for _, name := range names {
		text += "  file: \"./" + name + "\"\n"
	}
	return text
}

// wantFiles compares which files the server knows. -1 means that it does not know the
// file at all.
func wantFiles(t *testing.T, c testClient, f testFolder, want map[string]model.Absence) {
	t.Helper()
	c.echo(t)
	for name, absence := range want {
		got := model.Absence(-1)
		if file := c.server.session.load().workspace.File(f.join(name)); file != nil {
			got = file.Absent
		}
		if got != absence {
			t.Errorf("%s: absence %d, want %d", name, got, absence)
		}
	}
}

func TestImportsAreRead(t *testing.T) {
	f := newTestFolder(t)
	f.write("b.tools.abl", importsOf("c.tools.abl", "b.tools.abl"))
	f.write("c.tools.abl", "TOOLS:\n")
	f.write("notes.txt", "")
	f.write("../outside.tools.abl", "TOOLS:\n")
	if err := os.Mkdir(f.join("folder.tools.abl"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../outside.tools.abl", f.join("link.tools.abl")); err != nil {
		t.Fatal(err)
	}
	all := importsOf("b.tools.abl", "none.tools.abl", "folder.tools.abl", "notes.txt", "../outside.tools.abl", "link.tools.abl")
	want := map[string]model.Absence{
		"b.tools.abl":          model.Present,
		"c.tools.abl":          model.Present,
		"none.tools.abl":       model.NotFound,
		"folder.tools.abl":     model.IsFolder,
		"notes.txt":            -1,
		"../outside.tools.abl": model.Forbidden,
		"link.tools.abl":       model.Forbidden,
	}
	for name, option := range map[string]func(*protocol.InitializeParams){
		"a folder":    lsptest.WithFolders(f.path),
		"a file only": func(*protocol.InitializeParams) {},
	} {
		t.Run(name, func(t *testing.T) {
			c := startClient(t)
			c.Initialize(option)
			c.Open(uri.File(f.join("a.agent.abl")), all)
			wantFiles(t, c, f, want)
		})
	}
	t.Run("a link to the folder", func(t *testing.T) {
		if err := os.Symlink(f.path, f.join("../alias")); err != nil {
			t.Fatal(err)
		}
		c := startClient(t)
		c.Initialize(lsptest.WithFolders(f.join("../alias")))
		c.Open(uri.File(f.join("a.agent.abl")), all)
		wantFiles(t, c, f, want)
	})
	t.Run("trusted", func(t *testing.T) {
		c := startClient(t)
		c.Initialize(lsptest.WithFolders(f.path))
		c.Open(uri.File(f.join("a.agent.abl")), all)
		wantFiles(t, c, f, want)
		c.Send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"abl":{"trusted":true}}}}`)
		wantFiles(t, c, f, map[string]model.Absence{
			"../outside.tools.abl": model.Present,
			"link.tools.abl":       model.Present,
		})
	})
}

func TestImportsOfNoFile(t *testing.T) {
	c := startClient(t)
	c.Initialize(lsptest.WithOptions(`{"trusted":true}`))
	c.Open("untitled:Untitled-1", importsOf("b.tools.abl"))
	c.echo(t)
	if file := c.server.session.load().workspace.File("b.tools.abl"); file == nil || file.Absent != model.NotFound {
		t.Errorf("the import of a document that is no file: %+v", file)
	}
}

// TestChangedFiles changes imported files without telling the server.
func TestChangedFiles(t *testing.T) {
	f := newTestFolder(t)
	lib, agent := f.join("lib.tools.abl"), uri.File(f.join("a.agent.abl"))
	const one, two = "TOOLS:\n  a() -> string\n", "TOOLS:\n  a() -> string\n  b() -> string\n"
	notices := map[string]func(testClient){
		"watched": func(c testClient) {
			c.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
				Changes: []protocol.FileEvent{{URI: uri.File(lib), Type: protocol.FileChangeTypeChanged}},
			})
		},
		"saved": func(c testClient) {
			params := &protocol.DidSaveTextDocumentParams{}
			params.TextDocument.URI = agent
			c.Notify(protocol.MethodTextDocumentDidSave, params)
		},
		"another opened": func(c testClient) { c.Open(uri.File(f.join("z.agent.abl")), "") },
		"closed without saving": func(c testClient) {
			c.Open(uri.File(lib), "TOOLS:\n")
			c.Close(uri.File(lib))
		},
	}
	for name, notice := range notices {
		t.Run(name, func(t *testing.T) {
			f.write("lib.tools.abl", one)
			c := startClient(t)
			c.Initialize()
			c.Open(agent, importsOf("lib.tools.abl", "late.tools.abl"))
			wantTools(t, c, lib, 1)
			f.write("lib.tools.abl", two)
			f.write("late.tools.abl", one)
			notice(c)
			wantTools(t, c, lib, 2)
			wantTools(t, c, f.join("late.tools.abl"), 1)
			os.Remove(f.join("late.tools.abl"))
		})
	}
}

// TestOpenTextWins edits an imported file that differs on disk.
func TestOpenTextWins(t *testing.T) {
	f := newTestFolder(t)
	lib := f.join("lib.tools.abl")
	f.write("lib.tools.abl", "TOOLS:\n  a() -> string\n  b() -> string\n")
	c := startClient(t)
	c.Initialize()
	c.Open(uri.File(f.join("a.agent.abl")), importsOf("lib.tools.abl"))
	wantTools(t, c, lib, 2)
	c.Open(uri.File(lib), "TOOLS:\n  a() -> string\n")
	wantTools(t, c, lib, 1)
	c.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: uri.File(lib), Type: protocol.FileChangeTypeChanged}},
	})
	wantTools(t, c, lib, 1)
	c.Close(uri.File(lib))
	wantTools(t, c, lib, 2)
}

func wantTools(t *testing.T, c testClient, path string, want int) {
	t.Helper()
	c.echo(t)
	file := c.server.session.load().workspace.File(path)
	if file == nil || len(file.Tools) != want {
		t.Errorf("%s: %+v, want %d tools", path, file, want)
	}
}

// TestFilesAreForgotten closes the documents that imported files.
func TestFilesAreForgotten(t *testing.T) {
	f := newTestFolder(t)
	f.write("b.tools.abl", importsOf("c.tools.abl"))
	f.write("c.tools.abl", "TOOLS:\n")
	c := startClient(t)
	c.Initialize()
	one, two := uri.File(f.join("1.agent.abl")), uri.File(f.join("2.agent.abl"))
	c.Open(one, importsOf("b.tools.abl", "none.tools.abl"))
	c.Open(two, importsOf("c.tools.abl"))
	c.echo(t)
	c.Close(one)
	wantFiles(t, c, f, map[string]model.Absence{"1.agent.abl": -1, "b.tools.abl": -1, "none.tools.abl": -1, "c.tools.abl": model.Present})
	c.Close(two)
	c.echo(t)
	if left := c.server.session.load().workspace.Paths(); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}

// TestWithFileReusesParses checks that withFile reads a file that is not open from disk
// each time, and parses it again only if its text has changed.
func TestWithFileReusesParses(t *testing.T) {
	f := newTestFolder(t)
	f.write("l.tools.abl", "TOOLS:\n  f()\n    description: \"🛫\"\n")
	f.write("l.cases.yaml", "f:\n  - name: a\n")
	var s session
	s.update(func(next *snapshot) { next.folders = []string{f.path} })
	path := f.join("l.tools.abl")
	read := func() model.Workspace { return s.withFile(s.load(), path).workspace }

	before := read()
	f.write("l.cases.yaml", "f:\n  - name: b\n")
	after := read()
	if before.File(path) != after.File(path) {
		t.Error("a file that is the same was parsed again")
	}
	if cases := model.SavedCases(after, f.join("l.cases.yaml")); len(cases) != 1 || cases[0].Name != "b" {
		t.Errorf("cases %v, not the new one", cases)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if gone := read().File(path); gone == nil || gone.Absent != model.NotFound {
		t.Errorf("the deleted file is %v", gone)
	}
}
