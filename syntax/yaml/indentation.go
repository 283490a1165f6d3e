package yaml

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// blockLevel is a block map or list that the current line may belong to, or a missing value
// that may become one.
type blockLevel struct {
	node     *Node
	path     []PathElement
	column   int  // of its keys or dashes; for a missing value the least column that it may have
	belowKey bool // it is a list with the indentation of its key
}

// cursorByIndentation returns the cursor on a line without a node: a blank line, or one that
// is no YAML yet.
func (f *cursorFinder) cursorByIndentation() Cursor {
	word, ok := f.firstWord()
	if !ok {
		return Cursor{}
	}
	at := Cursor{Word: word, Prefix: f.src()[word.Start:f.offset]}
	column := word.Start - f.line.Start
	if f.root.IsScalar() && (!f.isWritten(f.root) || f.root.TextSpan() == word) {
		at.KeyAllowed, at.ValueAllowed = true, true
		return at
	}
	for _, l := range slices.Backward(f.blockLevels()) {
		switch {
		case column < l.column || l.belowKey && column == l.column:
			continue
		case l.node.Kind == Null && l.node.Alias == "" && !f.isWritten(l.node):
			at.Path, at.KeyAllowed, at.ValueAllowed = l.path, true, true
		case column > l.column:
		case l.node.Kind == Map:
			at.Path, at.KeyAllowed, at.Map = l.path, true, l.node
		case l.node.Kind == List:
			at.Path = append(slices.Clip(l.path), PathElement{Index: f.countAbove(l.node), Node: &Node{Span: word}})
			at.KeyAllowed, at.ValueAllowed, at.MissingDash = true, true, true
		}
		break
	}
	if !at.KeyAllowed {
		return Cursor{}
	}
	return at
}

// firstWord returns the first word of the line. It is not ok if the cursor is not in it.
func (f *cursorFinder) firstWord() (word text.Span, ok bool) {
	lineText := f.src()[f.line.Start:f.line.End]
	trimmed := strings.TrimLeft(lineText, " \t"+byteOrderMark)
	if trimmed == "" {
		return text.Span{Start: f.offset, End: f.offset}, true
	}
	start := f.line.End - len(trimmed)
	end := f.line.End
	if i := strings.IndexAny(trimmed, " \t:"); i >= 0 {
		end = start + i
	}
	word = text.Span{Start: start, End: end}
	return word, word.Touches(f.offset)
}

// blockLevels returns the maps and lists that the line may belong to, from the root on.
func (f *cursorFinder) blockLevels() []blockLevel {
	var all []blockLevel
	var path []PathElement
	for n, least := f.root, 0; ; {
		l := blockLevel{node: n, path: path, column: least}
		if n.Alias != "" || n.Style == Flow || n.IsScalar() && f.isWritten(n) {
			return append(all, blockLevel{node: n, path: path, column: least})
		}
		if !n.IsScalar() {
			l.column = f.columnOf(n)
			l.belowKey = n.Kind == List && l.column < least
		}
		all = append(all, l)
		last := f.countAbove(n) - 1
		switch {
		case last < 0:
			return all
		case n.Kind == Map:
			m := n.Members[last]
			path = append(slices.Clip(path), PathElement{Key: m.Key.Text, Index: -1, Node: m.Value})
			n = m.Value
		default:
			path = append(slices.Clip(path), PathElement{Index: last, Node: n.Items[last]})
			n = n.Items[last]
		}
		least = l.column + 1
	}
}

// countAbove returns the number of members or items of a node that begin above the line.
func (f *cursorFinder) countAbove(n *Node) int {
	if n.Kind == List {
		above := count(n.Items, func(item *Node) bool { return item.Span.Start <= f.line.Start })
		if above < len(n.Items) && f.hasDashAbove(n.Items[above]) {
			above++
		}
		return above
	}
	return count(n.OwnMembers(), func(m Member) bool { return m.Key.Span.Start < f.line.Start })
}

// hasDashAbove reports whether the dash of an item that begins below the line is above it, since
// nothing but the item's anchor and comments follow on the line of the dash.
func (f *cursorFinder) hasDashAbove(item *Node) bool {
	lines := f.d.lines
	for line := lines.Line(item.Span.Start); line >= 0; line-- {
		at := lines.LineText(line)
		content := strings.TrimLeft(f.src()[at.Start:min(at.End, item.Span.Start)], " \t")
		if at.Start != f.line.Start && content != "" && content[0] != '#' {
			return at.Start < f.line.Start
		}
	}
	return false
}

func count[T any](all []T, is func(T) bool) int {
	n := 0
	for _, one := range all {
		if is(one) {
			n++
		}
	}
	return n
}

func (f *cursorFinder) columnOf(n *Node) int {
	line := f.d.lines.LineText(f.d.lines.Line(n.Span.Start))
	start := n.Span.Start - line.Start
	if line.Start == 0 && strings.HasPrefix(f.src(), byteOrderMark) {
		start -= len(byteOrderMark)
	}
	return start
}
