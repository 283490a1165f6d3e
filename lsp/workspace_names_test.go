package lsp

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// agentHandingOver returns an agent that hands over to another one.
func agentHandingOver(name, to string) string {
	return fmt.Sprintf("AGENT: %s\nGOAL: \"Answers 🧭\"\nHANDOFF:\n  - TO: %s\n    WHEN: done == true\n", name, to)
}

// TestNamesOfUnopened has an open agent hand over to one that is created, changed and
// deleted on disk.
func TestNamesOfUnopened(t *testing.T) {
	f := newTestFolder(t)
	f.write("sales.agent.abl", "AGENT: Sales\nGOAL: \"Sells\"\n") // another one, or nothing is known of agents
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path), supportWatching)
	c.waitUntilWatched(t)
	front := uri.File(f.join("front.agent.abl"))
	c.Open(front, agentHandingOver("Front", "Billing"))
	wantCodes(t, c, front, "undefined-agent 2")

	f.write("billing.agent.abl", "AGENT: Billing\nGOAL: \"Bills\"\n")
	c.notifyChangedFiles(protocol.FileChangeTypeCreated, f.join("billing.agent.abl"))
	wantCodes(t, c, front)
	f.write("billing.agent.abl", "AGENT: Accounts\nGOAL: \"Bills\"\n")
	c.notifyChangedFiles(protocol.FileChangeTypeChanged, f.join("billing.agent.abl"))
	wantCodes(t, c, front, "undefined-agent 2")
	f.write("other.abl", "SUPERVISOR: Billing\nGOAL: \"Bills\"\n")
	c.notifyChangedFiles(protocol.FileChangeTypeCreated, f.join("other.abl"))
	wantCodes(t, c, front)
	if err := os.Remove(f.join("other.abl")); err != nil {
		t.Fatal(err)
	}
	c.notifyChangedFiles(protocol.FileChangeTypeDeleted, f.join("other.abl"))
	wantCodes(t, c, front, "undefined-agent 2")
}

// TestNamesOfOpened renames an open agent letter by letter, and closes it. The
// diagnostics of others that name it are updated, also in a client that pulls.
func TestNamesOfOpened(t *testing.T) {
	f := newTestFolder(t)
	f.write("billing.agent.abl", agentHandingOver("Billing", "Front"))
	front, billing := uri.File(f.join("front.agent.abl")), uri.File(f.join("billing.agent.abl"))
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path), supportWatching)
	c.Open(front, agentHandingOver("Front", "Billing"))
	wantCodes(t, c, front)
	c.Open(billing, agentHandingOver("Billing", "Front"))
	c.Change(billing, 2, lsptest.Replace(0, 14, 0, 14, "s"))
	wantCodes(t, c, front, "undefined-agent 2")
	c.Change(billing, 3, lsptest.Replace(0, 14, 0, 15, ""))
	wantCodes(t, c, front)
	c.Change(billing, 4, lsptest.Replace(0, 7, 0, 14, "Accounts"))
	wantCodes(t, c, front, "undefined-agent 2")
	c.Close(billing) // on disk it has its old name
	wantCodes(t, c, front)

	c = startClient(t)
	c.Initialize(lsptest.WithFolders(f.path), lsptest.WithPull())
	c.Open(front, agentHandingOver("Front", "Billing"))
	c.Open(billing, agentHandingOver("Billing", "Front"))
	id, items, _ := pull(t, c, front, "")
	if len(items) > 0 {
		t.Errorf("pulled: %v", items)
	}
	c.Change(billing, 2, lsptest.Replace(0, 14, 0, 14, "s"))
	c.Await(protocol.MethodWorkspaceDiagnosticRefresh, nil)
	if _, items, unchanged := pull(t, c, front, id); unchanged || len(items) != 1 {
		t.Errorf("pulled after the refresh: %v", items)
	}
}

// TestNamesAtTheEnd shuts down while the names are read. The shutdown does not wait for
// them.
func TestNamesAtTheEnd(t *testing.T) {
	f, _ := manyFiles(t, 250)
	d := newSlowDisk()
	c := startClient(t, d.stopAt(100), func(s *server) { s.client.EndTimeout = 10 * time.Millisecond })
	c.Initialize(lsptest.WithFolders(f.path))
	c.Open(uri.File(f.join("front.agent.abl")), agentHandingOver("Front", "Billing"))
	<-d.reached
	if err := c.Call(protocol.MethodShutdown, nil, nil); err != nil {
		t.Error(err)
	}
	c.server.client.GoUntilDone("disk", func(ctx context.Context) {
		<-ctx.Done() // what is under way is cancelled
		close(d.continued)
	})
	c.Notify(protocol.MethodExit, nil)
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	if read := int(d.read.Load()); read > 100+runtime.GOMAXPROCS(0) {
		t.Errorf("%d files were read after the end", read-100)
	}
}
