// Package edit builds the text edits that several features need: lines below a declaration,
// imports, declarations of tools and parameters, moved keys.
package edit

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// IsCompleteSignature reports whether all of the signature can be read.
func IsCompleteSignature(t model.PositionedTool) bool {
	end := t.SignatureSpan().Len()
	for n := range t.Node.Preorder() {
		if n.Kind() == syntax.Invalid && n.Span().Start-t.Node.Span().Start < end {
			return false
		}
	}
	return len(model.OpenBrackets(t.Node.Text()[:end], model.PlainBrackets)) == 0 && !t.Node.Child(syntax.FieldParameters).IsZero()
}

// BodyIndent returns the indentation of a tool's properties, and the step from one level to the
// next. A tool without properties gets those of its neighbours.
func BodyIndent(f *model.File, t model.PositionedTool) (indent, step string) {
	outer := model.IndentAt(f, t.Span().Start)
	for c := range t.Node.BlockChildren() {
		indent = model.IndentAt(f, t.InFile(c).Span().Start)
		return indent, indentStepBetween(outer, indent)
	}
	step = IndentStepOf(f)
	return outer + step, step
}

// IndentStepOf returns the indentation of one level, as in the first tool with properties.
func IndentStepOf(f *model.File) string {
	for _, t := range f.Tools {
		for c := range t.Node.BlockChildren() {
			return indentStepBetween(model.IndentAt(f, t.Span().Start), model.IndentAt(f, t.InFile(c).Span().Start))
		}
	}
	return strings.Repeat(" ", model.IndentStep)
}

func indentStepBetween(outer, inner string) string {
	if step, ok := strings.CutPrefix(inner, outer); ok && step != "" {
		return step
	}
	return strings.Repeat(" ", model.IndentStep)
}

// AppendLines returns the edit that adds lines at the end of a tool, each a level deeper than the
// tool, or more.
func AppendLines(f *model.File, t model.PositionedTool, lines ...string) text.Edit {
	at := t.SignatureSpan().End
	for c := range t.Node.BlockChildren() {
		n := t.InFile(c)
		at = n.Span().Start + len(strings.TrimRight(n.Text(), " \t\r\n"))
	}
	at = f.Doc.Lines().LineText(f.Doc.Lines().Line(at)).End
	indent, step := BodyIndent(f, t)
	var b strings.Builder
	for _, line := range lines {
		rest := strings.TrimLeft(line, "\t")
		b.WriteString("\n" + indent + strings.Repeat(step, len(line)-len(rest)) + rest)
	}
	return text.Insertion(at, b.String())
}
