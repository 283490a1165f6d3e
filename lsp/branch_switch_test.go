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

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// world is what two folders hold and what an editor has open of it, by path.
type world struct {
	folders [2]folder
	disk    map[string]string
	open    map[string]string
	version map[string]int32
	random  *rand.Rand
}

// Of 300 files, a third are libraries, each with two tools whose names depend on
// the branch. Agents import from both folders.
const (
	libraries = 100
	agents    = 200
)

func libraryPath(w *world, i int) string {
	return w.folders[i%2].at(fmt.Sprintf("tools/l%03d.tools.abl", i))
}

func agentPath(w *world, i int) string {
	return w.folders[i%2].at(fmt.Sprintf("agents/a%03d.agent.abl", i))
}

// libraryText has tools of one of two names, and may import another library.
func (w *world) libraryText(i int) string {
	text := fmt.Sprintf("TOOLS:\n  one_%d(x: string) -> string\n    description: \"😀 %s\"\n", i, strings.Repeat("x", w.random.IntN(3)))
	if w.random.IntN(3) > 0 {
		text += fmt.Sprintf("  two_%d() -> string\n    description: \"Two\"\n", i)
	}
	return text
}

// agentText imports tools that may not be there, and calls one.
func (w *world) agentText(i int) string {
	text := fmt.Sprintf("AGENT: A%d\nGOAL: \"東京\"\nTOOLS:\n", i)
	var called int
	for range 3 {
		called = w.random.IntN(libraries + 5) // some are nowhere
		rel, _ := filepath.Rel(filepath.Dir(agentPath(w, i)), libraryPath(w, called))
		text += fmt.Sprintf("  file: \"%s\" [one_%d, two_%d]\n", filepath.ToSlash(rel), called, called)
	}
	return text + fmt.Sprintf("FLOW:\n  s:\n    REASONING: false\n    CALL: one_%d(x: \"1\")\n    THEN: COMPLETE\n", called)
}

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{disk: map[string]string{}, open: map[string]string{}, version: map[string]int32{}, random: rand.New(rand.NewPCG(seed, 1))}
	root := newFolder(t)
	for i, name := range []string{"shop", "bank"} {
		w.folders[i] = folder{t, root.at(name)}
		for _, sub := range []string{"tools", "agents"} {
			if err := os.MkdirAll(w.folders[i].at(sub), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range libraries {
		w.put(t, libraryPath(w, i), w.libraryText(i))
	}
	for i := range agents {
		w.put(t, agentPath(w, i), w.agentText(i))
	}
	return w
}

// put writes a file, remove takes it away.
func (w *world) put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w.disk[path] = text
}

func (w *world) remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	delete(w.disk, path)
}

// switchBranch changes 200 files at once, and says what a watcher would.
func (w *world) switchBranch(t *testing.T) []protocol.FileEvent {
	var events []protocol.FileEvent
	tell := func(kind protocol.FileChangeType, path string) {
		events = append(events, protocol.FileEvent{URI: uri.File(path), Type: kind})
	}
	paths := slices.Sorted(maps.Keys(w.disk))
	w.random.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	for i, path := range paths[:200] {
		switch {
		case i < 30: // gone
			w.remove(t, path)
			tell(protocol.FileChangeTypeDeleted, path)
		case i < 50: // under another name
			other := strings.Replace(path, ".abl", "x.abl", 1)
			other = strings.Replace(other, ".toolsx.abl", "x.tools.abl", 1)
			text := w.disk[path]
			w.remove(t, path)
			w.put(t, other, text)
			tell(protocol.FileChangeTypeDeleted, path)
			tell(protocol.FileChangeTypeCreated, other)
		default:
			w.rewrite(t, path)
			tell(protocol.FileChangeTypeChanged, path)
		}
	}
	for i := range 10 { // new
		path := libraryPath(w, libraries+i)
		w.put(t, path, w.libraryText(libraries+i))
		tell(protocol.FileChangeTypeCreated, path)
	}
	return events
}

