package lsp_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/marker"
	"github.com/abl-lsp/abl-lsp/internal/servercache"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
	"github.com/abl-lsp/abl-lsp/lsp"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// markerDirs returns the folders of fixtures, in testdata/marker.
func markerDirs(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join("..", "testdata", "marker", "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatal("no folders of fixtures", err)
	}
	return dirs
}

// TestMarkers makes the requests that the fixtures expect, in every position encoding. A short
// run makes those of each fixture in UTF-16, which editors use, and in one other encoding.
// Positions are converted here independently of the server.
func TestMarkers(t *testing.T) {
	for _, dir := range markerDirs(t) {
		all := marker.Load(t, dir)
		for _, encoding := range []protocol.PositionEncodingKind{"utf-8", "utf-16", "utf-32"} {
			t.Run(string(encoding)+"/"+filepath.Base(dir), func(t *testing.T) {
				fixtures := slices.DeleteFunc(slices.Clone(all), func(f *marker.Fixture) bool {
					return testing.Short() && encoding == encodingLeftOut(f.Name)
				})
				marker.RunFixtures(t, dir, fixtures, func(t *testing.T, f *marker.Fixture) marker.Answers {
					return openFixture(t, f, encoding).answers()
				})
			})
		}
	}
}

// encodingLeftOut returns the encoding in which a short run does not test the fixture called name.
func encodingLeftOut(name string) protocol.PositionEncodingKind {
	hash := fnv.New32a()
	io.WriteString(hash, name)
	return []protocol.PositionEncodingKind{"utf-8", "utf-32"}[hash.Sum32()%2]
}

// TestFixturesTellEncodingsApart checks that positions in every fixture depend on the
// encoding: each fixture has a character that UTF-16 encodes as two units, and each
// folder has a note on a line with one.
func TestFixturesTellEncodingsApart(t *testing.T) {
	wide := func(s string) bool { return utf8.RuneCountInString(s) < len(utf16.Encode([]rune(s))) }
	for _, dir := range markerDirs(t) {
		noted := false
		for _, f := range marker.Load(t, dir) {
			text := func(path string) string { return f.Workspace.File(path).Text() }
			if !slices.ContainsFunc(f.Files, func(path string) bool { return f.Workspace.File(path).Doc != nil && wide(text(path)) }) {
				t.Errorf("%s/%s has no character beyond UTF-16's first plane", dir, f.Name)
			}
			for _, n := range f.Notes {
				line := f.Workspace.File(n.Path).Positions().Line(n.Span)
				noted = noted || wide(strings.Split(text(n.Path), "\n")[line])
			}
		}
		if !noted {
			t.Errorf("%s: no note is on a line with such a character", dir)
		}
	}
}

// fixture is a session in which all files of a fixture are open.
type fixture struct {
	*marker.Fixture
	*lsptest.Client
	t        *testing.T
	encoding protocol.PositionEncodingKind
	dir      string

	capabilities protocol.ServerCapabilities
}

