package analysis_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/internal/marker"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestMarkerViews runs the fixtures of what an editor shows of a text, and how
// one moves in it; the notes are documented at the functions below.
func TestMarkerViews(t *testing.T) {
	for dir, kind := range map[string]struct {
		note string
		of   marker.Kind
	}{
		"folding_range": {"fold", fold}, "selection_range": {"select", selection}, "document_link": {"link", link},
		"linked_editing_range": {"linked", linked}, "semantic_tokens": {"tokens", tokens},
		"inlay_hint": {"inlay", inlay}, "code_lens_references": {"uses", uses},
	} {
		t.Run(dir, func(t *testing.T) {
			marker.Run(t, filepath.Join("..", "testdata", "marker", dir), checks, map[string]marker.Kind{kind.note: kind.of})
		})
	}
}

// lineOf is the line of an offset, counted from one.
func lineOf(f *marker.Fixture, path string, offset int) int {
	return f.Workspace.File(path).Doc.Lines().Line(offset) + 1
}

// show is a text on one line.
func show(s string) string {
	return strings.NewReplacer("\r", "␍", "\n", "⏎").Replace(s)
}

// ends are the first and the last characters of a text.
func ends(s string) string {
	runes := []rune(show(s))
	if len(runes) <= 40 {
		return string(runes)
	}
	return string(runes[:18]) + " … " + string(runes[len(runes)-18:])
}

var foldKinds = map[analysis.FoldKind]string{analysis.CommentFold: " comment", analysis.ImportsFold: " imports", analysis.RegionFold: " region"}

// fold is what can be hidden from the line on: its last line, and what is hidden.
func fold(f *marker.Fixture, n marker.Note) string {
	var out []string
	for _, r := range analysis.FoldingRanges(f.Workspace, n.Path) {
		if lineOf(f, n.Path, r.Span.Start) == lineOf(f, n.Path, n.Cursor) {
			out = append(out, fmt.Sprintf("to %d%s: %s", lineOf(f, n.Path, r.Span.End), foldKinds[r.Kind], ends(source(f, n.Path, r.Span))))
		}
	}
	if out == nil {
		return nothing
	}
	return strings.Join(out, " | ")
}

// selection is what is selected step by step.
func selection(f *marker.Fixture, n marker.Note) string {
	var out []string
	for _, s := range analysis.Selections(f.Workspace, n.Path, n.Cursor) {
		out = append(out, ends(source(f, n.Path, s)))
	}
	return strings.Join(out, "\n")
}

// link is where the links of the line lead, and what is said of them.
func link(f *marker.Fixture, n marker.Note) string {
	var out []string
	for _, l := range analysis.DocumentLinks(f.Workspace, n.Path) {
		if lineOf(f, n.Path, l.Span.Start) == lineOf(f, n.Path, n.Cursor) {
			out = append(out, strings.TrimRight(fmt.Sprintf("%s → %s %s", source(f, n.Path, l.Span), f.Rel(l.Path), l.Tooltip), " "))
		}
	}
	if out == nil {
		return nothing
	}
	return strings.Join(out, "\n")
}

// linked is where the word is edited, too.
func linked(f *marker.Fixture, n marker.Note) string {
	var out []string
	for _, s := range analysis.Linked(f.Workspace, n.Path, n.Cursor) {
		at := f.Workspace.File(n.Path).Doc.Lines().Position(s.Start, text.UTF16)
		out = append(out, fmt.Sprintf("%d:%d %s", at.Line+1, at.Character+1, source(f, n.Path, s)))
	}
	if out == nil {
		return nothing
	}
	return strings.Join(out, ", ")
}

var tokenTypes = map[analysis.TokenType]string{
	analysis.NamespaceToken: "namespace", analysis.TypeToken: "type", analysis.ClassToken: "class",
	analysis.ParameterToken: "parameter", analysis.VariableToken: "variable", analysis.PropertyToken: "property",
	analysis.EnumMemberToken: "enumMember", analysis.FunctionToken: "function", analysis.MethodToken: "method",
	analysis.KeywordToken: "keyword", analysis.CommentToken: "comment", analysis.StringToken: "string",
	analysis.NumberToken: "number", analysis.OperatorToken: "operator",
}

// tokens are those of the line.
func tokens(f *marker.Fixture, n marker.Note) string {
	var out []string
	end := 0
	for _, t := range analysis.Tokens(f.Workspace, n.Path, text.Span{End: len(f.Workspace.File(n.Path).Doc.Text())}) {
		if t.Span.Start < end {
			return fmt.Sprintf("the token at %v overlaps the one before it", t.Span)
		}
		end = t.Span.End
		if lineOf(f, n.Path, t.Span.Start) != lineOf(f, n.Path, n.Cursor) {
			continue
		}
		shown := source(f, n.Path, t.Span) + ":" + tokenTypes[t.Type]
		for i, name := range []string{".declaration", ".deprecated", ".defaultLibrary"} {
			if t.Modifiers&(1<<i) != 0 {
				shown += name
			}
		}
		out = append(out, shown)
	}
	if out == nil {
		return nothing
	}
	return strings.Join(out, " | ")
}

// inlay is the line with its hints in it, and below what each one says.
func inlay(f *marker.Fixture, n marker.Note) string {
	lines := f.Workspace.File(n.Path).Doc.Lines()
	line := lines.LineText(lines.Line(n.Cursor))
	shown, at := "", line.Start
	var said []string
	for _, h := range analysis.InlayHints(f.Workspace, n.Path, line, analysis.DefaultHint, analysis.URLHint, analysis.ParameterHint, analysis.TypeHint) {
		shown += source(f, n.Path, text.Span{Start: at, End: h.Offset}) + "«" + h.Label + "»"
		at = h.Offset
		from := ""
		if h.Path != "" {
			from = fmt.Sprintf(" %s:%d", f.Rel(h.Path), lineOf(f, h.Path, h.Span.Start))
		}
		said = append(said, h.Tooltip+from)
	}
	if said == nil {
		return nothing
	}
	shown += source(f, n.Path, text.Span{Start: at, End: line.End})
	return strings.Join(append([]string{strings.TrimSpace(shown)}, said...), "\n")
}

// uses is how often the tool on the line is named, and where.
func uses(f *marker.Fixture, n marker.Note) string {
	for _, l := range analysis.ReferencesLenses(f.Workspace, n.Path) {
		if lineOf(f, n.Path, l.Span.Start) != lineOf(f, n.Path, n.Cursor) {
			continue
		}
		title, found, _ := analysis.Uses(context.Background(), f.Workspace, n.Path, l.Tool)
		out := []string{title}
		for _, r := range found {
			out = append(out, fmt.Sprintf("%s:%d", f.Rel(r.Path), lineOf(f, r.Path, r.Span.Start)))
		}
		return strings.Join(out, " ")
	}
	return nothing
}