// rewrite gives a file another text of its kind.
func (w *world) rewrite(t *testing.T, path string) {
	t.Helper()
	var i int
	name := filepath.Base(path)
	if _, err := fmt.Sscanf(name[1:4], "%d", &i); err != nil {
		t.Fatal(err)
	}
	if name[0] == 'l' {
		w.put(t, path, w.libraryText(i))
		return
	}
	w.put(t, path, w.agentText(i))
}

// start opens the folders and all that is open in an editor.
func (w *world) start(t *testing.T, options ...func(*protocol.InitializeParams)) fake {
	t.Helper()
	c := startFake(t, func(s *server) { s.client.EndTimeout = time.Minute })
	c.Initialize(append(options, lsptest.WithFolders(w.folders[0].path, w.folders[1].path))...)
	for _, path := range slices.Sorted(maps.Keys(w.open)) {
		w.openIn(c, path)
	}
	return c
}

func (w *world) openIn(c fake, path string) {
	w.version[path] = max(w.version[path], 1)
	params := &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{URI: uri.File(path), LanguageID: "abl", Version: w.version[path], Text: w.open[path]}}
	c.Notify(protocol.MethodTextDocumentDidOpen, params)
}

// published is what a client that is pushed to has of each open document.
func published(c fake) map[string]string {
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

// fresh is what a server that knows nothing yet publishes.
func (w *world) fresh(t *testing.T) map[string]string {
	t.Helper()
	c := w.start(t)
	for path := range w.open {
		c.Diagnostics(uri.File(path), w.version[path])
	}
	c.settled(t)
	if err := c.Exit(); err != nil {
		t.Error(err)
	}
	return published(c)
}

// freshAll is what it answers to a client that asks for all files.
func (w *world) freshAll(t *testing.T) string {
	t.Helper()
	return answered(t, pullWorkspace(w.start(t, lsptest.WithPull()), &pulled{})).show()
}

// same waits until the client has what a fresh server would publish.
func (w *world) same(t *testing.T, c fake, want map[string]string) {
	t.Helper()
	for !maps.Equal(published(c), want) {
		before := len(c.Messages(protocol.MethodTextDocumentPublishDiagnostics))
		c.settled(t)
		if len(c.Messages(protocol.MethodTextDocumentPublishDiagnostics)) == before && !maps.Equal(published(c), want) {
			w.differ(t, published(c), want)
			return
		}
	}
}

// settled waits until no document is due.
func (f fake) settled(t *testing.T) {
	t.Helper()
	for {
		f.echo(t)
		if !f.server.diagnostics.queue.isDue() {
			f.echo(t)
			return
		}
	}
}

// isDue reports whether a document is due, or may be.
func (q *diagnosticsQueue) isDue() bool {
	q.scheduling.Lock()
	defer q.scheduling.Unlock()
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.due)+len(q.changed)+len(q.others) > 0
}

func (w *world) differ(t *testing.T, got, want map[string]string) {
	t.Helper()
	for path := range want {
		if got[path] != want[path] {
			t.Errorf("%s:\n got %s\nwant %s", path, got[path], want[path])
			return
		}
	}
	t.Errorf("published for %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
}

// TestBranchSwitch changes 200 of 300 files in two folders at once, with ten
// documents open, of which some have text that is nowhere on disk.
func TestBranchSwitch(t *testing.T) {
	for name, notice := range map[string]func(c fake, w *world, events []protocol.FileEvent){
		"in one batch": func(c fake, _ *world, events []protocol.FileEvent) {
			c.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{Changes: events})
		},
		"one by one": func(c fake, _ *world, events []protocol.FileEvent) {
			for _, e := range events {
				c.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{Changes: []protocol.FileEvent{e}})
			}
		},
		"by a save alone": func(c fake, w *world, _ []protocol.FileEvent) {
			params := &protocol.DidSaveTextDocumentParams{}
			params.TextDocument.URI = uri.File(slices.Sorted(maps.Keys(w.open))[0])
			c.Notify(protocol.MethodTextDocumentDidSave, params)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 7)
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
			before := w.fresh(t)
			c := w.start(t, watching)
			c.watched(t)
			w.same(t, c, before)
			p := w.start(t, lsptest.WithPull(), watching)
			p.watched(t)
			first := answered(t, pullWorkspace(p, &pulled{}))

			counts := len(c.Messages(protocol.MethodTextDocumentPublishDiagnostics))
			events := w.switchBranch(t)
			notice(c, w, events)
			var between []lsptest.Pending
			for range 20 {
				between = append(between, c.Start(protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: "two_"}))
			}
			w.same(t, c, w.fresh(t))
			for _, pending := range between {
				w.oneSnapshot(t, pending)
			}
			if err := c.Exit(); err != nil {
				t.Error(err)
			}
			w.once(t, c, counts)
			if name == "by a save alone" {
				return // of the files that nobody has opened nobody tells it
			}
			waiting := pullWorkspace(p, first)
			notice(p, w, events)
			answered(t, waiting) // with what is news at that moment
			if got, want := answered(t, pullWorkspace(p, &pulled{})).show(), w.freshAll(t); got != want {
				t.Errorf("pulled and wanted:\n%s", differing(got, want))
			}
		})
	}
}

