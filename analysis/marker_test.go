package analysis_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/completion"
	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/internal/marker"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestMarker runs the fixtures of the features; the notes are documented at the
// functions below.
func TestMarker(t *testing.T) {
	for _, dir := range []string{"hover", "completion", "definition", "symbols", "lens", "fix", "signature_help", "organize_imports"} {
		t.Run(dir, func(t *testing.T) {
			marker.Run(t, filepath.Join("..", "testdata", "marker", dir), checks, map[string]marker.Kind{
				"hover": hover, "complete": complete, "accept": accept, "definition": definition, "symbol": symbol, "lens": lens,
				"fix": fix, "fixall": fixAll, "organize": organize, "signature": signature,
			})
		})
	}
}

func checks(f *marker.Fixture, path string) []model.Diagnostic {
	return check.Run(context.Background(), f.Workspace, path, check.Options{})
}

const nothing = "nothing"

// source is the text of a span of the file that a note is about.
func source(f *marker.Fixture, path string, s text.Span) string {
	return f.Workspace.File(path).Doc.Text()[s.Start:s.End]
}

// hover is the hovered word and, below, what is said of it.
func hover(f *marker.Fixture, n marker.Note) string {
	h, ok := analysis.HoverAt(f.Workspace, n.Path, n.Cursor)
	if !ok {
		return nothing
	}
	return source(f, n.Path, h.Span) + "\n" + h.Markdown
}

// fix is the title of each fix of what is reported in the literal, and what it
// does.
func fix(f *marker.Fixture, n marker.Note) string {
	var out []string
	for _, d := range checks(f, n.Path) {
		if d.Span.Start > n.Span.End || n.Span.Start > d.Span.End {
			continue
		}
		for _, fix := range d.Fixes {
			title := fix.Title
			if fix.Best {
				title += " (best)"
			}
			out = append(out, title, changes(f, model.Edits(f.Workspace, n.Path, fix)))
		}
	}
	if out == nil {
		return nothing
	}
	return strings.Join(out, "\n")
}

// fixAll is what fixing the whole file does.
func fixAll(f *marker.Fixture, n marker.Note) string {
	edits, err := refactor.FixAll(f.Workspace, n.Path, func(w model.Workspace) []model.Diagnostic {
		return check.Run(context.Background(), w, n.Path, check.Options{})
	})
	if err != nil {
		return err.Error()
	}
	var own []model.FileEdit
	for _, e := range edits {
		own = append(own, model.FileEdit{Path: n.Path, Edit: e})
	}
	return changes(f, own)
}

// organize is what organizing the imports of the file does.
func organize(f *marker.Fixture, n marker.Note) string {
	edits := refactor.OrganizeImports(f.Workspace, n.Path, checks(f, n.Path))
	if len(edits) == 0 {
		return nothing
	}
	var own []model.FileEdit
	for _, e := range edits {
		own = append(own, model.FileEdit{Path: n.Path, Edit: e})
	}
	return changes(f, own)
}

// changes shows what edits do, file by file.
func changes(f *marker.Fixture, edits []model.FileEdit) string {
	byPath := map[string][]text.Edit{}
	for _, e := range edits {
		byPath[e.Path] = append(byPath[e.Path], e.Edit)
	}
	var out []string
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		source := ""
		if in := f.Workspace.File(path); in != nil && in.Doc != nil {
			source = in.Doc.Text()
		}
		after, err := text.Apply(source, byPath[path]...)
		if err != nil {
			return err.Error()
		}
		out = append(out, f.Diff(path, after))
	}
	return strings.Join(out, "\n")
}

// list lists the fixture's own folders.
func list(f *marker.Fixture) model.Lister {
	return func(dir string) []model.DirEntry {
		var entries []model.DirEntry
		seen := map[string]bool{}
		for _, path := range f.Files {
			rel, err := filepath.Rel(dir, path)
			if err != nil || strings.HasPrefix(rel, "..") {
				continue
			}
			name, _, below := strings.Cut(filepath.ToSlash(rel), "/")
			if !seen[name] {
				seen[name] = true
				entries = append(entries, model.DirEntry{Name: name, IsDir: below})
			}
		}
		return entries
	}
}

