package lsp

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// manualPoll is the waits before each check of the disk. The test decides when each wait
// ends.
type manualPoll struct {
	waits chan time.Duration
	over  chan time.Time
}

// install makes a server wait for the test.
func (l manualPoll) install(s *server) {
	s.poll.after = func(wait time.Duration) <-chan time.Time {
		l.waits <- wait
		return l.over
	}
}

func newManualPoll() manualPoll {
	return manualPoll{make(chan time.Duration, 100), make(chan time.Time)}
}

// endWaitsUntil ends waits up to one of the given length. Each wait must be twice as long
// as the one before it, or the shortest one again.
func (l manualPoll) endWaitsUntil(t *testing.T, last time.Duration) {
	t.Helper()
	for before := time.Duration(0); before != last; {
		wait := <-l.waits
		if wait != time.Second && wait != 2*before {
			t.Errorf("a look %v after one after %v", wait, before)
		}
		l.over <- time.Time{}
		before = wait
	}
}

// endAllWaits ends every wait at once, until the test is over.
func (l manualPoll) endAllWaits(t *testing.T) {
	go func() {
		for {
			select {
			case <-l.waits:
			case <-t.Context().Done():
				return
			}
			select {
			case l.over <- time.Time{}:
			case <-t.Context().Done():
				return
			}
		}
	}()
}

// TestPollStops counts the looks at the disk: ever fewer, then none until the
// client says something, and none at all while no document is open.
func TestPollStops(t *testing.T) {
	f, l := newTestFolder(t), newManualPoll()
	f.write("lib.tools.abl", pingLibrary)
	f.makeOlder("lib.tools.abl")
	c := startClient(t, l.install)
	c.Initialize(lsptest.WithFolders(f.path))
	c.echo(t)
	if n := len(l.waits); n > 0 {
		t.Errorf("%d looks without a document", n)
	}
	agent := uri.File(f.join("a.agent.abl"))
	c.Open(agent, importsOf("lib.tools.abl"))
	c.Diagnostics(agent, 1)
	l.endWaitsUntil(t, 32*time.Second)
	if n := len(l.waits); n > 0 {
		t.Errorf("%d looks after the last", n)
	}
	c.Change(agent, 2, lsptest.ReplaceAll(importsOf("lib.tools.abl")))
	l.endWaitsUntil(t, 32*time.Second)
	if err := c.Exit(); err != nil {
		t.Error(err)
	}
}

// TestPoll changes files on disk, in a client that does not report changes of files.
func TestPoll(t *testing.T) {
	f, l := newTestFolder(t), newManualPoll()
	f.write("lib.tools.abl", pingLibrary)
	f.makeOlder("lib.tools.abl")
	agent := uri.File(f.join("a.agent.abl"))
	c := startClient(t, l.install)
	c.Initialize(lsptest.WithFolders(f.path))
	c.Open(agent, "AGENT: A\nGOAL: \"x\"\nTOOLS:\n  file: \"./lib.tools.abl\" [ping]\n")
	l.endAllWaits(t)
	if err := os.Remove(f.join("lib.tools.abl")); err != nil {
		t.Fatal(err)
	}
	unresolved := func() bool {
		all := c.Published(agent)
		return strings.Contains(fmt.Sprint(all[len(all)-1].Diagnostics), "unresolved-import")
	}
	c.waitUntil(t, unresolved)
	f.write("lib.tools.abl", pingLibrary)
	c.waitUntil(t, func() bool { return !unresolved() })
}

// TestPollWakesWorkspaceDiagnostics changes a file that is not open while the client
// waits for the diagnostics of all files.
func TestPollWakesWorkspaceDiagnostics(t *testing.T) {
	f, l := newTestFolder(t), newManualPoll()
	f.write("a.agent.abl", "AGENT: A\nGOAL: \"x\"\n")
	f.write("b.agent.abl", "AGENT: B\nGOAL: \"x\"\n")
	checked := make(chan string, 100)
	c := startClient(t, l.install, func(s *server) {
		for _, check := range []*checkFunc{&s.check, &s.checkUnopened} {
			inner := *check
			*check = func(ctx context.Context, snap *snapshot, path string) []model.Diagnostic {
				checked <- path
				return inner(ctx, snap, path)
			}
		}
	})
	c.Initialize(lsptest.WithFolders(f.path), lsptest.WithPull())
	c.Open(uri.File(f.join("a.agent.abl")), "AGENT: A\nGOAL: \"x\"\n")
	first := waitForReports(t, pullWorkspace(c, &pulledReports{}))
	waiting := pullWorkspace(c, first)
	for range 4 { // two files, twice: now it waits
		<-checked
	}
	f.write("b.agent.abl", "AGENT: B\n")
	f.write("c.agent.abl", "AGENT: C\n")
	l.endAllWaits(t)
	const want = "a.agent.abl 1 unchanged\nb.agent.abl closed full missing-section\nc.agent.abl closed full missing-section"
	if diff := cmp.Diff(want, waitForReports(t, waiting).lines()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPollOnlyUnwatchedFiles watches the folder: only what lies outside of it
// is looked at.
func TestPollOnlyUnwatchedFiles(t *testing.T) {
	f, l := newTestFolder(t), newManualPoll()
	f.write("lib.tools.abl", pingLibrary)
	f.write("../far.tools.abl", pingLibrary)
	agent := uri.File(f.join("a.agent.abl"))
	c := startClient(t, l.install)
	c.Initialize(lsptest.WithFolders(f.path), lsptest.WithOptions(`{"trusted":true}`), supportWatching)
	c.waitUntilWatched(t)
	c.Open(agent, importsOf("lib.tools.abl", "../far.tools.abl"))
	c.echo(t)
	for path := range c.server.poll.unwatchedFiles() {
		if path == f.join("lib.tools.abl") {
			t.Error("what is watched is looked at")
		}
	}
	f.write("../far.tools.abl", "TOOLS:\n")
	l.endAllWaits(t)
	c.waitForTools(t, f.join("../far.tools.abl"), 0)
}

// makeOlder makes a file an old one.
func (f testFolder) makeOlder(name string) {
	f.t.Helper()
	then := time.Now().Add(-time.Hour)
	if err := os.Chtimes(f.join(name), then, then); err != nil {
		f.t.Fatal(err)
	}
}

// supportWatching announces a client that watches files.
func supportWatching(p *protocol.InitializeParams) {
	if p.Capabilities.Workspace == nil {
		p.Capabilities.Workspace = &protocol.WorkspaceClientCapabilities{}
	}
	p.Capabilities.Workspace.DidChangeWatchedFiles = &protocol.DidChangeWatchedFilesClientCapabilities{DynamicRegistration: new(true)}
}

// waitUntilWatched waits until the server relies on the client.
func (f testClient) waitUntilWatched(t *testing.T) {
	t.Helper()
	for !f.server.files.index.watched.Load() {
		f.echo(t)
	}
	f.server.watch.mu.Lock() // it has looked at what happened before
	defer f.server.watch.mu.Unlock()
}

// waitForTools waits until a file has so many tools.
func (f testClient) waitForTools(t *testing.T, path string, want int) {
	t.Helper()
	for {
		if file := f.server.session.load().workspace.File(path); file != nil && len(file.Tools) == want {
			return
		}
		f.echo(t)
	}
}
