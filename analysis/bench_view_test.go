package analysis

import (
	"fmt"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/benchtext"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// BenchmarkViews measures what an editor shows of a whole file.
func BenchmarkViews(b *testing.B) {
	const path = "/a.tools.abl"
	for _, lines := range []int{1000, 10000} {
		source := benchtext.Library(lines)
		all := text.Span{End: len(source)}
		screen := text.Span{Start: len(source) / 2, End: len(source)/2 + 2000} // about 50 lines
		w := model.Workspace{}.With(path, syntax.Parse(source))
		for name, ask := range map[string]func(){
			"tokens":        func() { SemanticTokens(w, path, all) },
			"tokens-screen": func() { SemanticTokens(w, path, screen) },
			"folds":         func() { FoldingRanges(w, path) },
			"links":         func() { DocumentLinks(w, path) },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, lines), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					ask()
				}
			})
		}
	}
}
