package syntax

import (
	"iter"
	"sync/atomic"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// node is one node of an entry's tree, in pre-order; spans are relative to the
// entry.
type node struct {
	start, end int32
	after      int32 // index behind the last descendant
	parent     int32 // index of the parent, -1 above the root
	kind       Kind
	field      Field
}

// Entry is one declaration or line with all that stands below it: a tool, an
// import, a flow step, a section's head, a comment. It does not know where it
// stands, so the same Entry serves every version in which it reads the same.
type Entry struct {
	text       string
	parentKind Kind  // of the section around it, Step in a flow, Other at the top level
	column     int   // bytes before it on its first line
	tooDeepAt  int32 // where it is nested too deep, or -1
	nodes      []node
	note       atomic.Value
}

// PositionedEntry is an entry at its offset in a document.
type PositionedEntry struct {
	*Entry
	Offset int
}

// Span is where the entry stands in the document.
func (p PositionedEntry) Span() text.Span {
	return text.Span{Start: p.Offset, End: p.Offset + len(p.text)}
}

// Text is the entry's text.
func (e *Entry) Text() string { return e.text }

// Memoize is what first gave for the entry when somebody first asked. It lives as long as the
// entry, in every version of the text that has it, so all who ask give the same function.
func (e *Entry) Memoize(first func() any) any {
	if note := e.note.Load(); note != nil {
		return note
	}
	e.note.CompareAndSwap(nil, first())
	return e.note.Load()
}

// Root is the entry's topmost node.
func (e *Entry) Root() Node { return Node{e, 0} }

// Kind is the kind of the entry's topmost node.
func (e *Entry) Kind() Kind { return e.nodes[0].kind }

// NodeAt returns the innermost node that holds the offset or ends at it.
func (e *Entry) NodeAt(offset int) Node {
	n := e.Root()
	for {
		inner := Node{}
		for c := range n.Children() {
			// Of two that meet at the offset the second has it, unless it is no
			// more than punctuation.
			if c.Span().Touches(offset) && (inner.IsZero() || c.Kind() < Colon) {
				inner = c
			}
		}
		if inner.IsZero() {
			return n
		}
		n = inner
	}
}

// Node is one node of an entry's tree. The zero Node is no node: its kind is
// Other, its text empty, and it has no children, so that a chain of questions
// needs no checks.
type Node struct {
	entry *Entry
	index int32
}

// IsZero reports whether there is no such node.
func (n Node) IsZero() bool { return n.entry == nil }

// Entry is the entry that the node stands in.
func (n Node) Entry() *Entry { return n.entry }

// Kind is what the node is.
func (n Node) Kind() Kind {
	if n.IsZero() {
		return Other
	}
	return n.entry.nodes[n.index].kind
}

// Field is the part that the node plays in its parent.
func (n Node) Field() Field {
	if n.IsZero() {
		return NoField
	}
	return n.entry.nodes[n.index].field
}

// Span is where the node stands in its entry.
func (n Node) Span() text.Span {
	if n.IsZero() {
		return text.Span{}
	}
	raw := n.entry.nodes[n.index]
	return text.Span{Start: int(raw.start), End: int(raw.end)}
}

// Text is the node's text.
func (n Node) Text() string {
	if n.IsZero() {
		return ""
	}
	raw := n.entry.nodes[n.index]
	return n.entry.text[raw.start:raw.end]
}

// Children are the nodes directly below.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.IsZero() {
			return
		}
		for i := n.index + 1; i < n.entry.nodes[n.index].after; i = n.entry.nodes[i].after {
			if !yield(Node{n.entry, i}) {
				return
			}
		}
	}
}

// Preorder are the node and all below it, in the order of the text.
func (n Node) Preorder() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.IsZero() {
			return
		}
		for i := n.index; i < n.entry.nodes[n.index].after; i++ {
			if !yield(Node{n.entry, i}) {
				return
			}
		}
	}
}

// Child is the first child that plays the part.
func (n Node) Child(f Field) Node {
	for c := range n.Children() {
		if c.Field() == f {
			return c
		}
	}
	return Node{}
}

// ChildOf is the first child of the kind.
func (n Node) ChildOf(k Kind) Node {
	for c := range n.Children() {
		if c.Kind() == k {
			return c
		}
	}
	return Node{}
}

// Parent is the node above, the zero Node above the root.
func (n Node) Parent() Node {
	if n.IsZero() || n.index == 0 {
		return Node{}
	}
	return Node{n.entry, n.entry.nodes[n.index].parent}
}

// Key is the text of the node's key (of a pair, an import, …), a step's name, or
// the keyword.
func (n Node) Key() string {
	if k := n.KeyNode(); !k.IsZero() {
		return Unquote(k.Text())
	}
	return ""
}

// KeyNode is the node's key, a step's name, or the keyword.
func (n Node) KeyNode() Node {
	if k := n.Child(FieldKey); !k.IsZero() {
		return k
	}
	if n.Kind() == Step {
		return n.Child(FieldName)
	}
	return n.Child(FieldKeyword)
}

// Value is what stands behind the colon on the node's line.
func (n Node) Value() Node { return n.Child(FieldValue) }

// BlockChildren are the lines of the node's block, or of a list item, comments left
// out.
func (n Node) BlockChildren() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		in := n
		if n.Kind() != ListItem {
			in = n.Child(FieldBlock)
		} else if b := n.Child(FieldBlock); !b.IsZero() {
			in = b
		}
		for c := range in.Children() {
			if c.Kind() != Comment && c.Kind() < Colon && !yield(c) {
				return
			}
		}
	}
}

// FirstBlockChild is the first of the [Node.BlockChildren].
func (n Node) FirstBlockChild() Node {
	for c := range n.BlockChildren() {
		return c
	}
	return Node{}
}

// Contains reports whether a node of the kind is below, or is the node itself.
func (n Node) Contains(k Kind) bool {
	for c := range n.Preorder() {
		if c.Kind() == k {
			return true
		}
	}
	return false
}
