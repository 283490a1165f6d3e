package lsp

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/benchtext"
	"github.com/abl-lsp/abl-lsp/lsp/connection"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// BenchmarkKeystroke measures a letter typed in the middle of a file, from the didChange
// as it arrived to the diagnostics as they would be sent.
func BenchmarkKeystroke(b *testing.B) {
	benchmarkKeystroke(b, testFile, benchtext.Library, 4)
}

// BenchmarkKeystrokeToolbox is the same in a file of MCP Toolbox.
func BenchmarkKeystrokeToolbox(b *testing.B) {
	benchmarkKeystroke(b, "file:///p/tools.yaml", benchtext.Toolbox, 6)
}

// benchmarkKeystroke types into a description. The first description is on line first,
// and there is one more every ten lines.
func benchmarkKeystroke(b *testing.B, at uri.URI, text func(lines int) string, first int) {
	perOp := map[int]float64{}
	for _, lines := range []int{1000, 10000} {
		b.Run(fmt.Sprintf("lines=%d", lines), func(b *testing.B) {
			s := newServerWithDocument(b, at, text(lines))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				d := typeLetter(b, s, at, lines/20*10+first, int32(i+2))
				s.diagnostics.documentReport(b.Context(), s.session.load(), d)
			}
			perOp[lines] = float64(b.Elapsed()) / float64(b.N)
			if perOp[1000] > 0 && lines > 1000 {
				b.ReportMetric(perOp[lines]/perOp[1000], "times-1000-lines")
			}
		})
	}
}

// TestKeystrokeAllocations checks that a keystroke allocates no more in a file that is
// ten times as long, except for slices that have all its entries.
func TestKeystrokeAllocations(t *testing.T) {
	const most, mostGrowth = 1100, 60
	count := func(lines int) float64 {
		s := newServerWithDocument(t, testFile, benchtext.Library(lines))
		version := int32(2)
		return testing.AllocsPerRun(10, func() {
			d := typeLetter(t, s, testFile, lines/20*10+4, version)
			s.diagnostics.documentReport(t.Context(), s.session.load(), d)
			version++
		})
	}
	short, long := count(1000), count(10_000)
	if long > most || long > short+mostGrowth {
		t.Errorf("%.0f allocations in 1,000 lines, %.0f in 10,000; budget %d, and %d more than in the short one", short, long, most, mostGrowth)
	}
}

// newServerWithDocument returns a server with an open document that has been checked.
func newServerWithDocument(t testing.TB, at uri.URI, text string) *server {
	s := newServer(Options{In: strings.NewReader(""), Out: io.Discard})
	d := newOpenDocument(at, text)
	s.session.update(func(next *snapshot) { next.setDocument(d) })
	s.diagnostics.documentReport(t.Context(), s.session.load(), d)
	return s
}

func newOpenDocument(at uri.URI, text string) *document {
	return &document{Document: model.ParseDocument(pathOf(at), text), uri: at, path: pathOf(at), version: 1}
}

