package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

const (
	library = uri.URI("file:///w/lib.tools.abl")
	other   = uri.URI("file:///w/zz.agent.abl")
)

// checkWords installs a check that finds every "bad", and every "imported" in other
// documents while the library has a "bad".
func checkWords(s *server) {
	s.check = func(_ context.Context, snap *snapshot, path string) []model.Diagnostic {
		d := snap.documents[path]
		found := wordIn(d, "bad")
		if lib := snap.documents[pathOf(library)]; lib != nil && lib != d && strings.Contains(lib.Text(), "bad") {
			found = append(found, wordIn(d, "imported")...)
		}
		return found
	}
}

func wordIn(d *document, word string) []model.Diagnostic {
	i := strings.Index(d.Text(), word)
	if i < 0 {
		return nil
	}
	return []model.Diagnostic{{Span: text.Span{Start: i, End: i + len(word)}, Severity: model.Error, Message: word}}
}

func messages(diagnostics []protocol.Diagnostic) []string {
	var all []string
	for _, d := range diagnostics {
		all = append(all, string(d.Message.(protocol.String)))
	}
	return all
}

func TestPush(t *testing.T) {
	c := startClient(t, checkWords)
	result := c.Initialize()
	if result.Capabilities.DiagnosticProvider != nil {
		t.Error("pull is announced to a client that cannot")
	}
	c.Open(testFile, "bad")
	if got := messages(c.Diagnostics(testFile, 1)); !slices.Equal(got, []string{"bad"}) {
		t.Errorf("version 1: %q", got)
	}
	c.Change(testFile, 2, lsptest.ReplaceAll("good"))
	if got := c.Diagnostics(testFile, 2); len(got) > 0 {
		t.Errorf("version 2: %v", got)
	}
	c.Change(testFile, 3, lsptest.ReplaceAll("bad again"))
	c.Diagnostics(testFile, 3)
	c.Close(testFile)
	c.Diagnostics(testFile, 0) // diagnostics of a closed document have no version
	all := c.Published(testFile)
	if last := all[len(all)-1]; len(last.Diagnostics) > 0 {
		t.Errorf("closing leaves %v", last.Diagnostics)
	}
}

// TestSyntaxErrorsFirst opens large and small files with a syntax error and an unknown
// property. While the check is blocked, a client that supports versions has the syntax
// error of the large one.
func TestSyntaxErrorsFirst(t *testing.T) {
	const slips = "  find() -> string\n    description: \"Finds 🧭\"\n    type: http\n    endpoint: \"/x\"\n    made_up: 1\n  broken(\n"
	large := "TOOLS:\n" + slips + strings.Repeat("# a line of a large file\n", 12_000)
	for name, test := range map[string]struct {
		text    string
		options []func(*protocol.InitializeParams)
		first   bool
	}{
		"large":                      {large, []func(*protocol.InitializeParams){lsptest.WithVersions}, true},
		"large without versions":     {large, nil, false},
		"small":                      {"TOOLS:\n" + slips, []func(*protocol.InitializeParams){lsptest.WithVersions}, false},
		"large without syntax error": {strings.ReplaceAll(large, "  broken(\n", ""), []func(*protocol.InitializeParams){lsptest.WithVersions}, false},
	} {
		t.Run(name, func(t *testing.T) {
			held := make(chan struct{})
			c := startClient(t, func(s *server) {
				whole := s.check
				s.check = func(ctx context.Context, snap *snapshot, path string) []model.Diagnostic {
					<-held
					return whole(ctx, snap, path)
				}
			})
			c.Initialize(test.options...)
			c.Open(library, test.text)
			if test.first {
				wantOnlySyntax(t, c.Diagnostics(library, 1))
			}
			close(held)
			c.waitUntil(t, func() bool {
				all := c.Published(library)
				return slices.ContainsFunc(all[len(all)-1].Diagnostics, func(d protocol.Diagnostic) bool { return d.Code == protocol.String("unknown-property") })
			})
			want := 1
			if test.first {
				want = 2
			}
			if got := len(c.Published(library)); got != want {
				t.Errorf("published %d times, not %d", got, want)
			}
			c.Change(library, 2, lsptest.ReplaceAll(test.text+"# and more\n"))
			c.Diagnostics(library, 2)
			c.echo(t)
			if got := len(c.Published(library)); got != want+1 {
				t.Errorf("an edit is published %d times", got-want)
			}
		})
	}
}

func wantOnlySyntax(t *testing.T, found []protocol.Diagnostic) {
	t.Helper()
	for _, d := range found {
		if d.Code != protocol.String("syntax-error") && d.Code != protocol.String("invalid-signature") {
			t.Errorf("published early: %v", d)
		}
	}
	if len(found) == 0 {
		t.Error("nothing is published early")
	}
}