// once holds that no document was published more than once after the first so
// many.
func (w *world) once(t *testing.T, c fake, first int) {
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

// oneSnapshot holds that an answer is wholly of the files as they are now, or as
// the editor has them.
func (w *world) oneSnapshot(t *testing.T, pending lsptest.Pending) {
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

// TestRandomSession edits, opens, closes, writes, deletes and renames files at
// random, and tells of it late or early. In the end the client has what a fresh
// server would say.
func TestRandomSession(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newWorld(t, 100+seed)
			c := w.start(t, watching)
			c.watched(t)
			p := w.start(t, lsptest.WithPull(), watching)
			p.watched(t)
			var late []protocol.FileEvent
			tell := func() {
				for _, client := range []fake{c, p} {
					client.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{Changes: late})
				}
				late = nil
			}
			for range 120 {
				late = append(late, w.step(t, c, p)...)
				if w.random.IntN(5) == 0 {
					tell()
				}
				if w.random.IntN(10) == 0 {
					p.Start(protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: "two_"})
				}
			}
			tell()
			w.same(t, c, w.fresh(t))
			if got, want := answered(t, pullWorkspace(p, &pulled{})).show(), w.freshAll(t); got != want {
				t.Errorf("pulled and wanted:\n%s", differing(got, want))
			}
		})
	}
}

// step does one thing in two editors, or on disk, of which it returns what a
// watcher would tell.
func (w *world) step(t *testing.T, editors ...fake) []protocol.FileEvent {
	path := w.anyOf(w.disk)
	event := func(kind protocol.FileChangeType, path string) protocol.FileEvent {
		return protocol.FileEvent{URI: uri.File(path), Type: kind}
	}
	_, open := w.open[path]
	switch n := w.random.IntN(10); {
	case n < 3 && !open:
		w.open[path] = w.disk[path]
		for _, c := range editors {
			w.openIn(c, path)
		}
	case n < 6 && len(w.open) > 0: // an edit
		path = w.anyOf(w.open)
		w.open[path] = w.disk[w.anyOf(w.disk)]
		w.version[path]++
		for _, c := range editors {
			c.Change(uri.File(path), w.version[path], lsptest.ReplaceAll(w.open[path]))
		}
	case n < 7 && len(w.open) > 0:
		path = w.anyOf(w.open)
		delete(w.open, path)
		for _, c := range editors {
			c.Close(uri.File(path))
		}
	case n < 8:
		w.rewrite(t, path)
		return []protocol.FileEvent{event(protocol.FileChangeTypeChanged, path)}
	case n < 9:
		w.remove(t, path)
		return []protocol.FileEvent{event(protocol.FileChangeTypeDeleted, path)}
	default:
		other, text := libraryPath(w, libraries+w.random.IntN(5)), w.disk[path]
		w.remove(t, path)
		w.put(t, other, text)
		return []protocol.FileEvent{event(protocol.FileChangeTypeDeleted, path), event(protocol.FileChangeTypeCreated, other)}
	}
	return nil
}

func (w *world) anyOf(files map[string]string) string {
	paths := slices.Sorted(maps.Keys(files))
	return paths[w.random.IntN(len(paths))]
}

// differing are the lines that only one of two texts has.
func differing(got, want string) string {
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
