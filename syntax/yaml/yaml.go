// Package yaml parses YAML into a tree with positions, for files that are being
// edited.
//
// Parsing never fails: a mistake is a [Fault] of the document, and only its line
// and the lines indented below it are lost. Depth, faults and the nodes that
// aliases repeat are bounded, and the time is in proportion to the text.
// [Reparse] parses only the changed parts of the next version. Nodes never change.
package yaml

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Document is one version of a text, parsed. It never changes.
type Document struct {
	lines    *text.Lines
	roots    []*Node
	starts   []int // the offset at which the text of each root begins
	faults   []Fault
	comments []text.Span

	parts       []reusablePart // for the next version
	hasAnchors  bool           // the text has anchors or aliases
	occurrences []AnchorOccurrence
}

// NewDocument returns a document with root as its only root, for a text that another parser has
// parsed, such as JSON, and whose maps and lists are all in brackets.
func NewDocument(lines *text.Lines, root *Node) *Document {
	return &Document{lines: lines, starts: []int{0}, roots: []*Node{root}}
}

// Lines returns the lines of the text.
func (d *Document) Lines() *text.Lines { return d.lines }

// Root returns the root of the first document in the text, never nil.
func (d *Document) Root() *Node { return d.roots[0] }

// Roots returns the roots of all documents in the text, at least one.
func (d *Document) Roots() []*Node { return d.roots }

// Faults returns the mistakes in the text, in order, at most one a line.
func (d *Document) Faults() []Fault { return d.faults }

// Comments returns the spans of the comments, in order, with their `#`.
func (d *Document) Comments() []text.Span { return d.comments }

// Fault is a mistake: a span of the text that is no YAML.
type Fault struct {
	Span    text.Span
	Message string // for the person who edits the file
}

// Kind is the kind of a node's value.
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

// String returns the kind with its article, such as "a list", for messages.
func (k Kind) String() string {
	return [...]string{"nothing", "a boolean", "a whole number", "a number", "a text", "a list", "a map"}[k]
}

// Style is how a node is written.
type Style uint8

// The styles. Maps and lists are Plain or Flow; empty nodes are Plain.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	BlockScalar // | or >
	Flow        // {} or []
)

// Node is a value, or a key.
type Node struct {
	Kind  Kind
	Style Style

	// Incomplete says that a map or a list may have further members or items: a line
	// in it is no YAML, or an alias in it has no anchor.
	Incomplete bool

	// Unclosed says that the quote or bracket that opens it is not closed.
	Unclosed bool

	weight int32 // the number of nodes in it, with those that aliases repeat

	Span text.Span // without anchor and tag; for an empty node the empty span after its colon or dash

	// Text is the value of a scalar, without quotes and escapes, folded. A number
	// or a boolean is as it is written, digit for digit.
	Text string

	Items   []*Node  // of a list
	Members []Member // of a map, in order; then those that are merged into it

	Anchor, Tag string // without & and !
	Alias       string // the name of its anchor, if the node is an alias; the content is the anchor's, with its positions

	origin *Origin // nil if the node was not parsed
}

// Origin identifies a node that was parsed, and its copies in later versions of the text. It does
// not keep any of them in memory.
type Origin struct{ _ byte } // not of size zero, so that each has an address of its own

// Origin returns the origin of the node; nil if no text was parsed for it. Two nodes with the same
// origin differ only in their position.
func (n *Node) Origin() *Origin { return n.origin }

// Member is a key with its value, both never nil.
type Member struct {
	Key, Value *Node
	Colon      int  // the offset of the colon; -1 if there is none
	Duplicate  bool // the map has the same key before it
	Merged     bool // it comes from `<<`; its positions are those of the anchor
}

// Get returns the value of a key, the last one if the key is duplicate. It returns nil
// if there is none, or if the node is no map.
func (n *Node) Get(key string) *Node {
	if m := n.Member(key); m != nil {
		return m.Value
	}
	return nil
}

// Member returns the member with a key, as [Node.Get] finds it, or nil.
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

// OwnMembers returns the members that are written in the map itself, without merged ones.
func (n *Node) OwnMembers() []Member {
	if n == nil {
		return nil
	}
	if i := slices.IndexFunc(n.Members, func(m Member) bool { return m.Merged }); i >= 0 {
		return n.Members[:i]
	}
	return n.Members
}

// IsEmpty reports whether the node is an empty node of YAML: a key or a dash is written,
// and no value after it.
func (n *Node) IsEmpty() bool { return n.Kind == Null && n.Span.Len() == 0 }

// IsScalar reports whether the node is neither a list, a map nor nil.
func (n *Node) IsScalar() bool { return n != nil && n.Kind < List }

// StringValue returns the text of a string, "" for any other node and for nil.
func (n *Node) StringValue() string {
	if n == nil || n.Kind != String {
		return ""
	}
	return n.Text
}

// TextSpan returns the span of a scalar without its quotes, or the whole span of an alias.
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
