package refactor

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// reshapeSignature writes each parameter on a line of its own, or a signature with several lines on
// one.
func reshapeSignature(s selection) []Refactoring {
	t, ok := s.tool()
	if !ok {
		return nil
	}
	span := t.SignatureSpan()
	signature := s.file.Doc.Text()[span.Start:span.End]
	switch {
	case strings.ContainsAny(signature, "\r\n"):
		r := Refactoring{Title: "Put the signature on one line"}
		if toolHasComment(t, span) {
			r.Disabled = "there is a comment in the signature"
		}
		r.edits = ownFileEdits(text.Edit{Span: span, NewText: onOneLine(signature)})
		return []Refactoring{r}
	case len(t.Params) > 1:
		return []Refactoring{{Title: "Put each parameter on a line of its own", edits: ownFileEdits(paramLines(s.file, t)...)}}
	}
	return nil
}

func toolHasComment(t model.PositionedTool, span text.Span) bool {
	for n := range t.Node.Preorder() {
		if n.Kind() == syntax.Comment && span.Touches(t.InFile(n).Span().Start) {
			return true
		}
	}
	return false
}

var (
	afterBracket  = lazyregexp.New(`([(\[{])[ \t]*[\r\n]\s*`)
	beforeBracket = lazyregexp.New(`\s*[\r\n]\s*([)\]}])`)
	lineBreak     = lazyregexp.New(`[ \t]*[\r\n]\s*`)
)

// onOneLine joins the lines of a signature. No string has several lines.
func onOneLine(s string) string {
	s = afterBracket.ReplaceAllString(s, "$1")
	s = beforeBracket.ReplaceAllString(s, "$1")
	return lineBreak.ReplaceAllString(s, " ")
}

// paramLines returns the edits that put each parameter on a line of its own.
func paramLines(f *model.File, t model.PositionedTool) []text.Edit {
	outer := model.IndentAt(f, t.Span().Start)
	inner := "\n" + outer + edit.IndentStepOf(f)
	list := t.InFile(t.Node.Child(syntax.FieldParameters)).Span()
	at := list.Start + 1
	var edits []text.Edit
	for i, p := range t.Params {
		span := t.InFile(p.Node).Span()
		inserted := inner
		if i > 0 {
			inserted = "," + inner
		}
		edits = append(edits, text.Edit{Span: text.Span{Start: at, End: span.Start}, NewText: inserted})
		at = span.End
	}
	return append(edits, text.Edit{Span: text.Span{Start: at, End: list.End - 1}, NewText: "\n" + outer})
}
