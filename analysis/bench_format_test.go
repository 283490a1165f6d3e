package analysis_test

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/format"
	"github.com/abl-lsp/abl-lsp/internal/benchtext"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// BenchmarkFormat formats a file that is indented by four spaces, as a whole and on one line.
func BenchmarkFormat(b *testing.B) {
	doc := syntax.Parse(strings.ReplaceAll(benchtext.Library(1000), "\n    ", "\n        "))
	at := doc.Lines().LineStart(500)
	for name, run := range map[string]func() ([]text.Edit, error){
		"document": func() ([]text.Edit, error) { return format.Format(doc, nil) },
		"range": func() ([]text.Edit, error) {
			return format.FormatRanges(doc, nil, text.Span{Start: at, End: at + 1})
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
