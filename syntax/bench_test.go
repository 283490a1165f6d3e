package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/sample"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

func BenchmarkParse(b *testing.B) {
	for _, lines := range []int{1000, 10000} {
		source := sample.Library(lines)
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
		d := Parse(sample.Library(lines))
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
