package lsp

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/lsp/connection"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// unreadClient is an editor that writes and never reads.
type unreadClient struct {
	server *server
	in     *io.PipeWriter
	out    *io.PipeReader
	ended  chan error
}

func startUnreadClient() unreadClient {
	in, toward := io.Pipe()
	from, out := io.Pipe()
	d := unreadClient{newServer(Options{In: in, Out: out}), toward, from, make(chan error, 1)}
	go func() { d.ended <- d.server.serve(context.Background()) }()
	return d
}

func (d unreadClient) send(body string) error {
	_, err := fmt.Fprintf(d.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// countServerGoroutines counts the goroutines that run code of this package.
func countServerGoroutines() int {
	stacks := make([]byte, 64<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	n := 0
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		if strings.Contains(stack, "abl-lsp/lsp.(*server)") || strings.Contains(stack, "abl-lsp/lsp/connection.(*Conn)") {
			n++
		}
	}
	return n
}

// TestClientThatNeverReads sends requests, edits and invalid messages without end. At
// some point the server stops reading, with a bounded number of goroutines, and all of
// them end with the client.
func TestClientThatNeverReads(t *testing.T) {
	d := startUnreadClient()
	go func() {
		_ = d.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
		for read, buffer := "", make([]byte, 1<<16); !strings.Contains(read, "serverInfo"); { // otherwise the server would block on the first answer
			n, _ := d.out.Read(buffer)
			read += string(buffer[:n])
		}
		_ = d.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		_ = d.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":1,"text":"x"}}}`, testFile))
		for i := range 3 * connection.MaxRequests {
			_ = d.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/hover","params":{"textDocument":{"uri":%q},"position":{"line":0,"character":0}}}`, i+2, testFile))
			_ = d.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"text":"TOOLS:\n"}]}}`, testFile, i+2))
			_ = d.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"abl":{"trusted":7}}}}`)
		}
	}()
	for countServerGoroutines() <= connection.MaxRequests {
		runtime.Gosched()
	}
	if n := countServerGoroutines(); n > connection.MaxRequests+maxQueued+maxJobs+50 {
		t.Errorf("%d goroutines work", n)
	}
	d.out.Close()
	d.in.Close()
	<-d.ended
	for countServerGoroutines() > 0 { // they notice
		runtime.Gosched()
	}
}

// TestLostClientLeavesNothing ends a session while the server works.
func TestLostClientLeavesNothing(t *testing.T) {
	for range 20 {
		c := startClient(t)
		c.Initialize(lsptest.WithProgress())
		c.Open(testFile, "AGENT: A\n")
		c.Start(protocol.MethodWorkspaceDiagnostic, &protocol.WorkspaceDiagnosticParams{PreviousResultIds: []protocol.PreviousResultId{{URI: "file:///x", Value: "1"}}})
		c.Start("test/wait", nil)
		<-c.started
		c.Disconnect()
		if err := c.Wait(); err == nil {
			t.Error("a lost client is no shutdown")
		}
	}
	for countServerGoroutines() > 0 {
		runtime.Gosched()
	}
}