func openFixture(t *testing.T, f *marker.Fixture, encoding protocol.PositionEncodingKind) fixture {
	t.Helper()
	x := fixture{Fixture: f, t: t, encoding: encoding, dir: marker.Root}
	if slices.ContainsFunc(f.Notes, func(n marker.Note) bool { return n.Kind == "complete" || n.Kind == "accept" || n.Kind == "move" }) {
		x.writeToDisk() // for paths lead there
	}
	if slices.ContainsFunc(f.Files, func(path string) bool { return strings.Contains(path, "/locales/") }) {
		x.writeToDisk() // where the server finds the files of an exported project
	}
	if len(f.Dotenvs) > 0 {
		x.writeToDisk()
		x.writeDotenvs()
	}
	x.Client = lsptest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return lsp.Serve(ctx, lsp.Options{In: in, Out: out, Servers: x.newServerCache()})
	})
	said := x.Initialize(lsptest.WithOptions(x.options()), lsptest.WithEncodings(encoding), func(p *protocol.InitializeParams) {
		withLinksAndTree(p)
		p.Capabilities.TextDocument.Completion = &protocol.CompletionClientCapabilities{
			CompletionItem: &protocol.ClientCompletionItemOptions{SnippetSupport: new(true)},
		}
		lsptest.WithResolvedActions(p)
		lsptest.WithDocumentChanges(protocol.ResourceOperationKindCreate, protocol.ResourceOperationKindRename)(p)
		p.Capabilities.TextDocument.SignatureHelp = &protocol.SignatureHelpClientCapabilities{
			SignatureInformation: &protocol.ClientSignatureInformationOptions{
				ParameterInformation: &protocol.ClientSignatureParameterInformationOptions{LabelOffsetSupport: new(true)},
			},
		}
		p.Capabilities.TextDocument.Diagnostic = &protocol.DiagnosticClientCapabilities{}
	})
	x.capabilities = said.Capabilities
	for _, path := range f.Files {
		x.Open(x.uri(path), x.text(path))
	}
	return x
}

// writeToDisk writes the files to a folder.
func (x *fixture) writeToDisk() {
	x.t.Helper()
	x.dir = x.t.TempDir()
	for _, path := range x.Files {
		x.write(path, x.text(path))
	}
}

// newServerCache returns a store with the listings of the fixture's servers: for each server first
// the accepted one, then the current one.
func (x *fixture) newServerCache() *servercache.Store {
	var now time.Time
	store := servercache.New("", func() time.Time { return now })
	for root, servers := range x.Listings {
		for name, listing := range servers {
			now = listing.ListedAt
			d := executor.Discovery{Root: x.dir + strings.TrimPrefix(root, marker.Root), Server: name, Info: listing.Info, Tools: listing.Accepted, More: listing.More}
			store.AddDiscovery(d)
			d.Tools = listing.Tools
			store.AddDiscovery(d)
		}
	}
	for root, all := range x.Verdicts {
		for _, j := range all {
			store.AddVerdict(executor.Verdict{
				Root: x.dir + strings.TrimPrefix(root, marker.Root), Source: j.Source, Statement: j.Statement, Fault: j.Fault, Position: j.Position,
			})
		}
	}
	return store
}

func (x *fixture) write(path, content string) {
	x.t.Helper()
	at := filepath.Join(x.dir, filepath.FromSlash(x.Rel(path)))
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
		x.t.Fatal(err)
	}
}

// writeDotenvs writes the files with secrets, if necessary into a repository.
func (x *fixture) writeDotenvs() {
	x.t.Helper()
	for path, content := range x.Dotenvs {
		x.write(path, content)
	}
	if !x.Tracked {
		return
	}
	git := testdeps.FindProgram(x.t, "git")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}} {
		cmd := exec.Command(git, args...)
		cmd.Dir = x.dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			x.t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
}

func (x fixture) text(path string) string { return x.Workspace.File(path).Text() }

func (x fixture) uri(path string) uri.URI {
	return uri.File(filepath.Join(x.dir, filepath.FromSlash(x.Rel(path))))
}

// path returns the fixture's name of a file of the session.
func (x fixture) path(u uri.URI) string {
	for _, path := range x.Files {
		if x.uri(path) == u {
			return path
		}
	}
	x.t.Fatalf("%s is no file of the fixture", u)
	return ""
}

// pathAt returns the fixture's name of a file that may not exist.
func (x fixture) pathAt(u uri.URI) string {
	return filepath.Join(marker.Root, strings.TrimPrefix(u.FsPath(), x.dir))
}

// units returns the length of a text in the session's encoding.
func (x fixture) units(s string) int {
	switch x.encoding {
	case "utf-8":
		return len(s)
	case "utf-32":
		return utf8.RuneCountInString(s)
	}
	return len(utf16.Encode([]rune(s)))
}

