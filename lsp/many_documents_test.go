package lsp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/disk"
)

// editorSession is a server whose messages are written to it as bytes, and whose answers
// are only counted, since a client that decodes them would take more time than the
// server.
type editorSession struct {
	*server
	in    *io.PipeWriter
	out   *observedOutput
	ended chan error
}

func startSession(tb testing.TB, folder string, prepare ...func(*server)) *editorSession {
	tb.Helper()
	in, toward := io.Pipe()
	out := new(observedOutput)
	e := &editorSession{newServer(Options{In: in, Out: out}), toward, out, make(chan error, 1)}
	for _, change := range prepare {
		change(e.server)
	}
	go func() { e.ended <- e.serve(context.Background()) }()
	tb.Cleanup(func() {
		toward.Close()
		<-e.ended
	})
	e.send(tb, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":%q}}`, uri.File(folder)))
	e.send(tb, `{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	return e
}

func (e *editorSession) send(tb testing.TB, body string) {
	if _, err := fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		tb.Fatal(err)
	}
}

func (e *editorSession) open(tb testing.TB, path, text string) {
	params, err := protocol.Marshal(&protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{URI: uri.File(path), LanguageID: "abl", Version: 1, Text: text}})
	if err != nil {
		tb.Fatal(err)
	}
	e.send(tb, fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":%s}`, params))
}

func (e *editorSession) close(tb testing.TB, path string) {
	e.send(tb, fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":%q}}}`, uri.File(path)))
}

// settle waits until n documents are open and their diagnostics are sent.
func (e *editorSession) settle(tb testing.TB, n int) {
	tb.Helper()
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		due := e.diagnostics.queue.isDue()
		e.diagnostics.sent.mu.Lock()
		sent := len(e.diagnostics.sent.byPath)
		e.diagnostics.sent.mu.Unlock()
		if !due && sent == n && len(e.session.load().documents) == n {
			return
		}
	}
	tb.Fatal("the documents are still being looked at")
}

// manyAgents returns agents by path. Each hands over to the next one and imports a
// library of its own. Only the libraries are on disk.
func manyAgents(tb testing.TB, n int) (folder string, paths []string, texts []string) {
	f := newTestFolder(tb)
	for i := range n {
		f.write(fmt.Sprintf("l%d.tools.abl", i), pingLibrary)
		paths = append(paths, filepath.Join(f.path, fmt.Sprintf("a%d.agent.abl", i)))
		texts = append(texts, fmt.Sprintf("AGENT: Agent_%d\nGOAL: \"Answers 🧭\"\nTOOLS:\n  file: \"./l%d.tools.abl\" [ping]\nHANDOFF:\n  - TO: Agent_%d\n    WHEN: done\n", i, i, (i+1)%n))
	}
	return f.path, paths, texts
}

// BenchmarkManyDocuments opens documents one after the other and closes them again, and
// waits each time until their diagnostics are sent.
func BenchmarkManyDocuments(b *testing.B) {
	perDocument := map[int]float64{}
	for _, n := range []int{250, 1000, 4000} {
		b.Run(fmt.Sprintf("documents=%d", n), func(b *testing.B) {
			folder, paths, texts := manyAgents(b, n)
			var opening, closing time.Duration
			for b.Loop() {
				e := startSession(b, folder)
				start := time.Now()
				for i, path := range paths {
					e.open(b, path, texts[i])
				}
				e.settle(b, n)
				opened := time.Now()
				for _, path := range paths {
					e.close(b, path)
				}
				e.settle(b, 0)
				opening += opened.Sub(start)
				closing += time.Since(opened)
			}
			b.ReportMetric(float64(opening.Milliseconds())/float64(b.N), "ms-opening")
			b.ReportMetric(float64(closing.Milliseconds())/float64(b.N), "ms-closing")
			perDocument[n] = float64(b.Elapsed()) / float64(b.N) / float64(n)
			if perDocument[250] > 0 && n > 250 {
				b.ReportMetric(perDocument[n]/perDocument[250], "times-250-per-document")
			}
		})
	}
}

// TestManyClosedAtOnce opens 2,000 documents, or 800 in a short run, and closes all but one at once. A hover in
// between is answered while documents are still open, and all diagnostics of closed
// documents are removed.
func TestManyClosedAtOnce(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 800
	}
	folder, paths, texts := manyAgents(t, n)
	e := startSession(t, folder)
	for i, path := range paths {
		e.open(t, path, texts[i])
	}
	e.settle(t, n)
	const id = 7
	open := make(chan int, 1) // documents when the hover is answered
	e.out.callOnWrite(fmt.Sprintf(`"id":%d,`, id), func() { open <- len(e.session.load().documents) })
	for i, path := range paths[1:] {
		if i == n/2 {
			e.send(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/hover","params":{"textDocument":{"uri":%q},"position":{"line":3,"character":28}}}`, id, uri.File(paths[0])))
		}
		e.close(t, path)
	}
	e.settle(t, 1)
	select {
	case left := <-open:
		if left < 2 {
			t.Errorf("%d documents were open when the hover was answered", left)
		}
	default:
		t.Error("the hover is not answered")
	}
	if files := len(e.session.load().workspace.Paths()); files > 3*n {
		t.Errorf("%d files are known", files)
	}
}

// TestLargeFolder checks that, while a large folder is read, requests that need only the
// open file are answered, and references wait.
func TestLargeFolder(t *testing.T) {
	folder, paths, texts := manyAgents(t, largeFiles+50)
	for i, path := range paths[1:] {
		if err := os.WriteFile(path, []byte(texts[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	reading := make(chan struct{})
	e := startSession(t, folder, func(s *server) {
		s.files.index.readFile = func(path string) (string, model.Absence) {
			<-reading
			return disk.Read(path)
		}
	})
	finish := sync.OnceFunc(func() { close(reading) })
	t.Cleanup(finish) // before the session ends
	e.open(t, paths[0], texts[0])
	at := func(line, character int) string {
		return fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":%d,"character":%d}}`, uri.File(paths[0]), line, character)
	}
	ask := func(id int, method, params string) <-chan struct{} {
		answered := make(chan struct{})
		e.out.callOnWrite(fmt.Sprintf(`"id":%d,`, id), func() { close(answered) })
		e.send(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
		return answered
	}
	for i, soon := range []struct{ method, params string }{
		{protocol.MethodTextDocumentHover, at(3, 28)},
		{protocol.MethodTextDocumentDefinition, at(3, 28)},
		{protocol.MethodTextDocumentCompletion, at(5, 12)},
	} {
		t.Run(soon.method, func(t *testing.T) {
			select {
			case <-ask(10+i, soon.method, soon.params):
			case <-time.After(time.Minute):
				t.Fatalf("%s waits for the folder", soon.method)
			}
		})
	}
	waiting := ask(20, protocol.MethodTextDocumentReferences, strings.TrimSuffix(at(0, 9), "}")+`,"context":{"includeDeclaration":true}}`)
	select {
	case <-waiting:
		t.Error("references do not wait for the folder")
	case <-time.After(50 * time.Millisecond):
	}
	finish()
	select {
	case <-waiting:
	case <-time.After(time.Minute):
		t.Error("references are not answered")
	}
}

// observedOutput is what a server writes. It calls a function once when it writes something.
type observedOutput struct {
	mu   sync.Mutex
	what string
	call func()
}

func (o *observedOutput) callOnWrite(what string, call func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.what, o.call = what, call
}

func (o *observedOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.call != nil && bytes.Contains(p, []byte(o.what)) {
		o.call()
		o.call = nil
	}
	return len(p), nil
}
