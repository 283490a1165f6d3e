package lsp

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// randomWorkspace is two folders of random files on disk, and the documents that an
// editor has open, by path.
type randomWorkspace struct {
	folders [2]testFolder
	disk    map[string]string
	open    map[string]string
	version map[string]int32
	random  *rand.Rand
}

// A third of the 300 files are libraries, each with two tools whose names depend on the
// branch. Agents import from both folders.
const (
	libraries = 100
	agents    = 200
)

func libraryPath(w *randomWorkspace, i int) string {
	return w.folders[i%2].join(fmt.Sprintf("tools/l%03d.tools.abl", i))
}

func agentPath(w *randomWorkspace, i int) string {
	return w.folders[i%2].join(fmt.Sprintf("agents/a%03d.agent.abl", i))
}

// libraryText returns a library with one or two tools.
func (w *randomWorkspace) libraryText(i int) string {
	text := fmt.Sprintf("TOOLS:\n  one_%d(x: string) -> string\n    description: \"😀 %s\"\n", i, strings.Repeat("x", w.random.IntN(3)))
	if w.random.IntN(3) > 0 {
		text += fmt.Sprintf("  two_%d() -> string\n    description: \"Two\"\n", i)
	}
	return text
}

// agentText returns an agent that imports tools which may not exist, and calls one.
func (w *randomWorkspace) agentText(i int) string {
	text := fmt.Sprintf("AGENT: A%d\nGOAL: \"東京\"\nTOOLS:\n", i)
	var called int
	for range 3 {
		called = w.random.IntN(libraries + 5) // some are nowhere
		rel, _ := filepath.Rel(filepath.Dir(agentPath(w, i)), libraryPath(w, called))
		text += fmt.Sprintf("  file: \"%s\" [one_%d, two_%d]\n", filepath.ToSlash(rel), called, called)
	}
	return text + fmt.Sprintf("FLOW:\n  s:\n    REASONING: false\n    CALL: one_%d(x: \"1\")\n    THEN: COMPLETE\n", called)
}

