package check

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/benchtext"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// BenchmarkCold measures the first check of a file, without parsing.
func BenchmarkCold(b *testing.B) {
	for _, lines := range []int{1000, 10000} {
		doc := syntax.Parse(benchtext.Library(lines))
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			for b.Loop() {
				w := model.Workspace{}.With("/a.tools.abl", doc)
				Run(context.Background(), w, "/a.tools.abl", Options{})
			}
		})
	}
}

// BenchmarkAfterEdit measures the check after a keystroke, without parsing.
func BenchmarkAfterEdit(b *testing.B) {
	for _, lines := range []int{1000, 10000} {
		doc := syntax.Parse(benchtext.Library(lines))
		at := strings.Index(doc.Text()[len(doc.Text())/2:], "Finds") + len(doc.Text())/2
		edited := doc.Apply(text.Edit{Span: text.Span{Start: at, End: at}, NewText: "x"})
		first := model.Workspace{}.With("/a.tools.abl", doc)
		versions := []model.Workspace{first.With("/a.tools.abl", edited), first.With("/a.tools.abl", doc)}
		var cache Cache
		Run(context.Background(), first, "/a.tools.abl", Options{Cache: &cache})
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				Run(context.Background(), versions[i%2], "/a.tools.abl", Options{Cache: &cache})
			}
		})
	}
}

// BenchmarkForeignAfterEdit measures the same for a Toolbox file.
func BenchmarkForeignAfterEdit(b *testing.B) {
	for _, lines := range []int{1000, 10000} {
		doc := syntax.Parse(benchtext.Toolbox(lines))
		at := strings.Index(doc.Text()[len(doc.Text())/2:], "Finds") + len(doc.Text())/2
		edited := doc.Apply(text.Edit{Span: text.Span{Start: at, End: at}, NewText: "x"})
		first := model.Workspace{}.With("/tools.yaml", doc)
		versions := []model.Workspace{first.With("/tools.yaml", edited), first.With("/tools.yaml", doc)}
		var cache Cache
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				Run(context.Background(), versions[i%2], "/tools.yaml", Options{Cache: &cache})
			}
		})
	}
}

// BenchmarkManyTools checks a foreign file of 2,000 tools, which may name each other.
func BenchmarkManyTools(b *testing.B) {
	const tools, path = 2000, "/p/tools.yaml"
	for _, form := range []struct{ name, source, at string }{
		{"toolbox", benchtext.Toolbox(10 * tools), "search_1000:"},
		{"recif", benchtext.Recif(tools), "weather-1000}"},
	} {
		w, at := model.Workspace{}.With(path, syntax.Parse(form.source)), strings.Index(form.source, form.at)
		for question, ask := range map[string]func(){
			"check":      func() { Run(b.Context(), w, path, Options{}) },
			"lenses":     func() { analysis.CodeLenses(w, path, func(model.PositionedTool) int { return 0 }) },
			"references": func() { analysis.References(b.Context(), w, path, at) },
			"definition": func() { analysis.Definition(w, path, at) },
		} {
			b.Run(form.name+"/"+question, func(b *testing.B) {
				for b.Loop() {
					ask()
				}
			})
		}
	}
}
