// Package yaml reads YAML into a tree with places, for files that somebody is
// typing.
//
// It never fails: what is wrong is a [Fault] of the document, and costs no more
// than the line that it is on and what is indented below it. It is bounded in
// depth, in faults and in what aliases repeat, and takes time in proportion to
// the text; of the next version of a text it reads what has changed. Nodes never
// change.
package yaml

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Document is one version of a text.
type Document struct {
	lines    *text.Lines
	roots    []*Node
	begins   []int // where the text of each begins
	faults   []Fault
	comments []text.Span

	parts      []part // for the next version
	hasAnchors bool   // anchors or aliases stand in it
	links      []AnchorOccurrence
}

// NewDocument is a text that another reader has read: that of JSON, say, all of whose maps
// and lists are in brackets. Its one document has that root.
func NewDocument(lines *text.Lines, root *Node) *Document {
	return &Document{lines: lines, begins: []int{0}, roots: []*Node{root}}
}

// Lines are the lines of the text.
func (d *Document) Lines() *text.Lines { return d.lines }

// Root is the first of the documents in the text, never nil.
func (d *Document) Root() *Node { return d.roots[0] }

// Roots are all documents in the text, at least one.
func (d *Document) Roots() []*Node { return d.roots }

// Faults are the places that are no YAML, in order, one a line at most.
func (d *Document) Faults() []Fault { return d.faults }

// Comments are where comments stand, in order, with their `#`.
func (d *Document) Comments() []text.Span { return d.comments }

// Fault is a place that is no YAML.
type Fault struct {
	Span    text.Span
	Message string // for the person who types
}

// Kind is what a node is.
type Kind uint8

// The kinds. A word like `yes` or a date is a string, as in YAML 1.2.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	List
	Map
)

// String is the kind with its article, for messages.
func (k Kind) String() string {
	return [...]string{"nothing", "a boolean", "a whole number", "a number", "a text", "a list", "a map"}[k]
}

// Style is how a node is written.
type Style uint8

// The styles. Maps, lists and what is not written at all are Plain, or Flow.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal // | or >
	Flow    // {} or []
)

// Node is a value, or a key.
type Node struct {
	Kind  Kind
	Style Style
	Span  text.Span // without anchor and tag; empty, behind its colon or dash, where nothing is written

	// Text is what a scalar says: without quotes and escapes, folded; a number
	// or a boolean as it is written, digit for digit.
	Text string

	Items   []*Node  // of a list
	Members []Member // of a map, in order; then those that are merged into it

	// Incomplete says that a map or a list may have more than is known: a line in it
	// is no YAML, or an alias of it leads nowhere.
	Incomplete bool

	// Unclosed says that the quote or bracket that opens it is not closed.
	Unclosed bool

	Anchor, Tag string // with neither & nor !
	Alias       string // the anchor that it stands for; the content is the anchor's, with its places

	weight int // nodes in it, repetitions counted

	origin *Node // that was read, of which this is a copy elsewhere
}

// Origin is the node of an earlier version of the text that was read where this one
// was taken over, else the node itself. Where it is the same, all is the same but
// the place.
func (n *Node) Origin() *Node {
	if n.origin != nil {
		return n.origin
	}
	return n
}

// Member is a key with its value, both never nil.
type Member struct {
	Key, Value *Node
	Colon      int  // where the colon stands; -1 where there is none
	Duplicate  bool // the same key stands before it
	Merged     bool // by `<<`; its places are where the anchor is
}

// Get is the value of a key, the last one if it stands there again; nil where
// there is none, or no map.
func (n *Node) Get(key string) *Node {
	if m := n.Member(key); m != nil {
		return m.Value
	}
	return nil
}

// Member is the member with a key, as in [Node.Get].
func (n *Node) Member(key string) *Member {
	if n == nil {
		return nil
	}
	for i, m := range slices.Backward(n.Members) {
		if m.Key.Text == key && !m.Merged {
			return &n.Members[i]
		}
	}
	for i, m := range n.Members {
		if m.Key.Text == key {
			return &n.Members[i]
		}
	}
	return nil
}

// OwnMembers are the members that are written in the map itself.
func (n *Node) OwnMembers() []Member {
	if n == nil {
		return nil
	}
	if i := slices.IndexFunc(n.Members, func(m Member) bool { return m.Merged }); i >= 0 {
		return n.Members[:i]
	}
	return n.Members
}

// IsEmpty reports whether nothing is written where a value can stand.
func (n *Node) IsEmpty() bool { return n.Kind == Null && n.Span.Len() == 0 }

// IsScalar reports whether the node is one word or text, or nothing.
func (n *Node) IsScalar() bool { return n != nil && n.Kind < List }

// StringValue is what a text says, "" where the node is none.
func (n *Node) StringValue() string {
	if n == nil || n.Kind != String {
		return ""
	}
	return n.Text
}

// TextSpan is the place of a scalar's text: its own without quotes.
func (n *Node) TextSpan() text.Span {
	if n.Style != SingleQuoted && n.Style != DoubleQuoted || n.Alias != "" {
		return n.Span
	}
	inner := text.Span{Start: n.Span.Start + 1, End: n.Span.End - 1}
	if n.Unclosed {
		inner.End = n.Span.End
	}
	return inner
}
