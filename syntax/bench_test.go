package syntax

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/abl-lsp/abl-lsp/internal/benchtext"
	tree_sitter_abl "github.com/abl-lsp/abl-lsp/syntax/grammar/bindings/go"
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

// BenchmarkApply types a letter in the middle of a file, and of a file in which
// every tool has a half-typed line. The second costs no more, since the grammar
// expects half-typed lines.
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

// BenchmarkTree measures tree-sitter's share of Parse and of Apply: the share that the
// grammar decides.
func BenchmarkTree(b *testing.B) {
	source := []byte(benchtext.Library(10000))
	parser := sitter.NewParser()
	parser.SetLanguage(tree_sitter_abl.Language())
	parse := func(old *sitter.Tree) *sitter.Tree {
		tree, err := parser.ParseCtx(context.Background(), old, source)
		if err != nil {
			b.Fatal(err)
		}
		return tree
	}
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			parse(nil).Close()
		}
	})
	b.Run("edit", func(b *testing.B) {
		tree := parse(nil)
		at := bytes.Index(source[len(source)/2:], []byte("Finds")) + len(source)/2
		start, end := treeSitterPoint(text.NewLines(string(source)), at), uint32(at+1)
		after := sitter.Point{Row: start.Row, Column: start.Column + 1}
		edit := sitter.EditInput{
			StartIndex: uint32(at), OldEndIndex: end, NewEndIndex: end,
			StartPoint: start, OldEndPoint: after, NewEndPoint: after,
		}
		for b.Loop() {
			tree_sitter_abl.Edit(tree, edit)
			next := parse(tree)
			tree.Close()
			tree = next
		}
	})
}