// place returns the position of an offset. The lines of fixtures end in
//
// or \r
//
// .
func (x fixture) place(path string, offset int) protocol.Position {
	if f := x.Workspace.File(path); f.IsYAMLAgent() {
		offset = f.WrittenOffset(offset)
	}
	before := x.text(path)[:offset]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return protocol.Position{Line: uint32(strings.Count(before, "\n")), Character: uint32(x.units(line))}
}

func (x fixture) offset(path string, p protocol.Position) int {
	x.t.Helper()
	source, at := x.text(path), 0
	for range p.Line {
		next := strings.IndexByte(source[at:], '\n')
		if next < 0 {
			x.t.Fatalf("%s has no line %d", path, p.Line)
		}
		at += next + 1
	}
	for i := range source[at:] {
		if x.units(source[at:at+i]) == int(p.Character) {
			return at + i
		}
	}
	if x.units(source[at:]) != int(p.Character) {
		x.t.Fatalf("%s has no column %d in line %d", path, p.Character, p.Line)
	}
	return len(source)
}

func (x fixture) span(path string, r protocol.Range) text.Span {
	x.t.Helper()
	return x.Workspace.File(path).InFile(x.written(path, r))
}

// written returns the span of a range in what the author writes.
func (x fixture) written(path string, r protocol.Range) text.Span {
	x.t.Helper()
	return text.Span{Start: x.offset(path, r.Start), End: x.offset(path, r.End)}
}

func (x fixture) source(path string, r protocol.Range) string {
	x.t.Helper()
	return x.TextOf(path, x.span(path, r))
}

func (x fixture) at(n marker.Note) protocol.TextDocumentPositionParams {
	return protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: x.uri(n.Path)}, Position: x.place(n.Path, n.Cursor),
	}
}

func (x fixture) ask(method string, params, result any) {
	x.t.Helper()
	if err := x.Call(method, params, result); err != nil {
		x.t.Fatalf("%s: %v", method, err)
	}
}

// answers returns the server's answers. The server does not check with the published
// language.
func (x fixture) answers() marker.Answers {
	a := marker.Answers{Diagnostics: x.diagnostics, Kinds: map[string]func(marker.Note) string{
		"hover": x.hover, "complete": x.complete, "accept": x.accept, "symbol": x.symbol, "lens": x.lens,
		"fix": x.fix, "fixall": x.fixAll, "organize": x.organize, "refactor": x.refactor, "signature": x.signature,
	}}
	maps.Copy(a.Kinds, x.views())
	maps.Copy(a.Kinds, x.names())
	if x.Standard {
		a.Diagnostics = nil
	}
	return a
}

func (x fixture) diagnostics(path string) []model.Diagnostic {
	var report protocol.RelatedFullDocumentDiagnosticReport
	x.ask(protocol.MethodTextDocumentDiagnostic, &protocol.DocumentDiagnosticParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: x.uri(path)},
	}, &report)
	var found []model.Diagnostic
	for _, item := range report.Items {
		found = append(found, model.Diagnostic{
			Span: x.span(path, item.Range), Severity: model.Severity(item.Severity),
			Code: string(item.Code.(protocol.String)), Message: string(item.Message.(protocol.String)),
		})
	}
	return found
}

const nothing = "nothing"

func (x fixture) hover(n marker.Note) string {
	var h *protocol.Hover
	x.ask(protocol.MethodTextDocumentHover, &protocol.HoverParams{TextDocumentPositionParams: x.at(n)}, &h)
	if h == nil {
		return nothing
	}
	return x.source(n.Path, *h.Range) + "\n" + h.Contents.(*protocol.MarkupContent).Value
}

func (x fixture) items(n marker.Note) []protocol.CompletionItem {
	var list protocol.CompletionList
	x.ask(protocol.MethodTextDocumentCompletion, &protocol.CompletionParams{TextDocumentPositionParams: x.at(n)}, &list)
	return list.Items
}

