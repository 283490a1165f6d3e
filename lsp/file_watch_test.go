package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// registration is a registration that the client was asked for, as far as these tests
// read it.
type registration struct {
	ID, Method      string
	RegisterOptions struct {
		Section  string
		Watchers []struct {
			GlobPattern json.RawMessage
			Kind        int
		}
	}
}

// registrations returns all registrations so far, and the ids of those that were
// cancelled.
func (f testClient) registrations(t *testing.T) (all []registration, taken []string) {
	t.Helper()
	for _, m := range f.Messages(protocol.MethodClientRegisterCapability) {
		var p struct{ Registrations []registration }
		if err := json.Unmarshal(m.Params, &p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p.Registrations...)
	}
	for _, m := range f.Messages(protocol.MethodClientUnregisterCapability) {
		var p struct{ Unregisterations []registration }
		if err := json.Unmarshal(m.Params, &p); err != nil {
			t.Fatal(err)
		}
		for _, u := range p.Unregisterations {
			taken = append(taken, u.ID)
		}
	}
	return all, taken
}

// TestWatchers checks that all files that the server reads are watched, anywhere or below
// each folder.
func TestWatchers(t *testing.T) {
	f, g := newTestFolder(t), newTestFolder(t)
	for _, relative := range []bool{false, true} {
		t.Run(fmt.Sprint(relative), func(t *testing.T) {
			c := startClient(t)
			c.Initialize(lsptest.WithFolders(f.path), supportWatching, func(p *protocol.InitializeParams) {
				p.Capabilities.Workspace.DidChangeWatchedFiles.RelativePatternSupport = &relative
			})
			c.waitUntilWatched(t)
			c.Notify(protocol.MethodWorkspaceDidChangeWorkspaceFolders, &protocol.DidChangeWorkspaceFoldersParams{
				Event: protocol.WorkspaceFoldersChangeEvent{Added: []protocol.WorkspaceFolder{{URI: uri.File(g.path), Name: "g"}}},
			})
			want, bases := 1, [][]string{{""}}
			if relative {
				want, bases = 2, [][]string{{string(uri.File(f.path))}, {string(uri.File(f.path)), string(uri.File(g.path))}}
				c.Await(protocol.MethodClientUnregisterCapability, nil)
			}
			c.echo(t)
			all, taken := c.registrations(t)
			if len(all) != want || relative && !slices.Equal(taken, []string{all[0].ID}) {
				t.Fatalf("registered %+v, took back %v", all, taken)
			}
			for i, r := range all {
				r.wantWatched(t, bases[i])
			}
		})
	}
}

// wantWatched checks that a registration watches every file that the server reads below
// each base.
func (r registration) wantWatched(t *testing.T, bases []string) {
	t.Helper()
	for _, base := range bases {
		for _, name := range []string{"a.abl", "a.agent.abl", "a.tools.abl", "a.agent.yaml", "abl.yaml", "a.cases.yaml", ".env"} {
			if !r.watches(t, base, name, 0) {
				t.Errorf("%s in %q is not watched", name, base)
			}
		}
		if r.watches(t, base, "a.png", 0) || !r.watches(t, base, "folder", int(protocol.WatchKindCreate|protocol.WatchKindDelete)) {
			t.Errorf("other files in %q are watched, or folders that come and go are not", base)
		}
	}
}

func (r registration) watches(t *testing.T, base, name string, kind int) bool {
	t.Helper()
	for _, w := range r.RegisterOptions.Watchers {
		var in struct{ BaseURI, Pattern string }
		if json.Unmarshal(w.GlobPattern, &in.Pattern) != nil {
			if err := json.Unmarshal(w.GlobPattern, &in); err != nil {
				t.Fatal(err)
			}
		}
		if ok, _ := path.Match(strings.Replace(in.Pattern, "**/", "", 1), name); ok && in.BaseURI == base && w.Kind == kind {
			return true
		}
	}
	return false
}

