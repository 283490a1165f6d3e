package analysis

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/completion"
	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/benchtext"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// BenchmarkForeign types in the middle of a Toolbox file, and measures features there.
func BenchmarkForeign(b *testing.B) {
	const path = "/p/tools.yaml"
	source := benchtext.Toolbox(2000)
	at := strings.Index(source[len(source)/2:], "source: p") + len(source)/2 + len("source: p")
	doc := syntax.Parse(source)
	w := model.Workspace{}.With(path, doc)
	typed := doc.Apply(text.Edit{Span: text.Span{Start: at, End: at}, NewText: "x"})
	b.Run("keystroke", func(b *testing.B) {
		for b.Loop() {
			w.With(path, typed)
		}
	})
	for name, ask := range map[string]func(){
		"completion": func() { completion.Complete(b.Context(), w, path, at, cursor.Host{}) },
		"hover":      func() { HoverAt(w, path, at) },
		"references": func() { References(b.Context(), w, path, at) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ask()
			}
		})
	}
}