func newRandomWorkspace(t *testing.T, seed uint64) *randomWorkspace {
	w := &randomWorkspace{disk: map[string]string{}, open: map[string]string{}, version: map[string]int32{}, random: rand.New(rand.NewPCG(seed, 1))}
	root := newTestFolder(t)
	for i, name := range []string{"shop", "bank"} {
		w.folders[i] = testFolder{t, root.join(name)}
		for _, sub := range []string{"tools", "agents"} {
			if err := os.MkdirAll(w.folders[i].join(sub), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range libraries {
		w.writeFile(t, libraryPath(w, i), w.libraryText(i))
	}
	for i := range agents {
		w.writeFile(t, agentPath(w, i), w.agentText(i))
	}
	return w
}

// writeFile writes a file.
func (w *randomWorkspace) writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w.disk[path] = text
}

func (w *randomWorkspace) removeFile(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	delete(w.disk, path)
}

// switchBranch changes 200 files at once, and returns the events that a watcher would
// report.
func (w *randomWorkspace) switchBranch(t *testing.T) []protocol.FileEvent {
	var events []protocol.FileEvent
	tell := func(kind protocol.FileChangeType, path string) {
		events = append(events, protocol.FileEvent{URI: uri.File(path), Type: kind})
	}
	paths := slices.Sorted(maps.Keys(w.disk))
	w.random.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	for i, path := range paths[:200] {
		switch {
		case i < 30: // gone
			w.removeFile(t, path)
			tell(protocol.FileChangeTypeDeleted, path)
		case i < 50: // under another name
			other := strings.Replace(path, ".abl", "x.abl", 1)
			other = strings.Replace(other, ".toolsx.abl", "x.tools.abl", 1)
			text := w.disk[path]
			w.removeFile(t, path)
			w.writeFile(t, other, text)
			tell(protocol.FileChangeTypeDeleted, path)
			tell(protocol.FileChangeTypeCreated, other)
		default:
			w.rewriteFile(t, path)
			tell(protocol.FileChangeTypeChanged, path)
		}
	}
	for i := range 10 { // new
		path := libraryPath(w, libraries+i)
		w.writeFile(t, path, w.libraryText(libraries+i))
		tell(protocol.FileChangeTypeCreated, path)
	}
	return events
}

// rewriteFile gives a file another text of its kind.
func (w *randomWorkspace) rewriteFile(t *testing.T, path string) {
	t.Helper()
	var i int
	name := filepath.Base(path)
	if _, err := fmt.Sscanf(name[1:4], "%d", &i); err != nil {
		t.Fatal(err)
	}
	if name[0] == 'l' {
		w.writeFile(t, path, w.libraryText(i))
		return
	}
	w.writeFile(t, path, w.agentText(i))
}

// startEditor starts a client that opens the folders and all open documents.
func (w *randomWorkspace) startEditor(t *testing.T, options ...func(*protocol.InitializeParams)) testClient {
	t.Helper()
	c := startClient(t, func(s *server) { s.client.EndTimeout = time.Minute })
	c.Initialize(append(options, lsptest.WithFolders(w.folders[0].path, w.folders[1].path))...)
	for _, path := range slices.Sorted(maps.Keys(w.open)) {
		w.openFile(c, path)
	}
	return c
}

func (w *randomWorkspace) openFile(c testClient, path string) {
	w.version[path] = max(w.version[path], 1)
	params := &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{URI: uri.File(path), LanguageID: "abl", Version: w.version[path], Text: w.open[path]}}
	c.Notify(protocol.MethodTextDocumentDidOpen, params)
}

// publishedByPath returns the last diagnostics that were pushed to a client, for each
// open document.
func publishedByPath(c testClient) map[string]string {
	shown := map[string]string{}
	for _, m := range c.Messages(protocol.MethodTextDocumentPublishDiagnostics) {
		var p protocol.PublishDiagnosticsParams
		if protocol.Unmarshal(m.Params, &p) != nil {
			continue
		}
		raw, _ := protocol.Marshal(p.Diagnostics)
		if shown[p.URI.FsPath()] = string(raw); p.Version == (protocol.Optional[int32]{}) {
			delete(shown, p.URI.FsPath())
		}
	}
	return shown
}

// diagnosticsOfNewServer returns the diagnostics that a new server publishes.
func (w *randomWorkspace) diagnosticsOfNewServer(t *testing.T) map[string]string {
	t.Helper()
	c := w.startEditor(t)
	for path := range w.open {
		c.Diagnostics(uri.File(path), w.version[path])
	}
	c.waitUntilIdle(t)
	if err := c.Exit(); err != nil {
		t.Error(err)
	}
	return publishedByPath(c)
}

// reportOfNewServer returns what a new server answers to a client that pulls the
// diagnostics of all files.
func (w *randomWorkspace) reportOfNewServer(t *testing.T) string {
	t.Helper()
	return waitForReports(t, pullWorkspace(w.startEditor(t, lsptest.WithPull()), &pulledReports{})).lines()
}

// waitForDiagnostics waits until the client has the diagnostics that a new server would
// publish.
func (w *randomWorkspace) waitForDiagnostics(t *testing.T, c testClient, want map[string]string) {
	t.Helper()
	for !maps.Equal(publishedByPath(c), want) {
		before := len(c.Messages(protocol.MethodTextDocumentPublishDiagnostics))
		c.waitUntilIdle(t)
		if len(c.Messages(protocol.MethodTextDocumentPublishDiagnostics)) == before && !maps.Equal(publishedByPath(c), want) {
			w.reportDifference(t, publishedByPath(c), want)
			return
		}
	}
}

// waitUntilIdle waits until no document is due.
func (f testClient) waitUntilIdle(t *testing.T) {
	t.Helper()
	for {
		f.echo(t)
		if !f.server.diagnostics.queue.isDue() {
			f.echo(t)
			return
		}
	}
}

// isDue reports whether a document is due, or may become due.
func (q *diagnosticsQueue) isDue() bool {
	q.scheduling.Lock()
	defer q.scheduling.Unlock()
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.due)+len(q.changed)+len(q.others) > 0
}