// TestImporters edits one document that another depends on.
func TestImporters(t *testing.T) {
	c := startClient(t, checkWords)
	c.Initialize()
	c.Open(testFile, importsOf("lib.tools.abl")+"# imported")
	c.Open(other, "alone")
	c.Open(library, "fine")
	c.Diagnostics(library, 1)
	c.Change(library, 2, lsptest.ReplaceAll("bad"))
	c.Await(protocol.MethodTextDocumentPublishDiagnostics, func(raw jsonrpc2.RawMessage) bool {
		return strings.Contains(string(raw), `"imported"`)
	})
	var order []string
	for _, m := range c.Messages(protocol.MethodTextDocumentPublishDiagnostics) {
		if strings.Contains(string(m.Params), `"message"`) {
			order = append(order, string(m.Params))
		}
	}
	if len(order) != 2 || !strings.Contains(order[0], string(library)) {
		t.Errorf("the changed file should come first: %q", order)
	}
	c.Change(library, 3, lsptest.ReplaceAll("bad 3"))
	c.Diagnostics(library, 3)
	c.Change(library, 4, lsptest.ReplaceAll("fine"))
	c.waitUntil(t, func() bool {
		all := c.Published(testFile)
		return len(all[len(all)-1].Diagnostics) == 0
	})
	c.Diagnostics(other, 1) // the last one due
	if n := len(c.Published(other)); n != 1 {
		t.Errorf("a document that nothing changed for was published %d times", n)
	}
}

// waitUntil waits until condition is true of what was published.
func (f testClient) waitUntil(t *testing.T, condition func() bool) {
	t.Helper()
	f.Await(protocol.MethodTextDocumentPublishDiagnostics, nil)
	for !condition() {
		f.echo(t)
	}
}

// TestOlderJobStops blocks the job for version 1 until version 2 is published.
func TestOlderJobStops(t *testing.T) {
	held, entered := make(chan struct{}), make(chan struct{})
	c := startClient(t, func(s *server) {
		s.check = func(_ context.Context, snap *snapshot, path string) []model.Diagnostic {
			if snap.documents[path].version == 1 {
				close(entered)
				<-held
			}
			return nil
		}
	})
	c.Initialize()
	c.Open(testFile, "1")
	<-entered
	c.Change(testFile, 2, lsptest.ReplaceAll("2"))
	c.Diagnostics(testFile, 2)
	close(held)
	c.Change(testFile, 3, lsptest.ReplaceAll("3"))
	c.Diagnostics(testFile, 3)
	if err := c.Exit(); err != nil {
		t.Error(err)
	}
	for _, p := range c.Published(testFile) {
		if v, _ := p.Version.Get(); v == 1 {
			t.Error("version 1 was published after version 2 arrived")
		}
	}
}

// TestVersionsOnlyRise types fast and checks the order of the published versions.
func TestVersionsOnlyRise(t *testing.T) {
	c := startClient(t, checkWords)
	c.Initialize()
	c.Open(testFile, "")
	const last = 300
	for v := int32(2); v <= last; v++ {
		c.Change(testFile, v, lsptest.ReplaceAll(strings.Repeat("bad ", int(v%3))))
	}
	if got := c.Diagnostics(testFile, last); len(got) != 0 {
		t.Errorf("last version: %v", got)
	}
	var previous int32
	for _, p := range c.Published(testFile) {
		v, _ := p.Version.Get()
		if v <= previous {
			t.Errorf("version %d after %d", v, previous)
		}
		previous = v
	}
}

func TestPanicInCheck(t *testing.T) {
	c := startClient(t, func(s *server) {
		s.check = func(_ context.Context, snap *snapshot, path string) []model.Diagnostic {
			if snap.documents[path].version == 1 {
				panic("on purpose")
			}
			return nil
		}
	})
	c.Initialize()
	c.Open(testFile, "")
	c.Change(testFile, 2, lsptest.ReplaceAll("x"))
	c.Diagnostics(testFile, 2)
}

func pull(t *testing.T, c testClient, u uri.URI, previous string) (id string, items []protocol.Diagnostic, unchanged bool) {
	t.Helper()
	params := &protocol.DocumentDiagnosticParams{}
	params.TextDocument.URI = u
	if previous != "" {
		params.PreviousResultID = &previous
	}
	var result struct {
		Kind     string                `json:"kind"`
		ResultID string                `json:"resultId"`
		Items    []protocol.Diagnostic `json:"items"`
	}
	if err := c.Call(protocol.MethodTextDocumentDiagnostic, params, &result); err != nil {
		t.Fatal(err)
	}
	return result.ResultID, result.Items, result.Kind == "unchanged"
}

