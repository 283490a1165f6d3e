package check

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// library is a tool library of about the given number of lines, ten a tool.
func library(lines int) string {
	var b strings.Builder
	b.WriteString("TOOLS:\n  base_url: \"https://api.example.com\"\n\n")
	for i := range lines / 10 {
		fmt.Fprintf(&b, `  find_item_%d(query: string, limit: number = 10, tags: string[] = ["a"]) -> {items: {id: string, price?: number}[], total: number}
    description: "Finds items, number %d"
    type: http
    endpoint: "/items/{query}/%d"
    method: GET
    headers:
      X-Trace: "{{session.trace}}"
    hints:
      cacheable: true

`, i, i, i)
	}
	return b.String()
}

func BenchmarkCold(b *testing.B) {
	for _, lines := range []int{1000, 10000} {
		w := analysis.Workspace{}.With("/a.tools.abl", syntax.Parse(library(lines)))
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			for b.Loop() {
				Run(context.Background(), w, "/a.tools.abl", nil)
			}
		})
	}
}

// BenchmarkAfterEdit is what checking costs a keystroke, reading left out.
func BenchmarkAfterEdit(b *testing.B) {
	for _, lines := range []int{1000, 10000} {
		doc := syntax.Parse(library(lines))
		at := strings.Index(doc.Text()[len(doc.Text())/2:], "Finds") + len(doc.Text())/2
		edited := doc.Apply(text.Edit{Span: text.Span{Start: at, End: at}, NewText: "x"})
		first := analysis.Workspace{}.With("/a.tools.abl", doc)
		versions := []analysis.Workspace{first.With("/a.tools.abl", edited), first.With("/a.tools.abl", doc)}
		var cache Cache
		Run(context.Background(), first, "/a.tools.abl", &cache)
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				Run(context.Background(), versions[i%2], "/a.tools.abl", &cache)
			}
		})
	}
}
