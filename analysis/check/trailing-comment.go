package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// trailingComment: a comment is on a line of its own. The overview page says that others are not
// supported, and yet many pages have them.
var trailingComment = Check{
	Code:     "trailing-comment",
	Standard: model.Warning,
	File: func(out *findings, f File) {
		for _, s := range f.Doc.Sections() {
			costly := map[int]bool{} // the starts of those about which platform-loss says more
			commentsIn(f, s, func(p syntax.PositionedEntry, c commentLoss) { costly[p.Offset+c.comment.Span().Start] = true })
			for p := range s.HeadAndEntries() {
				trailingIn(out, f, p, costly)
			}
		}
	},
}

func trailingIn(out *findings, f File, p syntax.PositionedEntry, costly map[int]bool) {
	if p.Kind() == syntax.Comment || strings.IndexByte(p.Text(), '#') < 0 {
		return
	}
	for n := range p.Root().Preorder() {
		if n.Kind() != syntax.Comment || !strings.HasPrefix(n.Text(), "#") || beginsLine(p, n) {
			continue
		}
		at := n.Span().Shift(p.Offset)
		if costly[at.Start] {
			continue
		}
		d := out.info(at, "A comment stands on a line of its own; the platform may take this one for a part of the value.")
		d.Fixes = append(d.Fixes, aboveItsLine(f.Doc, at))
	}
}

// beginsLine reports whether nothing is before a node on its line.
func beginsLine(p syntax.PositionedEntry, n syntax.Node) bool {
	before := p.Text()[:n.Span().Start]
	before = before[strings.LastIndexAny(before, "\r\n")+1:]
	return strings.Trim(before, blanks) == "" && n.Span().Start > len(before)
}

// aboveItsLine moves a trailing comment to a line of its own.
func aboveItsLine(doc *syntax.Document, comment text.Span) model.Fix {
	line := doc.Lines().Line(comment.Start)
	start := doc.Lines().LineStart(line)
	indent := indentation(doc, line)
	before := doc.Text()[start:comment.Start]
	end := text.Span{Start: start + len(strings.TrimRight(before, blanks)), End: comment.End}
	at := text.Span{Start: start + len(indent), End: start + len(indent)}
	moved := strings.TrimRight(doc.Text()[comment.Start:comment.End], blanks) + "\n" + strings.TrimPrefix(indent, "\uFEFF")
	return model.Fix{
		Title: "Move the comment above its line",
		Edits: []model.FileEdit{{Edit: text.Edit{Span: at, NewText: moved}}, {Edit: text.Edit{Span: end}}},
		Best:  true,
	}
}
