package yaml

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Cursor is a position in the tree, for what may be typed there. It is also known
// in an unfinished line, in a blank line (by its indentation) and between brackets.
type Cursor struct {
	// Path leads from the root to the map or list around the cursor, or to the
	// value at the cursor.
	Path []PathElement

	// KeyAllowed says that a key of Map may be typed here; Map is nil if it would be
	// the first key. ValueAllowed says that the value at Path may be typed here.
	// In a comment, after a value and inside a text of several lines both are false.
	// In an empty value on a line of its own both are true.
	KeyAllowed, ValueAllowed bool
	Map                      *Node
	Member                   *Member // the member whose key or value is here, if there is one

	// MissingDash says that the value is a new item of a list of block style, and that
	// its dash is missing.
	MissingDash bool

	Word   text.Span // the word at the cursor, without quotes: a completion replaces it
	Prefix string    // the part of the word before the cursor
	Quoted bool
	Flow   bool // it is inside brackets

	Root *Node // the root of the document around it; nil in a comment
}

// PathElement leads from a map to one of its values, or from a list to one of its items.
type PathElement struct {
	Key   string // of the value, in a map
	Index int    // of the item, in a list; -1 in a map
	Node  *Node  // the value or the item
}

// CursorAt returns the cursor at an offset. An offset outside the text means the nearest end of the
// text.
func (d *Document) CursorAt(offset int) Cursor {
	offset = min(max(offset, 0), len(d.lines.Text()))
	if slices.ContainsFunc(d.comments, func(c text.Span) bool { return c.Start < offset && offset <= c.End }) {
		return Cursor{}
	}
	f := cursorFinder{d: d, offset: offset, line: d.lines.LineText(d.lines.Line(offset))}
	f.root = d.rootAt(offset)
	c, ok := f.cursorIn(f.root, nil)
	if !ok && (f.root.Style != Flow || !f.isWritten(f.root)) {
		c = f.cursorByIndentation()
	}
	c.Root = f.root
	return c
}

// rootAt returns the root of the document around an offset.
func (d *Document) rootAt(offset int) *Node {
	n := 0
	for i, begin := range d.starts {
		if begin <= offset {
			n = i
		}
	}
	return d.roots[n]
}

type cursorFinder struct {
	d      *Document
	root   *Node
	offset int
	line   text.Span
}

func (f *cursorFinder) src() string { return f.d.lines.Text() }

// cursorIn returns the cursor inside n, a map or a list to which path leads. It is not ok if the
// offset is in none of the members or items of n.
func (f *cursorFinder) cursorIn(n *Node, path []PathElement) (Cursor, bool) {
	switch {
	case n.Alias != "" || n.IsScalar():
		return Cursor{}, false
	case n.Style == Flow && !f.isInBrackets(n):
		return Cursor{}, false
	}
	if c, ok := f.cursorInItems(n, path); ok {
		return c, true
	}
	for i := range n.OwnMembers() {
		if c, ok := f.cursorInMember(n, i, path); ok {
			return c, true
		}
	}
	if n.Style == Flow {
		return f.cursorBetween(n, path), true
	}
	return Cursor{}, false
}

// isInBrackets reports whether the cursor is inside the brackets of n. If they are not closed, a
// blank line below them that is indented deeper than the line of the first one is inside, too.
func (f *cursorFinder) isInBrackets(n *Node) bool {
	switch end := n.Span.End; {
	case f.offset <= n.Span.Start, f.offset >= end && !n.Unclosed:
		return false
	case f.offset <= end:
		return true
	default:
		begin := f.d.lines.LineText(f.d.lines.Line(n.Span.Start)).Start
		indent := len(f.src()[begin:]) - len(strings.TrimLeft(f.src()[begin:], " "))
		return f.offset-f.line.Start > indent && hasOnlyComments(f.src()[end:f.offset])
	}
}

func hasOnlyComments(lines string) bool {
	for line := range strings.Lines(lines) {
		if content := strings.TrimSpace(line); content != "" && content[0] != '#' {
			return false
		}
	}
	return true
}