func TestPull(t *testing.T) {
	c := startClient(t, checkWords)
	result := c.Initialize(lsptest.WithPull())
	if result.Capabilities.DiagnosticProvider == nil {
		t.Fatal("pull is not announced")
	}
	c.Open(library, "fine")
	c.Open(testFile, importsOf("lib.tools.abl")+"# bad imported")
	first, items, _ := pull(t, c, testFile, "")
	if got := messages(items); !slices.Equal(got, []string{"bad"}) {
		t.Errorf("diagnostics = %q", got)
	}
	if _, _, unchanged := pull(t, c, testFile, first); !unchanged {
		t.Error("a second pull is not unchanged")
	}
	c.Change(library, 2, lsptest.ReplaceAll("bad"))
	c.Await(protocol.MethodWorkspaceDiagnosticRefresh, nil)
	second, items, unchanged := pull(t, c, testFile, first)
	if got := messages(items); unchanged || second == first || !slices.Equal(got, []string{"bad", "imported"}) {
		t.Errorf("after the refresh: %q", got)
	}
	c.Change(testFile, 2, lsptest.ReplaceAll(importsOf("lib.tools.abl")+"# bad imported"))
	if _, items, unchanged := pull(t, c, testFile, second); unchanged || len(items) != 2 {
		t.Errorf("of a file that was replaced: unchanged %v, %d", unchanged, len(items)) // the editor has moved the diagnostics that it shows
	}
	c.Close(testFile)
	c.echo(t)
	if n := len(c.Messages(protocol.MethodTextDocumentPublishDiagnostics)); n > 0 {
		t.Errorf("%d diagnostics were pushed to a client that pulls", n)
	}
}

// TestOpenedAgain has a client that forgets the diagnostics of a document when it closes
// it, as Neovim and Emacs do when they read a file again.
func TestOpenedAgain(t *testing.T) {
	c := startClient(t, checkWords)
	c.Initialize(lsptest.WithPull())
	c.Open(testFile, "# bad")
	before, _, _ := pull(t, c, testFile, "")
	c.Close(testFile)
	c.Open(testFile, "# bad")
	_, items, _ := pull(t, c, testFile, before)
	if got := messages(items); !slices.Equal(got, []string{"bad"}) {
		t.Errorf("pulled: %q", got)
	}

	c = startClient(t, checkWords)
	c.Initialize()
	c.Open(testFile, "# bad")
	c.Diagnostics(testFile, 1)
	c.Close(testFile) // both messages may arrive before the server checks
	c.Open(testFile, "# bad")
	c.Until("the same once more", func(all []lsptest.Message) bool {
		count := 0
		for _, m := range all {
			if bytes.Contains(m.Params, []byte(`"message":"bad"`)) {
				count++
			}
		}
		return count == 2
	})
}

func TestPullOfClosedDocument(t *testing.T) {
	c := startClient(t, checkWords)
	c.Initialize(lsptest.WithPull())
	if _, items, _ := pull(t, c, testFile, ""); len(items) > 0 {
		t.Errorf("diagnostics = %v", items)
	}
}

// TestRelatedDocuments pulls a library. A client that supports it gets the changed
// diagnostics of the importers in the same answer.
func TestRelatedDocuments(t *testing.T) {
	for _, can := range []bool{true, false} {
		t.Run(fmt.Sprint(can), func(t *testing.T) {
			c := startClient(t, checkWords)
			c.Initialize(lsptest.WithPull(), func(p *protocol.InitializeParams) {
				p.Capabilities.TextDocument.Diagnostic.RelatedDocumentSupport = &can
				p.Capabilities.Workspace = nil
			})
			c.Open(library, "fine")
			c.Open(testFile, importsOf("lib.tools.abl")+"# imported")
			id, _, _ := pull(t, c, testFile, "")
			pull(t, c, library, "")
			c.Change(library, 2, lsptest.ReplaceAll("bad"))
			params := &protocol.DocumentDiagnosticParams{}
			params.TextDocument.URI = library
			var answer struct {
				RelatedDocuments map[uri.URI]struct {
					Kind, ResultID string
					Items          []struct{ Message string }
				}
			}
			var raw protocol.LSPAny
			if err := c.Call(protocol.MethodTextDocumentDiagnostic, params, &raw); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(raw, &answer); err != nil {
				t.Fatal(err)
			}
			related := answer.RelatedDocuments
			if !can {
				if len(related) > 0 {
					t.Errorf("related documents for a client that takes none: %v", related)
				}
				return
			}
			got := related[testFile]
			if len(related) != 1 || got.Kind != "full" || got.ResultID == id || len(got.Items) != 1 || got.Items[0].Message != "imported" {
				t.Errorf("related = %+v", related)
			}
			if _, _, unchanged := pull(t, c, testFile, got.ResultID); !unchanged {
				t.Error("what came along has to be asked for again")
			}
		})
	}
}

// TestDueDocuments checks that the first due document is checked alone and the others
// several at once, and that the documents of a stopped job stay due.
func TestDueDocuments(t *testing.T) {
	var q diagnosticsQueue
	var others []string
	for i := range 2 * dueBatchSize {
		others = append(others, fmt.Sprintf("/p/%02d.agent.abl", i))
	}
	q.addDue([]string{"/p/l.tools.abl"}, others)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var sizes []int
	for batch := range q.dueDocuments(ctx) {
		if sizes = append(sizes, len(batch)); len(sizes) == 3 {
			stop()
		}
	}
	if want := []int{1, dueBatchSize, dueBatchSize}; !slices.Equal(sizes, want) || !slices.Equal(q.due, others[dueBatchSize:]) {
		t.Errorf("batches of %v, want %v; still due are %v", sizes, want, q.due)
	}
}