func (w *randomWorkspace) reportDifference(t *testing.T, got, want map[string]string) {
	t.Helper()
	for path := range want {
		if diff := cmp.Diff(want[path], got[path]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
			return
		}
	}
	t.Errorf("published for %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
}

// TestBranchSwitch changes 200 of 300 files in two folders at once while ten documents
// are open. The text of some of these differs from the one on disk.
func TestBranchSwitch(t *testing.T) {
	for name, notice := range map[string]func(c testClient, w *randomWorkspace, events []protocol.FileEvent){
		"in one batch": func(c testClient, _ *randomWorkspace, events []protocol.FileEvent) {
			c.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{Changes: events})
		},
		"one by one": func(c testClient, _ *randomWorkspace, events []protocol.FileEvent) {
			for _, e := range events {
				c.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{Changes: []protocol.FileEvent{e}})
			}
		},
		"by a save alone": func(c testClient, w *randomWorkspace, _ []protocol.FileEvent) {
			params := &protocol.DidSaveTextDocumentParams{}
			params.TextDocument.URI = uri.File(slices.Sorted(maps.Keys(w.open))[0])
			c.Notify(protocol.MethodTextDocumentDidSave, params)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRandomWorkspace(t, 7)
			for i := range 10 {
				path := agentPath(w, i)
				if i%3 == 0 {
					path = libraryPath(w, i)
				}
				w.open[path] = w.disk[path]
				if i%2 == 0 {
					w.open[path] += "# not saved 😀\n"
				}
			}
			before := w.diagnosticsOfNewServer(t)
			c := w.startEditor(t, supportWatching)
			c.waitUntilWatched(t)
			w.waitForDiagnostics(t, c, before)
			p := w.startEditor(t, lsptest.WithPull(), supportWatching)
			p.waitUntilWatched(t)
			first := waitForReports(t, pullWorkspace(p, &pulledReports{}))

			counts := len(c.Messages(protocol.MethodTextDocumentPublishDiagnostics))
			events := w.switchBranch(t)
			notice(c, w, events)
			var between []lsptest.Pending
			for range 20 {
				between = append(between, c.Start(protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: "two_"}))
			}
			w.waitForDiagnostics(t, c, w.diagnosticsOfNewServer(t))
			for _, pending := range between {
				w.wantOneSnapshot(t, pending)
			}
			if err := c.Exit(); err != nil {
				t.Error(err)
			}
			w.wantPublishedOnce(t, c, counts)
			if name == "by a save alone" {
				return // changes of files that are not open are not reported
			}
			waiting := pullWorkspace(p, first)
			notice(p, w, events)
			waitForReports(t, waiting) // with the reports that have changed so far
			if got, want := waitForReports(t, pullWorkspace(p, &pulledReports{})).lines(), w.reportOfNewServer(t); got != want {
				t.Errorf("pulled and wanted:\n%s", differingLines(got, want))
			}
		})
	}
}

// wantPublishedOnce checks that, after the first messages, no document was published more
// than once.
func (w *randomWorkspace) wantPublishedOnce(t *testing.T, c testClient, first int) {
	t.Helper()
	times := map[uri.URI]int{}
	for _, m := range c.Messages(protocol.MethodTextDocumentPublishDiagnostics)[first:] {
		var p protocol.PublishDiagnosticsParams
		if err := protocol.Unmarshal(m.Params, &p); err != nil {
			t.Fatal(err)
		}
		if times[p.URI]++; times[p.URI] > 1 {
			t.Errorf("%s was published %d times for one change", p.URI, times[p.URI])
		}
	}
	if len(times) == 0 {
		t.Error("nothing has changed")
	}
}

