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
	next       int32 // index after the last descendant
	parent     int32 // index of the parent, -1 above the root
	kind       Kind
	field      Field
}

// Entry is one declaration or line with all that is below it: a tool, an import,
// a flow step, a section's head, a comment. It does not know its position, so all
// versions of a text in which it reads the same share one Entry.
type Entry struct {
	text       string
	parentKind Kind  // of the section around it, Step in a flow, Other at the top level
	column     int   // bytes before it on its first line
	tooDeepAt  int32 // offset of the first line that is nested too deep, or -1
	nodes      []node
	memo       atomic.Value
}

// PositionedEntry is an entry with its offset in a document.
type PositionedEntry struct {
	*Entry
	Offset int
}

// Span returns the span of the entry in the document.
func (p PositionedEntry) Span() text.Span {
	return text.Span{Start: p.Offset, End: p.Offset + len(p.text)}
}

// Text returns the entry's text.
func (e *Entry) Text() string { return e.text }

// Memoize returns the value that the first call stored with the entry; the first call stores
// the result of first. The value lives as long as the entry, in every version of the text
// that has it, so all callers must pass the same function. It is safe for concurrent use;
// first may then run more than once, and one result is kept.
func (e *Entry) Memoize(first func() any) any {
	if memo := e.memo.Load(); memo != nil {
		return memo
	}
	e.memo.CompareAndSwap(nil, first())
	return e.memo.Load()
}

// Root returns the entry's topmost node.
func (e *Entry) Root() Node { return Node{e, 0} }

// Kind returns the kind of the entry's topmost node.
func (e *Entry) Kind() Kind { return e.nodes[0].kind }

// NodeAt returns the innermost node that contains the offset or ends at it.
func (e *Entry) NodeAt(offset int) Node {
	n := e.Root()
	for {
		inner := Node{}
		for c := range n.Children() {
			// Where two nodes meet at the offset, the second is taken, unless it
			// is punctuation.
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
// Other, its text is empty and it has no children, so calls can be chained
// without checks.
type Node struct {
	entry *Entry
	index int32
}

// IsZero reports whether the node is the zero Node.
func (n Node) IsZero() bool { return n.entry == nil }

// Entry returns the entry that the node is part of.
func (n Node) Entry() *Entry { return n.entry }

// Kind returns the kind of the node.
func (n Node) Kind() Kind {
	if n.IsZero() {
		return Other
	}
	return n.entry.nodes[n.index].kind
}

// Field returns the role of the node in its parent.
func (n Node) Field() Field {
	if n.IsZero() {
		return NoField
	}
	return n.entry.nodes[n.index].field
}

// Span returns the span of the node, relative to its entry.
func (n Node) Span() text.Span {
	if n.IsZero() {
		return text.Span{}
	}
	raw := n.entry.nodes[n.index]
	return text.Span{Start: int(raw.start), End: int(raw.end)}
}

// Text returns the node's text.
func (n Node) Text() string {
	if n.IsZero() {
		return ""
	}
	raw := n.entry.nodes[n.index]
	return n.entry.text[raw.start:raw.end]
}

// Children yields the nodes directly below the node.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.IsZero() {
			return
		}
		for i := n.index + 1; i < n.entry.nodes[n.index].next; i = n.entry.nodes[i].next {
			if !yield(Node{n.entry, i}) {
				return
			}
		}
	}
}

// Preorder yields the node and all nodes below it, in the order of the text.
func (n Node) Preorder() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.IsZero() {
			return
		}
		for i := n.index; i < n.entry.nodes[n.index].next; i++ {
			if !yield(Node{n.entry, i}) {
				return
			}
		}
	}
}

// Child returns the first child with the field, the zero Node if there is none.
func (n Node) Child(f Field) Node {
	for c := range n.Children() {
		if c.Field() == f {
			return c
		}
	}
	return Node{}
}

// ChildOf returns the first child of the kind, the zero Node if there is none.
func (n Node) ChildOf(k Kind) Node {
	for c := range n.Children() {
		if c.Kind() == k {
			return c
		}
	}
	return Node{}
}

// Parent returns the parent of the node, the zero Node for the root.
func (n Node) Parent() Node {
	if n.IsZero() || n.index == 0 {
		return Node{}
	}
	return Node{n.entry, n.entry.nodes[n.index].parent}
}

// Key returns the text of [Node.KeyNode] without quotes, "" if there is none.
func (n Node) Key() string {
	if k := n.KeyNode(); !k.IsZero() {
		return Unquote(k.Text())
	}
	return ""
}

// KeyNode returns the key of the node (a pair, an import, …), the name of a step,
// or the keyword. It is the zero Node if the node has none of these.
func (n Node) KeyNode() Node {
	if k := n.Child(FieldKey); !k.IsZero() {
		return k
	}
	if n.Kind() == Step {
		return n.Child(FieldName)
	}
	return n.Child(FieldKeyword)
}

// Value returns the value after the colon on the node's line, the zero Node if there
// is none.
func (n Node) Value() Node { return n.Child(FieldValue) }

// BlockChildren yields the children of the node's block without comments and
// punctuation. For a list item without a block these are its own children.
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

// FirstBlockChild returns the first of the [Node.BlockChildren], or the zero Node.
func (n Node) FirstBlockChild() Node {
	for c := range n.BlockChildren() {
		return c
	}
	return Node{}
}

// Contains reports whether the node or a node below it has the kind.
func (n Node) Contains(k Kind) bool {
	for c := range n.Preorder() {
		if c.Kind() == k {
			return true
		}
	}
	return false
}
