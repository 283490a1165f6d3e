package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// renamingClient is an editor that renames files: it asks the server, applies the edits,
// renames the files and reports it.
type renamingClient struct {
	testClient
	testFolder
	open     map[uri.URI]string // the texts of the open documents, as opened
	versions map[uri.URI]int32
}

func newRenamingClient(t *testing.T, options ...func(*protocol.InitializeParams)) *renamingClient {
	t.Helper()
	m := &renamingClient{testFolder: newTestFolder(t), open: map[uri.URI]string{}, versions: map[uri.URI]int32{}}
	m.testClient = startClient(t)
	m.Initialize(append([]func(*protocol.InitializeParams){
		lsptest.WithFolders(m.path), lsptest.WithPull(), lsptest.WithDocumentChanges(protocol.ResourceOperationKindRename),
	}, options...)...)
	return m
}

func (m *renamingClient) write(name, text string) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.join(name)), 0o700); err != nil {
		m.t.Fatal(err)
	}
	m.testFolder.write(name, text)
}

func (m *renamingClient) openFile(name, text string) {
	m.open[uri.File(m.join(name))] = text
	m.versions[uri.File(m.join(name))] = 1
	m.Open(uri.File(m.join(name)), text)
}

// rename renames FROM TO FROM TO …, and returns how many files were edited.
func (m *renamingClient) rename(names ...string) int {
	m.t.Helper()
	params := &protocol.RenameFilesParams{}
	for i := 0; i < len(names); i += 2 {
		params.Files = append(params.Files, protocol.FileRename{
			OldURI: string(uri.File(m.join(names[i]))), NewURI: string(uri.File(m.join(names[i+1]))),
		})
	}
	var edit protocol.WorkspaceEdit
	if err := m.Call(protocol.MethodWorkspaceWillRenameFiles, params, &edit); err != nil {
		m.t.Fatal(err)
	}
	for _, change := range edit.DocumentChanges {
		m.apply(change)
	}
	for i := 0; i < len(names); i += 2 { // so that two can swap
		m.move(m.join(names[i]), m.join(names[i])+"~")
	}
	for i := 0; i < len(names); i += 2 {
		m.move(m.join(names[i])+"~", m.join(names[i+1]))
	}
	m.reopen(params.Files)
	m.Notify(protocol.MethodWorkspaceDidRenameFiles, params)
	return len(edit.DocumentChanges)
}

func (m *renamingClient) move(from, to string) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		m.t.Fatal(err)
	}
	if err := os.Rename(from, to); err != nil {
		m.t.Fatal(err)
	}
}

func (m *renamingClient) apply(change any) {
	m.t.Helper()
	if r, ok := change.(*protocol.RenameFile); ok {
		m.move(r.OldURI.FsPath(), r.NewURI.FsPath())
		return
	}
	edits := change.(*protocol.TextDocumentEdit)
	name := edits.TextDocument.URI
	source, open := m.open[name]
	if version := edits.TextDocument.Version; open != (version != nil) || open && *version != m.versions[name] {
		m.t.Errorf("%s is edited in version %v", name, version)
	}
	if !open {
		raw, err := os.ReadFile(name.FsPath())
		if err != nil {
			m.t.Fatal(err)
		}
		source = string(raw)
	}
	in := converter{text.NewLines(source).Positions(), text.UTF16}
	var made []text.Edit
	for _, e := range edits.Edits {
		e := e.(*protocol.TextEdit)
		made = append(made, text.Edit{Span: in.span(e.Range), NewText: e.NewText})
	}
	after, err := text.Apply(source, made...)
	if err != nil {
		m.t.Fatal(err)
	}
	if !open {
		m.testFolder.write(strings.TrimPrefix(name.FsPath(), m.path), after)
		return
	}
	m.open[name] = after
	m.versions[name]++
	m.Change(name, m.versions[name], lsptest.ReplaceAll(after))
}

// reopen closes the documents that have moved and opens them under their new names.
func (m *renamingClient) reopen(files []protocol.FileRename) {
	was := m.open
	m.open = map[uri.URI]string{}
	for name, text := range was {
		to := name
		for _, f := range files {
			if rest, below := strings.CutPrefix(string(name), f.OldURI); below {
				to = uri.URI(f.NewURI + rest)
			}
		}
		m.open[to] = text
		if to != name {
			m.Close(name)
			m.versions[to] = 1
			m.Open(to, text)
		}
	}
}

