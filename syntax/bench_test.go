package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/benchtext"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

func BenchmarkParse(b *testing.B) {
	for _, lines := range []int{1000, 10000} {
		source := benchtext.Library(lines)
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(source)
			}
		})
	}
}

// BenchmarkApply types a letter in the middle of a file, and of one in which
// every tool has a half-typed line: that costs no more, since the grammar
// expects it.
func BenchmarkApply(b *testing.B) {
	for _, lines := range []int{1000, 10000} {
		whole := benchtext.Library(lines)
		b.Run(fmt.Sprint(lines), func(b *testing.B) { benchmarkApply(b, whole) })
		half := strings.ReplaceAll(whole, "method: GET", "meth")
		b.Run(fmt.Sprint(lines, "/half-typed"), func(b *testing.B) { benchmarkApply(b, half) })
	}
}

func benchmarkApply(b *testing.B, source string) {
	d := Parse(source)
	at := strings.Index(source[len(source)/2:], "Finds") + len(source)/2
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		e := text.Edit{Span: text.Span{Start: at, End: at}, NewText: "x"}
		if i%2 == 1 {
			e = text.Edit{Span: text.Span{Start: at, End: at + 1}}
		}
		d = d.Apply(e)
	}
}