func (f *cursorFinder) cursorInItems(n *Node, path []PathElement) (Cursor, bool) {
	for i, item := range n.Items {
		below := append(slices.Clip(path), PathElement{Index: i, Node: item})
		if c, ok := f.cursorIn(item, below); ok {
			return c, true
		}
		if item.IsScalar() && item.Span.Touches(f.offset) && f.isWritten(item) {
			return f.scalarCursor(item, Cursor{Path: below, ValueAllowed: true, KeyAllowed: n.Style != Flow, Flow: n.Style == Flow}), true
		}
		if n.Style != Flow && item.Kind == Null && f.isOnLine(item.Span.Start) && f.offset >= item.Span.Start {
			return f.emptyCursor(Cursor{Path: below, KeyAllowed: true, ValueAllowed: true}), true
		}
	}
	return Cursor{}, false
}

func (f *cursorFinder) cursorInMember(n *Node, i int, path []PathElement) (Cursor, bool) {
	m := &n.Members[i]
	flow := n.Style == Flow
	if m.Key.Span.Touches(f.offset) {
		return f.scalarCursor(m.Key, Cursor{Path: path, KeyAllowed: true, Map: n, Member: m, Flow: flow}), true
	}
	below := append(slices.Clip(path), PathElement{Key: m.Key.Text, Index: -1, Node: m.Value})
	if c, ok := f.cursorIn(m.Value, below); ok {
		return c, true
	}
	at := Cursor{Path: below, ValueAllowed: true, Member: m, Flow: flow}
	switch {
	case m.Colon < 0 || f.offset <= m.Colon:
		return Cursor{}, false
	case m.Value.IsScalar() && m.Value.Span.Touches(f.offset) && f.isWritten(m.Value):
		at.KeyAllowed = !flow && f.line.Start > m.Colon && m.Value.Style == Plain
		return f.scalarCursor(m.Value, at), true
	case f.isWritten(m.Value) || !f.isOnLine(m.Colon) || strings.Trim(f.src()[m.Colon+1:f.offset], " \t") != "":
		return Cursor{}, false
	}
	return f.emptyCursor(at), true
}

// isWritten reports whether a node has any text.
func (f *cursorFinder) isWritten(n *Node) bool { return !n.Span.Empty() }

func (f *cursorFinder) isOnLine(offset int) bool {
	return f.line.Start <= offset && offset <= f.line.End
}

// scalarCursor returns at for a cursor in n, a key or a value. If the cursor is not at a word of n,
// no key and no value may be typed there.
func (f *cursorFinder) scalarCursor(n *Node, at Cursor) Cursor {
	at.Word = n.TextSpan()
	if n.Style == BlockScalar || !at.Word.Touches(f.offset) || n.Alias != "" {
		return Cursor{Path: at.Path, Flow: at.Flow}
	}
	at.Quoted = n.Style != Plain
	at.Prefix = f.src()[at.Word.Start:f.offset]
	return at
}

// emptyCursor returns the cursor at an offset without a word.
func (f *cursorFinder) emptyCursor(at Cursor) Cursor {
	at.Word = text.Span{Start: f.offset, End: f.offset}
	return at
}

// cursorBetween returns the cursor in brackets, between their members or items.
func (f *cursorFinder) cursorBetween(n *Node, path []PathElement) Cursor {
	after, last := n.Span.Start+1, -1
	for i, item := range n.Items {
		if item.Span.End <= f.offset {
			after, last = item.Span.End, i
		}
	}
	for _, m := range n.OwnMembers() {
		if m.Value.Span.End <= f.offset {
			after = max(m.Value.Span.End, m.Colon+1)
		}
	}
	if after > n.Span.Start+1 && !strings.Contains(f.src()[after:f.offset], ",") {
		return Cursor{Path: path, Flow: true}
	}
	if n.Kind == Map {
		return f.emptyCursor(Cursor{Path: path, KeyAllowed: true, Map: n, Flow: true})
	}
	none := &Node{Span: text.Span{Start: f.offset, End: f.offset}}
	return f.emptyCursor(Cursor{Path: append(slices.Clip(path), PathElement{Index: last + 1, Node: none}), ValueAllowed: true, Flow: true})
}