// errors returns the files, open or not, that have errors.
func (m *renamingClient) errors() []string {
	m.t.Helper()
	var report protocol.WorkspaceDiagnosticReport
	if err := m.Call(protocol.MethodWorkspaceDiagnostic, &protocol.WorkspaceDiagnosticParams{PreviousResultIds: []protocol.PreviousResultId{}}, &report); err != nil {
		m.t.Fatal(err)
	}
	var out []string
	for _, item := range report.Items {
		full, ok := item.(*protocol.WorkspaceFullDocumentDiagnosticReport)
		if !ok {
			m.t.Fatalf("%T", item)
		}
		for i := range full.Items {
			if full.Items[i].Severity == protocol.DiagnosticSeverityError {
				out = append(out, fmt.Sprintf("%s: %v", full.URI, full.Items[i].Message))
			}
		}
	}
	return out
}

func (m *renamingClient) wantErrors(n int) {
	m.t.Helper()
	if got := m.errors(); len(got) != n {
		m.t.Errorf("%d errors, want %d:\n%s", len(got), n, strings.Join(got, "\n"))
	}
}

// TestRenameFiles moves files of which most are not open. Two are open, and the text of
// one of them was never saved. No client watches the disk.
func TestRenameFiles(t *testing.T) {
	m := newRenamingClient(t)
	agent := "AGENT: A%d\r\nGOAL: \"🚀\"\r\nTOOLS:\r\n  # 🚀\r\n  file: \"../tools/p.tools.abl\" [ping] # 🚀\r\n  file: '../tools/sub/q.tools.abl'\r\n"
	m.write("tools/p.tools.abl", pingLibrary)
	m.write("tools/p.cases.yaml", "ping:\n  - name: one\n")
	m.write("tools/sub/q.tools.abl", "TOOLS:\n  pong() -> string\n    description: \"Pongs\"\n")
	for i := range 100 {
		m.write(fmt.Sprintf("agents/a%d.agent.abl", i), fmt.Sprintf(agent, i))
	}
	m.write("agents/new.agent.abl", "AGENT: New\nGOAL: \"x\"\n")
	m.openFile("agents/new.agent.abl", fmt.Sprintf(agent, 100))
	m.openFile("tools/p.tools.abl", pingLibrary)
	m.wantErrors(0)

	for _, step := range []struct {
		what  string
		names []string
		edits int
	}{
		{"a file, with its cases", []string{"tools/p.tools.abl", "tools/ü 🚀%20.tools.abl"}, 102},
		{"a folder", []string{"tools", "lib"}, 101},
		{"a folder into another", []string{"lib", "deep/er/lib"}, 101},
		{"both folders", []string{"deep/er/lib", "x/tools", "agents", "x/agents"}, 101},
		{"one that leaves nothing to change", []string{"x", "y"}, 0},
		{"two that swap, with the cases of one", []string{"y/tools/ü 🚀%20.tools.abl", "y/tools/sub/q.tools.abl", "y/tools/sub/q.tools.abl", "y/tools/ü 🚀%20.tools.abl"}, 102},
		{"back, in another case", []string{"y/tools/sub/q.tools.abl", "y/tools/P.tools.abl", "y/tools/ü 🚀%20.tools.abl", "y/tools/Sub/q.tools.abl"}, 102},
		{"an importer", []string{"y/agents/new.agent.abl", "new.agent.abl"}, 1},
	} {
		if got := m.rename(step.names...); got != step.edits {
			t.Errorf("%s: %d files are changed, want %d", step.what, got, step.edits)
		}
		if found := m.errors(); len(found) > 0 {
			t.Fatalf("after %s:\n%s", step.what, strings.Join(found, "\n"))
		}
	}
	got := m.open[uri.File(m.join("new.agent.abl"))]
	want := strings.NewReplacer("../tools/p.", "./y/tools/P.", "../tools/sub", "./y/tools/Sub").Replace(fmt.Sprintf(agent, 100))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the text that was never saved (-want +got):\n%s", diff)
	}
}