func (x fixture) complete(n marker.Note) string {
	var labels []string
	for _, i := range x.items(n) {
		labels = append(labels, i.Label)
	}
	if labels == nil {
		return nothing
	}
	return strings.Join(labels, ", ")
}

// accept returns the line that an editor would show after the first item was accepted.
func (x fixture) accept(n marker.Note) string {
	items := x.items(n)
	slices.SortStableFunc(items, func(a, b protocol.CompletionItem) int {
		first, _ := a.SortText.Get()
		second, _ := b.SortText.Get()
		return strings.Compare(first, second)
	})
	for _, i := range items {
		edit := i.TextEdit.(*protocol.TextEdit)
		span := x.written(n.Path, edit.Range)
		filter, _ := i.FilterText.Get()
		source := x.text(n.Path)
		typed := source[span.Start:x.offset(n.Path, x.at(n).Position)]
		if !strings.HasPrefix(strings.ToLower(filter), strings.ToLower(typed)) {
			continue
		}
		before := source[strings.LastIndexByte(source[:span.Start], '\n')+1 : span.Start]
		after, _, _ := strings.Cut(source[span.End:], "\n")
		x.ask(protocol.MethodCompletionItemResolve, &i, &i)
		detail, _ := i.Detail.Get()
		documentation, further := "", ""
		if len(i.AdditionalTextEdits) > 0 {
			var edits []protocol.TextDocumentEditElement
			for at := range i.AdditionalTextEdits {
				edits = append(edits, &i.AdditionalTextEdits[at])
			}
			further = x.Diff(n.Path, x.applyEdits(n.Path, edits))
		}
		if d, ok := i.Documentation.(*protocol.MarkupContent); ok {
			documentation = d.Value
		}
		put := strings.TrimLeft(before, " ") + edit.NewText + "|" + strings.TrimSuffix(after, "\r")
		return strings.TrimSpace(strings.Join([]string{put, i.Label + " · " + detail, documentation, further}, "\n"))
	}
	return nothing
}

var symbolKinds = map[protocol.SymbolKind]string{
	protocol.SymbolKindNamespace: "section", protocol.SymbolKindFunction: "tool", protocol.SymbolKindVariable: "parameter",
	protocol.SymbolKindModule: "import", protocol.SymbolKindStruct: "block", protocol.SymbolKindEnumMember: "item",
	protocol.SymbolKindConstant: "value",
}

// symbol returns the symbol whose name is at the cursor, and the symbols below it.
func (x fixture) symbol(n marker.Note) string {
	var symbols []protocol.DocumentSymbol
	x.ask(protocol.MethodTextDocumentDocumentSymbol, &protocol.DocumentSymbolParams{TextDocument: x.at(n).TextDocument}, &symbols)
	var out []string
	var visit func(symbols []protocol.DocumentSymbol, indent int)
	visit = func(symbols []protocol.DocumentSymbol, indent int) {
		for _, s := range symbols {
			below := indent
			if indent >= 0 || x.written(n.Path, s.SelectionRange).Touches(x.offset(n.Path, x.at(n).Position)) {
				below = max(indent, 0)
				detail := ""
				if s.Detail != nil {
					detail = *s.Detail
				}
				out = append(out, strings.TrimRight(fmt.Sprintf("%s%s %s (%d-%d) %s", strings.Repeat("  ", below), symbolKinds[s.Kind], s.Name, s.Range.Start.Line+1, s.Range.End.Line+1, detail), " "))
				below++
			}
			visit(s.Children, below)
		}
	}
	visit(symbols, -1)
	if out == nil {
		return nothing
	}
	return strings.Join(out, "\n")
}

