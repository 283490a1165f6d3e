package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// toolFile is a tool library of about the given number of lines, ten a tool.
func toolFile(lines int) string {
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

func BenchmarkParse(b *testing.B) {
	for _, lines := range []int{1000, 10000} {
		source := toolFile(lines)
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(source)
			}
		})
	}
}

func BenchmarkApply(b *testing.B) {
	for _, lines := range []int{1000, 10000} {
		d := Parse(toolFile(lines))
		at := strings.Index(d.Text()[len(d.Text())/2:], "Finds") + len(d.Text())/2
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				e := text.Edit{Span: text.Span{Start: at, End: at}, NewText: "x"}
				if i%2 == 1 {
					e = text.Edit{Span: text.Span{Start: at, End: at + 1}}
				}
				d = d.Apply(e)
			}
		})
	}
}