// wantOneSnapshot checks that all of an answer comes from the current files and open
// documents.
func (w *randomWorkspace) wantOneSnapshot(t *testing.T, pending lsptest.Pending) {
	t.Helper()
	var found []protocol.SymbolInformation
	if err := pending.Wait(&found); err != nil {
		t.Fatal(err)
	}
	for _, s := range found {
		path := s.Location.URI.FsPath()
		text, open := w.open[path]
		if !open {
			text = w.disk[path]
		}
		if !strings.Contains(text, s.Name) {
			t.Errorf("%s is said to be in %s", s.Name, path)
		}
	}
}

// TestRandomSession edits, opens, closes, writes, deletes and renames files at random,
// and reports it early or late. In the end the client has what a new server would
// publish.
func TestRandomSession(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newRandomWorkspace(t, 100+seed)
			c := w.startEditor(t, supportWatching)
			c.waitUntilWatched(t)
			p := w.startEditor(t, lsptest.WithPull(), supportWatching)
			p.waitUntilWatched(t)
			var late []protocol.FileEvent
			tell := func() {
				for _, client := range []testClient{c, p} {
					client.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{Changes: late})
				}
				late = nil
			}
			steps := 120
			if testing.Short() {
				steps = 70
			}
			for range steps {
				late = append(late, w.changeSomething(t, c, p)...)
				if w.random.IntN(5) == 0 {
					tell()
				}
				if w.random.IntN(10) == 0 {
					p.Start(protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: "two_"})
				}
			}
			tell()
			w.waitForDiagnostics(t, c, w.diagnosticsOfNewServer(t))
			if got, want := waitForReports(t, pullWorkspace(p, &pulledReports{})).lines(), w.reportOfNewServer(t); got != want {
				t.Errorf("pulled and wanted:\n%s", differingLines(got, want))
			}
		})
	}
}

// changeSomething makes one change in two editors or on disk. It returns the events that
// a watcher would report.
func (w *randomWorkspace) changeSomething(t *testing.T, editors ...testClient) []protocol.FileEvent {
	path := w.anyPath(w.disk)
	event := func(kind protocol.FileChangeType, path string) protocol.FileEvent {
		return protocol.FileEvent{URI: uri.File(path), Type: kind}
	}
	_, open := w.open[path]
	switch n := w.random.IntN(10); {
	case n < 3 && !open:
		w.open[path] = w.disk[path]
		for _, c := range editors {
			w.openFile(c, path)
		}
	case n < 6 && len(w.open) > 0: // an edit
		path = w.anyPath(w.open)
		w.open[path] = w.disk[w.anyPath(w.disk)]
		w.version[path]++
		for _, c := range editors {
			c.Change(uri.File(path), w.version[path], lsptest.ReplaceAll(w.open[path]))
		}
	case n < 7 && len(w.open) > 0:
		path = w.anyPath(w.open)
		delete(w.open, path)
		for _, c := range editors {
			c.Close(uri.File(path))
		}
	case n < 8:
		w.rewriteFile(t, path)
		return []protocol.FileEvent{event(protocol.FileChangeTypeChanged, path)}
	case n < 9:
		w.removeFile(t, path)
		return []protocol.FileEvent{event(protocol.FileChangeTypeDeleted, path)}
	default:
		other, text := libraryPath(w, libraries+w.random.IntN(5)), w.disk[path]
		w.removeFile(t, path)
		w.writeFile(t, other, text)
		return []protocol.FileEvent{event(protocol.FileChangeTypeDeleted, path), event(protocol.FileChangeTypeCreated, other)}
	}
	return nil
}

func (w *randomWorkspace) anyPath(files map[string]string) string {
	paths := slices.Sorted(maps.Keys(files))
	return paths[w.random.IntN(len(paths))]
}

// differingLines returns the lines that only one of two texts has.
func differingLines(got, want string) string {
	var out []string
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for _, line := range a {
		if !slices.Contains(b, line) {
			out = append(out, "- "+line)
		}
	}
	for _, line := range b {
		if !slices.Contains(a, line) {
			out = append(out, "+ "+line)
		}
	}
	return strings.Join(out, "\n")
}