// TestFilesComeAndGo checks that files which the client creates and deletes are read,
// even if no client watches the disk.
func TestFilesComeAndGo(t *testing.T) {
	m := newRenamingClient(t)
	m.openFile("a.agent.abl", "AGENT: A\nGOAL: \"x\"\nTOOLS:\n  file: \"./t/p.tools.abl\"\n")
	found := func(want int) {
		t.Helper()
		_, items, _ := pull(t, m.testClient, uri.File(m.join("a.agent.abl")), "")
		if len(items) != want {
			t.Errorf("%d diagnostics, want %d: %v", len(items), want, items)
		}
	}
	found(1)
	m.write("t/p.tools.abl", pingLibrary)
	m.Notify(protocol.MethodWorkspaceDidCreateFiles, &protocol.CreateFilesParams{Files: []protocol.FileCreate{{URI: string(uri.File(m.join("t/p.tools.abl")))}}})
	found(0)
	if err := os.RemoveAll(m.join("t")); err != nil {
		t.Fatal(err)
	}
	m.Notify(protocol.MethodWorkspaceDidDeleteFiles, &protocol.DeleteFilesParams{Files: []protocol.FileDelete{{URI: string(uri.File(m.join("t")))}}})
	found(1)
}

// TestRenameFilesNames renames files with URIs as clients write them, and with names that
// are not URIs of files.
func TestRenameFilesNames(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	agent := uri.URI("file:///c%3A/w/agents/a%20b.agent.abl")
	c.Open("file:///C%3A/w/agents/a%20b.agent.abl", "AGENT: A\nGOAL: \"x\"\nTOOLS:\n  file: \"../t%20s/p.tools.abl\"\n")
	for name, tt := range map[string]struct{ from, to, want string }{
		"a file":                     {"file:///c:/w/t%2520s/p.tools.abl", "file:///c:/w/t%2520s/%C3%A4%23.tools.abl", "../t%20s/ä#.tools.abl"},
		"a folder":                   {"file:///C%3A/w/t%2520s/", "file:///C%3A/w/%F0%9F%9A%80", "../🚀/p.tools.abl"},
		"the folder of the importer": {"file:///c%3A/w/agents", "file:///c%3A/w/x/agents", "../../t%20s/p.tools.abl"},
		"the folder of both":         {"file:///c%3A/w", "file:///c%3A/v", ""},
		"another drive":              {"file:///d%3A/w/t%2520s", "file:///d%3A/w/t", ""},
		"a file that is not saved":   {"untitled:Untitled-1", "file:///c%3A/w/t", ""},
		"no URI":                     {"%", "", ""},
		"nothing":                    {"", "file:///c%3A/w/t", ""},
		"to the same name":           {"file:///c%3A/w/t%2520s/p.tools.abl", "file:///c%3A/w/t%2520s/p.tools.abl", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var edit *protocol.WorkspaceEdit
			params := &protocol.RenameFilesParams{Files: []protocol.FileRename{{OldURI: tt.from, NewURI: tt.to}}}
			if err := c.Call(protocol.MethodWorkspaceWillRenameFiles, params, &edit); err != nil {
				t.Errorf("%s: %v", tt.from, err)
				return
			}
			got := ""
			if edit != nil && len(edit.Changes[agent]) == 1 {
				got = edit.Changes[agent][0].NewText
			}
			if want := tt.want; want != "" && got != `"`+want+`"` || want == "" && edit != nil {
				t.Errorf("%s: %s, want %s; %v", tt.from, got, want, edit)
			}
		})
	}
}

// TestFileOperations checks that only clients that report operations on files are asked
// to report them.
func TestFileOperations(t *testing.T) {
	for name, tt := range map[string]struct{ client, want string }{
		"a client that does not tell": {`{}`, ``},
		"a client that tells":         {`{"workspace":{"fileOperations":{"willRename":true}}}`, `{"willRename":{"filters":[{"pattern":{"glob":"**/*"},"scheme":"file"}]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			operations, _ := announcedTo(t, tt.client)["workspace"].(map[string]any)["fileOperations"]
			raw, err := json.Marshal(operations)
			if got := strings.ReplaceAll(string(raw), "null", ""); err != nil || got != tt.want {
				t.Errorf("%s: %s, want %s", tt.client, got, tt.want)
			}
		})
	}
	all, _ := announcedTo(t, fullClient)["workspace"].(map[string]any)["fileOperations"].(map[string]any)
	for _, operation := range []string{"willRename", "didRename", "didCreate", "didDelete"} {
		if all[operation] == nil {
			t.Errorf("%s is not asked for", operation)
		}
	}
}