// TestWatchedFilesAreNotPolled changes a watched file. The server reads it only when the
// client reports the change.
func TestWatchedFilesAreNotPolled(t *testing.T) {
	f := newTestFolder(t)
	f.write("p.tools.abl", pingLibrary)
	f.write("p.cases.yaml", "ping: []\n")
	lib := uri.File(f.join("p.tools.abl"))
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path), supportWatching)
	c.waitUntilWatched(t)
	c.Open(lib, pingLibrary)
	want := func(want ...string) {
		t.Helper()
		if got := referencingFiles(t, c, lib, 1, 4); !slices.Equal(got, want) {
			t.Errorf("references (-want +got):\n%s", cmp.Diff(want, got))
		}
	}
	want("p.cases.yaml:1", "p.tools.abl:2")
	whole, _ := c.server.files.withIndex(t.Context(), c.server.session.load())
	if again, _ := c.server.files.withIndex(t.Context(), c.server.session.load()); again != whole {
		t.Error("the same is put together again")
	}
	f.write("p.cases.yaml", "\n\nping: []\n")
	want("p.cases.yaml:1", "p.tools.abl:2")
	c.notifyChangedFiles(protocol.FileChangeTypeChanged, f.join("p.cases.yaml"))
	want("p.cases.yaml:3", "p.tools.abl:2")

	if err := os.Mkdir(f.join("sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	f.write("sub/a.agent.abl", strings.Replace(pingAgent, "../tools", "..", 1))
	c.notifyChangedFiles(protocol.FileChangeTypeCreated, f.join("sub/a.agent.abl"))
	want("a.agent.abl:4", "a.agent.abl:8", "p.cases.yaml:3", "p.tools.abl:2")
	if err := os.RemoveAll(f.join("sub")); err != nil {
		t.Fatal(err)
	}
	c.notifyChangedFiles(protocol.FileChangeTypeDeleted, f.join("sub")) // of the folder alone
	want("p.cases.yaml:3", "p.tools.abl:2")
}

// notifyChangedFiles reports changed files to the server.
func (f testClient) notifyChangedFiles(kind protocol.FileChangeType, paths ...string) {
	params := &protocol.DidChangeWatchedFilesParams{}
	for _, path := range paths {
		params.Changes = append(params.Changes, protocol.FileEvent{URI: uri.File(path), Type: kind})
	}
	f.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, params)
}

// TestIrrelevantEvents reports changes of files that the server never reads.
func TestIrrelevantEvents(t *testing.T) {
	f := newTestFolder(t)
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path), supportWatching)
	c.waitUntilWatched(t)
	snap := c.server.session.load()
	c.notifyChangedFiles(protocol.FileChangeTypeDeleted, f.join("node_modules/x/index.js"), f.join(".git/index.lock"))
	c.notifyChangedFiles(protocol.FileChangeTypeChanged, f.join("picture.png"))
	c.echo(t)
	if c.server.session.load() != snap {
		t.Error("something was looked at")
	}
}

// TestWatchRefused checks that the server polls if the client refuses to watch.
func TestWatchRefused(t *testing.T) {
	f := newTestFolder(t)
	f.write("p.tools.abl", pingLibrary)
	lib := uri.File(f.join("p.tools.abl"))
	c := startClient(t)
	c.Answer(protocol.MethodClientRegisterCapability, func(jsonrpc2.RawMessage) (any, error) { return nil, jsonrpc2.ErrInternal })
	c.Initialize(lsptest.WithFolders(f.path), supportWatching)
	c.Await(protocol.MethodClientRegisterCapability, nil)
	c.Open(lib, pingLibrary)
	referencingFiles(t, c, lib, 1, 4)
	f.write("p.cases.yaml", "ping: []\n")
	if got := referencingFiles(t, c, lib, 1, 4); len(got) != 2 {
		t.Errorf("references: %v", got)
	}
}

// TestNestedFolders opens a folder and a folder in it. Files in both count once.
func TestNestedFolders(t *testing.T) {
	f := newTestFolder(t)
	if err := os.Mkdir(f.join("sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	f.write("sub/p.tools.abl", pingLibrary)
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path, f.join("sub")))
	found := func() int {
		var found []protocol.SymbolInformation
		if err := c.Call(protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: "ping"}, &found); err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	if n := found(); n != 1 {
		t.Errorf("%d symbols", n)
	}
	for i, gone := range []string{f.join("sub"), f.path} {
		c.Notify(protocol.MethodWorkspaceDidChangeWorkspaceFolders, &protocol.DidChangeWorkspaceFoldersParams{
			Event: protocol.WorkspaceFoldersChangeEvent{Removed: []protocol.WorkspaceFolder{{URI: uri.File(gone)}}},
		})
		if n := found(); n != 1-i {
			t.Errorf("%d symbols without %s", n, gone)
		}
	}
}
