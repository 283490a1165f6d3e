package lsp

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// slowDisk makes a server wait before it reads a certain file of the folders and all
// later ones.
type slowDisk struct {
	reached, continued chan struct{}
	read               atomic.Int64
}

func newSlowDisk() *slowDisk {
	return &slowDisk{reached: make(chan struct{}), continued: make(chan struct{})}
}

func (d *slowDisk) stopAt(n int) func(*server) {
	return func(s *server) {
		s.files.index.readFile = func(path string) (string, model.Absence) {
			switch now := int(d.read.Add(1)); {
			case now == n:
				close(d.reached)
				<-d.continued
			case now > n:
				<-d.continued
			}
			return disk.Read(path)
		}
	}
}

// wantStopped checks that the reading stopped at a file, or at most one file for each
// other processor later. It returns how many files were read.
func (d *slowDisk) wantStopped(t *testing.T, at int) int {
	t.Helper()
	read := int(d.read.Load())
	if read < at || read >= at+runtime.GOMAXPROCS(0) {
		t.Errorf("%d files were read", read)
	}
	return read
}

// manyFiles creates a folder of agents that call one tool.
func manyFiles(t *testing.T, n int) (f testFolder, lib uri.URI) {
	f = newTestFolder(t)
	for _, dir := range []string{f.join("agents"), f.join("tools")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		name := fmt.Sprintf("agents/a%03d.agent.abl", i)
		f.write(name, fmt.Sprintf(pingAgent, "A"))
		f.makeOlder(name)
	}
	f.write("tools/p.tools.abl", pingLibrary)
	f.makeOlder("tools/p.tools.abl")
	return f, uri.File(f.join("tools/p.tools.abl"))
}

// TestFirstIndexIsShown checks the progress of reading 250 files.
func TestFirstIndexIsShown(t *testing.T) {
	f, lib := manyFiles(t, 250)
	d := newSlowDisk()
	c := startClient(t, d.stopAt(100))
	c.Initialize(lsptest.WithFolders(f.path), lsptest.WithProgress())
	c.Open(lib, pingLibrary)
	references := c.Start(protocol.MethodTextDocumentReferences, &protocol.ReferenceParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: lib}, Position: protocol.Position{Line: 1, Character: 4},
	}})
	c.Await(protocol.MethodProgress, reported("Reading the workspace"))
	<-d.reached
	waiting := c.Start(protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: "ping"})
	waiting.Cancel() // though another one has the disk
	wantCode(t, waiting.Wait(nil), protocol.CodeRequestCancelled)
	close(d.continued)
	var found []protocol.Location
	if err := references.Wait(&found); err != nil || len(found) != 2*250 {
		t.Errorf("%d references, %v", len(found), err)
	}
	c.Await(protocol.MethodProgress, reported(`"end"`))
	if got := strings.ReplaceAll(kinds(t, c, "abl-lsp/1"), "report ", ""); got != "begin end" {
		t.Errorf("reports = %q", got)
	}
	referencingFiles(t, c, lib, 1, 4)
	if n := len(c.Messages(protocol.MethodWindowWorkDoneProgressCreate)); n != 1 {
		t.Errorf("shown %d times", n)
	}
}

// TestQuickIndexIsEnded reads two files, which takes less time than the client needs to
// create a progress. The progress is still begun and ended: Helix shows one until its
// end.
func TestQuickIndexIsEnded(t *testing.T) {
	f, lib := manyFiles(t, 1)
	c := startClient(t)
	read := make(chan struct{})
	c.Answer(protocol.MethodWindowWorkDoneProgressCreate, func(jsonrpc2.RawMessage) (any, error) {
		<-read
		return nil, nil
	})
	c.Initialize(lsptest.WithFolders(f.path), lsptest.WithProgress())
	c.Open(lib, pingLibrary)
	referencingFiles(t, c, lib, 1, 4)
	close(read)
	c.Await(protocol.MethodProgress, reported(`"end"`))
	if got := kinds(t, c, "abl-lsp/1"); got != "begin end" {
		t.Errorf("reports = %q", got)
	}
}

// TestFirstIndexIsStopped cancels the reading by its button. The files that were read
// count, and requests are answered.
func TestFirstIndexIsStopped(t *testing.T) {
	f, lib := manyFiles(t, 250)
	d := newSlowDisk()
	c := startClient(t, d.stopAt(10))
	c.Initialize(lsptest.WithFolders(f.path), lsptest.WithProgress())
	c.Open(lib, pingLibrary)
	symbols := c.Start(protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: "ping"})
	c.Await(protocol.MethodProgress, reported("Reading the workspace"))
	<-d.reached
	c.Notify(protocol.MethodWindowWorkDoneProgressCancel, &protocol.WorkDoneProgressCancelParams{Token: protocol.String("abl-lsp/1")})
	c.echo(t)
	close(d.continued)
	if err := symbols.Wait(nil); err != nil {
		t.Errorf("symbols: %v", err)
	}
	read := d.wantStopped(t, 10)
	if got := len(referencingFiles(t, c, lib, 1, 4)); got != 2*read+1 {
		t.Errorf("%d references, want those of %d files and the tool", got, read)
	}
	c.Notify(protocol.MethodWorkspaceDidChangeWorkspaceFolders, &protocol.DidChangeWorkspaceFoldersParams{
		Event: protocol.WorkspaceFoldersChangeEvent{Added: []protocol.WorkspaceFolder{{URI: uri.File(f.join("tools"))}}},
	})
	if got := len(referencingFiles(t, c, lib, 1, 4)); got != 2*250+1 {
		t.Errorf("%d references after a change of the folders", got)
	}
}

// TestFirstIndexIsCancelled cancels the request that reads the files. The next request
// reads the rest.
func TestFirstIndexIsCancelled(t *testing.T) {
	f, lib := manyFiles(t, 50)
	d := newSlowDisk()
	c := startClient(t, d.stopAt(10))
	c.Initialize(lsptest.WithFolders(f.path))
	c.Open(lib, pingLibrary)
	symbols := c.Start(protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: "ping"})
	<-d.reached
	symbols.Cancel()
	c.echo(t)
	close(d.continued)
	wantCode(t, symbols.Wait(nil), protocol.CodeRequestCancelled)
	d.wantStopped(t, 10)
	if got := len(referencingFiles(t, c, lib, 1, 4)); got != 2*50+1 {
		t.Errorf("%d references", got)
	}
	if read := d.read.Load(); read != 51 {
		t.Errorf("%d files were read, each once", read)
	}
}
