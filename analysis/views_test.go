package analysis_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/marker"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestViewsOfHalfTypedText cuts the fixtures off everywhere and checks the features of what is
// left.
func TestViewsOfHalfTypedText(t *testing.T) {
	for _, f := range marker.Load(t, filepath.Join("..", "testdata", "marker", "semantic_tokens")) {
		for _, path := range f.Files {
			source, step := f.Workspace.File(path).Text(), 1
			if testing.Short() {
				step = 7
			}
			for end := 0; end <= len(source); end += step {
				w := f.Workspace.With(path, syntax.Parse(source[:end]))
				checkViews(t, w, path, source[:end])
			}
		}
	}
}

func checkViews(t *testing.T, w model.Workspace, path, source string) {
	t.Helper()
	f := w.File(path)
	all, last := f.InFile(text.Span{End: len(source)}), 0
	cursor := f.Positions().Offset(f.Positions().Position(all.End, text.UTF8), text.UTF8)
	for _, token := range analysis.SemanticTokens(w, path, all) {
		s := f.WrittenSpan(token.Span)
		if s.Start < last || s.End <= s.Start || s.End > len(source) || strings.ContainsAny(source[s.Start:s.End], "\r\n") {
			t.Fatalf("%q: the token at %v", source, s)
		}
		last = s.End
	}
	for _, fold := range analysis.FoldingRanges(w, path) {
		if s := f.WrittenSpan(fold.Span); s.Start < 0 || s.End > len(source) || !strings.Contains(source[s.Start:s.End], "\n") {
			t.Fatalf("%q: the fold at %v", source, s)
		}
	}
	inner := text.Span{Start: len(source), End: len(source)}
	for _, s := range analysis.SelectionRanges(w, path, cursor) {
		if s = f.WrittenSpan(s); s.Start > inner.Start || s.End < inner.End {
			t.Fatalf("%q: %v does not hold %v", source, s, inner)
		}
		inner = s
	}
	if inner != f.WrittenSpan(all) {
		t.Fatalf("%q: the file is not selected at last, but %v", source, inner)
	}
	analysis.LinkedEditingRanges(w, path, cursor)
	analysis.DocumentLinks(w, path)
	analysis.InlayHints(w, path, all, analysis.DefaultHint, analysis.URLHint, analysis.ParameterHint, analysis.TypeHint)
}
