package refactor

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// toBlock writes what is in braces or brackets after a key as lines below it.
func toBlock(s selection) []Refactoring {
	p := s.pair()
	value := p.Value()
	dash, title := "", "as lines of their own"
	switch value.Kind() {
	case syntax.List:
		dash, title = "- ", "as a list of lines"
	case syntax.Map:
	default:
		return nil
	}
	parts, ok := partsOf(value)
	if !ok || len(parts) == 0 || !p.Child(syntax.FieldBlock).IsZero() {
		return nil
	}
	indent := "\n" + columnText(s.file, p.Span().Start) + edit.IndentStepOf(s.file) + dash
	at := s.file.Doc.Lines().LineText(s.file.Doc.Lines().Line(p.InFile(value).Span().End)).End
	colon := p.InFile(p.ChildOf(syntax.Colon)).Span().End
	return s.rewrite(p, Refactoring{Title: "Write `" + p.Key() + "` " + title},
		text.Edit{Span: text.Span{Start: colon, End: p.InFile(value).Span().End}},
		text.Insertion(at, indent+strings.Join(parts, indent)))
}

// toInline writes the lines below a key in braces or brackets after it.
func toInline(s selection) []Refactoring {
	p := s.pair()
	block := p.Child(syntax.FieldBlock)
	if block.IsZero() || !p.Value().IsZero() || needsLines(p.Node) {
		return nil
	}
	parts, ok := partsOf(block)
	if !ok || len(parts) == 0 {
		return nil
	}
	open, end, title := "{", "}", "in braces"
	if !block.ChildOf(syntax.ListItem).IsZero() {
		open, end, title = "[", "]", "in brackets"
	}
	colon := p.InFile(p.ChildOf(syntax.Colon)).Span().End
	inserted := " " + open + strings.Join(parts, ", ") + end
	if model.Width(columnText(s.file, p.Span().Start)+p.Key()+inserted) > maxInline {
		return nil
	}
	last := p.InFile(block).Span().Start + len(strings.TrimRight(block.Text(), " \t\r\n"))
	return s.rewrite(p, Refactoring{Title: "Write `" + p.Key() + "` " + title},
		text.Edit{Span: text.Span{Start: colon, End: last}, NewText: inserted})
}

// maxInline is the width of the longest line that may replace a block.
const maxInline = 120

// pair returns the innermost `key: value` in which the selection begins.
func (s selection) pair() model.PositionedNode {
	n := s.file.NodeAt(s.Start)
	for !n.IsZero() && n.Kind() != syntax.Pair {
		n.Node = n.Parent()
	}
	return n
}

// partsOf returns the members of a map or the items of a list, inline or in a block, as written. ok
// is false if one of them has several lines or another form than the others, or if a comment is
// between them.
func partsOf(n syntax.Node) (parts []string, ok bool) {
	kind := syntax.Other
	for c := range n.Children() {
		if c.Kind() >= syntax.Colon || c.Kind() == syntax.Other {
			continue
		}
		part := strings.TrimSpace(c.Text())
		k := syntax.MapPair // of the same form
		switch {
		case c.Kind() == syntax.MapPair || c.Kind() == syntax.Pair:
		case c.Kind() == syntax.ListItem:
			k, part = syntax.ListItem, strings.TrimSpace(strings.TrimPrefix(part, "-"))
		case n.Kind() == syntax.List:
			k = syntax.ListItem
		default:
			return nil, false
		}
		if kind != syntax.Other && k != kind || part == "" || strings.ContainsAny(part, "\r\n") || needsLines(c) {
			return nil, false
		}
		kind, parts = k, append(parts, part)
	}
	return parts, true
}

// needsLines reports whether a node is, or contains, something that needs lines of its own: a text,
// a comment, an assignment, an unfinished value.
func needsLines(n syntax.Node) bool {
	for c := range n.Preorder() {
		switch c.Kind() {
		case syntax.Comment, syntax.PipeBlock, syntax.Assignment, syntax.Invalid:
			return true
		}
	}
	return false
}

// columnText returns blanks as wide as the text before an offset on its line.
func columnText(f *model.File, offset int) string {
	before := f.Doc.Text()[f.Doc.Lines().LineStart(f.Doc.Lines().Line(offset)):offset]
	indent := before[:len(before)-len(strings.TrimLeft(before, " \t"))]
	return indent + strings.Repeat(" ", model.Width(before)-model.Width(indent))
}

// rewrite returns a refactoring of a pair whose value must stay the same; if it would not, the
// refactoring is disabled.
func (s selection) rewrite(p model.PositionedNode, r Refactoring, edits ...text.Edit) []Refactoring {
	r.edits = func(ctx context.Context, w model.Workspace) ([]model.FileEdit, error) {
		changed, err := text.Apply(s.file.Doc.Text(), edits...)
		if err != nil {
			return nil, err
		}
		start := p.Span().Start
		after := selection{w, model.NewFile(s.file.Path, syntax.Parse(changed), nil), text.Span{Start: start, End: start}}.pair()
		if after.Span().Start != start || !bytes.Equal(exactjson.EncodeOrNil(model.AnyValue(after.Node)), exactjson.EncodeOrNil(model.AnyValue(p.Node))) {
			return nil, errors.New("`" + p.Key() + "` would mean something else in that form")
		}
		return ownFileEdits(edits...)(ctx, w)
	}
	return []Refactoring{r}
}