// lens is the titles of the lenses on the line, each with the other file that it
// opens, or whose tool it runs.
func (x fixture) lens(n marker.Note) string {
	var lenses []protocol.CodeLens
	x.ask(protocol.MethodTextDocumentCodeLens, &protocol.CodeLensParams{TextDocument: x.at(n).TextDocument}, &lenses)
	var titles []string
	for _, l := range lenses {
		if l.Range.Start.Line != x.at(n).Position.Line {
			continue
		}
		title := l.Command.Title
		var argument struct {
			URI uri.URI `json:"uri"`
		}
		if len(l.Command.Arguments) > 0 {
			if err := protocol.Unmarshal(l.Command.Arguments[0], &argument); err != nil {
				x.t.Fatal(err)
			}
			if path := x.pathAt(argument.URI); path != n.Path {
				title += " → " + x.Rel(path)
			}
		}
		titles = append(titles, title)
	}
	return orNothing(titles, " | ")
}

// fix returns the title and the edit of each quick fix for the diagnostics in the
// literal.
func (x fixture) fix(n marker.Note) string {
	params := &protocol.CodeActionParams{TextDocument: x.at(n).TextDocument, Range: protocol.Range{Start: x.place(n.Path, n.Span.Start), End: x.place(n.Path, n.Span.End)}}
	params.Context.Only = []protocol.CodeActionKind{protocol.CodeActionKindQuickFix}
	var out []string
	for _, a := range x.actions(params) {
		if strings.HasPrefix(a.Title, "Suppress ") {
			continue
		}
		title := a.Title
		if a.IsPreferred != nil && *a.IsPreferred {
			title += " (best)"
		}
		out = append(out, title, x.showEdit(a.Edit))
	}
	if out == nil {
		return nothing
	}
	return strings.Join(out, "\n")
}

// fixAll returns the edit that fixes the whole file.
func (x fixture) fixAll(n marker.Note) string {
	params := &protocol.CodeActionParams{TextDocument: x.at(n).TextDocument}
	params.Context.Only = []protocol.CodeActionKind{protocol.CodeActionKindSourceFixAll}
	all := x.actions(params)
	if len(all) == 0 {
		return ""
	}
	return x.showEdit(all[0].Edit)
}

// organize returns the edit that organizes the imports of the file.
func (x fixture) organize(n marker.Note) string {
	params := &protocol.CodeActionParams{TextDocument: x.at(n).TextDocument}
	params.Context.Only = []protocol.CodeActionKind{protocol.CodeActionKindSourceOrganizeImports}
	all := x.actions(params)
	if len(all) == 0 {
		return nothing
	}
	return x.showEdit(all[0].Edit)
}

func (x fixture) actions(params *protocol.CodeActionParams) []protocol.CodeAction {
	x.t.Helper()
	params.Context.Diagnostics = []protocol.Diagnostic{}
	var all []protocol.CodeAction
	x.ask(protocol.MethodTextDocumentCodeAction, params, &all)
	return all
}

// showEdit shows the changes of an edit, file by file. It returns "" for no edit, if the
// action has only a command.
func (x fixture) showEdit(edit *protocol.WorkspaceEdit) string {
	var out []string
	if edit == nil {
		return ""
	}
	for _, change := range edit.DocumentChanges {
		edits, ok := change.(*protocol.TextDocumentEdit)
		if !ok {
			continue
		}
		path := x.pathAt(edits.TextDocument.URI)
		out = append(out, x.Diff(path, x.applyEdits(path, edits.Edits)))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// applyEdits returns a file after edits. A file that does not exist is empty before them.
func (x fixture) applyEdits(path string, edits []protocol.TextDocumentEditElement) string {
	source, made := "", []text.Edit(nil)
	if in := x.Workspace.File(path); in != nil && in.Doc != nil {
		source = in.Text()
	}
	for _, e := range edits {
		edit := e.(*protocol.TextEdit)
		span := text.Span{}
		if source != "" {
			span = x.written(path, edit.Range)
		}
		made = append(made, text.Edit{Span: span, NewText: edit.NewText})
	}
	after, err := text.Apply(source, made...)
	if err != nil {
		x.t.Error(err)
	}
	return after
}