// typeLetter types a letter, or removes the last one.
func typeLetter(b testing.TB, s *server, at uri.URI, line int, version int32) *document {
	insert, end := "x", 19
	if version%2 == 1 {
		insert, end = "", 20
	}
	raw := fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"range":{"start":{"line":%d,"character":19},"end":{"line":%d,"character":%d}},"text":%q}]}`,
		at, version, line, line, end, insert)
	params, err := connection.Decode[didChangeParams](jsonrpc2.RawMessage(raw))
	if err != nil {
		b.Fatal(err)
	}
	d, err := s.applyChange(params)
	if err != nil {
		b.Fatal(err)
	}
	return d
}

// BenchmarkKeystrokeWorkspace measures a letter typed into an agent of 2,000 lines that
// hands over to another agent, in workspaces with more and more agents that are not open:
// from the didChange to the diagnostics of all documents that it may affect.
func BenchmarkKeystrokeWorkspace(b *testing.B) {
	perOp := map[int]float64{}
	for _, agents := range []int{10, 1000} {
		b.Run(fmt.Sprintf("agents=%d", agents), func(b *testing.B) {
			s, d := largeWorkspace(b, agents)
			const descriptionLine = 5
			s.typeAndReport(b, d, descriptionLine, 2) // reads the names
			b.ReportAllocs()
			version := int32(3)
			for b.Loop() {
				s.typeAndReport(b, d, descriptionLine, version)
				version++
			}
			perOp[agents] = float64(b.Elapsed()) / float64(b.N)
			if perOp[10] > 0 && agents > 10 {
				b.ReportMetric(perOp[agents]/perOp[10], "times-10-agents")
			}
		})
	}
}

// largeWorkspace returns a server with one open agent and many on disk.
func largeWorkspace(b *testing.B, agents int) (*server, *document) {
	b.Helper()
	dir := b.TempDir()
	for i := range agents {
		text := fmt.Sprintf("AGENT: Agent_%d\nGOAL: \"Answers 🧭\"\nHANDOFF:\n  - TO: Agent_%d\n    WHEN: done\n", i, (i+1)%agents)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("a%d.agent.abl", i)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	s := newServer(Options{In: strings.NewReader(""), Out: io.Discard})
	path := filepath.Join(dir, "open.agent.abl")
	text := strings.Replace(benchtext.Agent(2000), "FLOW:\n", "HANDOFF:\n  - TO: Agent_7\n    WHEN: done\n\nFLOW:\n", 1)
	d := newOpenDocument(uriOf(path), text)
	s.session.update(func(next *snapshot) {
		next.folders = []string{dir}
		next.setDocument(d)
	})
	if !s.session.load().workspace.File(path).UsesWorkspace() {
		b.Fatal("nothing of the workspace is used")
	}
	return s, d
}

// typeAndReport types a letter, and checks all documents that it may affect.
func (s *server) typeAndReport(b *testing.B, d *document, line int, version int32) {
	b.Helper()
	typeLetter(b, s, d.uri, line, version)
	snap := s.session.load()
	due := s.diagnostics.affectedDocuments(snap, []string{d.path})
	snap = s.files.withNames(b.Context(), snap, due...)
	for _, path := range due {
		if d := snap.documents[path]; d != nil {
			s.diagnostics.documentReport(b.Context(), snap, d)
		}
	}
}

// BenchmarkSemanticTokens measures the tokens of a whole file as they are sent, in
// UTF-16, and the edit for one changed letter.
func BenchmarkSemanticTokens(b *testing.B) {
	const lines = 10000
	s := newServer(Options{In: strings.NewReader(""), Out: io.Discard})
	snap := s.session.update(func(next *snapshot) { next.setDocument(newOpenDocument(testFile, benchtext.Library(lines))) })
	d := snap.documents[pathOf(testFile)]
	before := tokensIn(snap, d, text.Span{End: len(d.Text())})
	b.ReportAllocs()
	for b.Loop() {
		tokenEdits(before, tokensIn(snap, d, text.Span{End: len(d.Text())}))
	}
}

// BenchmarkWorkspace makes requests about 300 files that are not open: agents that all
// import one library.
func BenchmarkWorkspace(b *testing.B) {
	dir := b.TempDir()
	write := func(name, source string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	library := benchtext.Library(1000)
	write("l.tools.abl", library)
	for i := range 300 {
		write(fmt.Sprintf("a%d.agent.abl", i), fmt.Sprintf("AGENT: A%d\nGOAL: \"x\"\nTOOLS:\n  file: \"./l.tools.abl\" [find_item_%d]\nFLOW:\n  s:\n    REASONING: false\n    CALL: find_item_7\n      WITH:\n        query: \"x\"\n    THEN: COMPLETE\n", i, i%100))
	}
	s := newServer(Options{In: strings.NewReader(""), Out: io.Discard})
	path := filepath.Join(dir, "l.tools.abl")
	s.session.update(func(next *snapshot) {
		next.folders = []string{dir}
		next.setDocument(&document{Document: syntax.Parse(library), uri: uriOf(path), path: path, version: 1})
	})
	at := strings.Index(library, "find_item_7(")
	ctx := b.Context()
	ask := func(b *testing.B, question func(w model.Workspace)) {
		b.Helper()
		whole, err := s.files.withIndex(ctx, s.session.load())
		if err != nil {
			b.Fatal(err)
		}
		question(whole.workspace)
	}
	for name, question := range map[string]func(w model.Workspace){
		"index":      func(model.Workspace) {},
		"references": func(w model.Workspace) { analysis.References(ctx, w, path, at) },
		"rename":     func(w model.Workspace) { _, _ = analysis.Rename(ctx, w, path, at, "other") },
		"symbols":    func(w model.Workspace) { analysis.WorkspaceSymbols(ctx, w, "find") },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ask(b, question)
			}
		})
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			s.files.index = newIndex()
			ask(b, func(model.Workspace) {})
		}
	})
}

// BenchmarkClosedCase finds a saved case of a file that is not open, as when its cases
// run one after the other.
func BenchmarkClosedCase(b *testing.B) {
	dir := b.TempDir()
	cases := "find_item_7:\n"
	for i := range 500 {
		cases += fmt.Sprintf("  - name: c%d\n    args: {query: \"x %d\"}\n", i, i)
	}
	for name, text := range map[string]string{"l.tools.abl": benchtext.Library(300), "l.cases.yaml": cases} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	s := newServer(Options{In: strings.NewReader(""), Out: io.Discard, Executor: executor.New(executor.Options{})})
	s.session.update(func(next *snapshot) { next.folders = []string{dir} })
	x := execution{server: s, snap: s.session.load()}
	var argument runArgument
	if err := unmarshal(fmt.Appendf(nil, `{"uri":%q,"tool":"find_item_7"}`, uriOf(filepath.Join(dir, "l.tools.abl"))), &argument); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		t, _, err := x.findTool(b.Context(), &argument)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := t.FindCase("c7"); err != nil {
			b.Fatal(err)
		}
	}
}