// complete is the labels of all items.
func complete(f *marker.Fixture, n marker.Note) string {
	var labels []string
	for _, i := range completion.Complete(context.Background(), f.Workspace, n.Path, n.Cursor, cursor.Host{List: list(f)}) {
		labels = append(labels, i.Label)
	}
	if labels == nil {
		return nothing
	}
	return strings.Join(labels, ", ")
}

// accept is the line after an item was taken, with a bar for the end of what it
// put there; then what is beside its label. The item is the first that an editor
// would still show for what is typed of the word.
func accept(f *marker.Fixture, n marker.Note) string {
	items := completion.Complete(context.Background(), f.Workspace, n.Path, n.Cursor, cursor.Host{List: list(f)})
	at := slices.IndexFunc(items, func(i completion.Item) bool {
		typed := source(f, n.Path, text.Span{Start: i.Edit.Start, End: n.Cursor})
		return strings.HasPrefix(strings.ToLower(i.FilterText), strings.ToLower(typed))
	})
	if at < 0 {
		return nothing
	}
	i := items[at]
	lines := f.Workspace.File(n.Path).Doc.Lines()
	line := lines.LineText(lines.Line(n.Cursor))
	before := source(f, n.Path, text.Span{Start: line.Start, End: i.Edit.Start})
	after := source(f, n.Path, text.Span{Start: i.Edit.End, End: line.End})
	put := i.Edit.NewText
	if i.SnippetText != "" {
		put = i.SnippetText
	}
	if i.Tool != nil {
		i.Documentation = completion.ToolDocumentation(f.Workspace, n.Path, *i.Tool)
	}
	put = strings.TrimLeft(before, " ") + put + "|" + after
	further := ""
	if len(i.Further) > 0 {
		var edits []model.FileEdit
		for _, e := range i.Further {
			edits = append(edits, model.FileEdit{Path: n.Path, Edit: e})
		}
		further = changes(f, edits)
	}
	return strings.TrimSpace(strings.Join([]string{put, i.Label + " · " + i.Detail, i.Documentation, further}, "\n"))
}

var symbolKinds = map[analysis.SymbolKind]string{
	analysis.SectionSymbol: "section", analysis.ToolSymbol: "tool", analysis.ParameterSymbol: "parameter",
	analysis.ImportSymbol: "import", analysis.BlockSymbol: "block", analysis.ItemSymbol: "item", analysis.ValueSymbol: "value",
}

// symbol is the symbol that is called what the cursor stands on, and those below
// it, each with its lines.
func symbol(f *marker.Fixture, n marker.Note) string {
	lines := f.Workspace.File(n.Path).Doc.Lines()
	var out []string
	var visit func(symbols []analysis.Symbol, indent int)
	visit = func(symbols []analysis.Symbol, indent int) {
		for _, s := range symbols {
			below := indent
			if indent >= 0 || s.NameSpan.Touches(n.Cursor) {
				below = max(indent, 0)
				r := lines.Range(s.Span, text.UTF16)
				out = append(out, strings.TrimRight(fmt.Sprintf("%s%s %s (%d-%d) %s", strings.Repeat("  ", below), symbolKinds[s.Kind], s.Name, r.Start.Line+1, r.End.Line+1, s.Detail), " "))
				below++
			}
			visit(s.Children, below)
		}
	}
	visit(analysis.Symbols(f.Workspace, n.Path), -1)
	if out == nil {
		return nothing
	}
	return strings.Join(out, "\n")
}

// lens is the titles of the lenses above the line.
func lens(f *marker.Fixture, n marker.Note) string {
	found := checks(f, n.Path)
	lines := f.Workspace.File(n.Path).Doc.Lines()
	var titles []string
	for _, l := range analysis.CodeLenses(f.Workspace, n.Path, func(t model.PlacedTool) int { return len(model.Broken(found, t)) }) {
		if lines.Line(l.Span.Start) == lines.Line(n.Cursor) {
			title := l.Title
			if l.Path != "" {
				title += " → " + f.Rel(l.Path)
			}
			titles = append(titles, title)
		}
	}
	if titles == nil {
		return nothing
	}
	return strings.Join(titles, " | ")
}
