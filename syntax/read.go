package syntax

import (
	"iter"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

type sitterSymbol = sitter.Symbol

// reader turns a tree-sitter tree into sections and entries. Asking the tree is
// a cgo call for every node, so what an edit left alone is taken from the
// version before.
type reader struct {
	source string
	kinds  []Kind
	fields map[string]Field
	cursor *sitter.TreeCursor
	reuse  *reuse
	deep   int // offset of the first entry that is nested too deep, or -1
}

func (d *Document) read(root *sitter.Node, reuse *reuse) {
	r := &reader{source: d.Text(), cursor: sitter.NewTreeCursor(root), reuse: reuse, deep: -1}
	defer r.cursor.Close()
	r.kinds, r.fields = symbols()
	d.sections = r.sections(nil, false)
	if r.deep >= 0 {
		line := d.lines.LineText(d.lines.Line(r.deep))
		d.problems = append(d.problems, Problem{TooDeep, line})
	}
}

// sections reads the children of the cursor's node as sections, those of a
// block inside a section among them, and appends them to out.
func (r *reader) sections(out []Section, indented bool) []Section {
	for n := range r.children() {
		if n.EndByte() > n.StartByte() {
			out = r.section(out, n, indented)
		}
	}
	return out
}

// children are those of the cursor's node. The cursor is on each in turn, and back on the
// node at the end.
func (r *reader) children() iter.Seq[*sitter.Node] {
	return func(yield func(*sitter.Node) bool) {
		if !r.cursor.GoToFirstChild() {
			return
		}
		defer r.cursor.GoToParent()
		for yield(r.cursor.CurrentNode()) && r.cursor.GoToNextSibling() {
		}
	}
}

func (r *reader) section(out []Section, n *sitter.Node, indented bool) []Section {
	s := Section{Indented: indented}
	switch kind := r.kind(n); kind {
	case SectionNode, ToolsSection:
		body := r.goToBody()
		if body == nil {
			s.Head = r.entry(n, Other, int(n.EndByte()))
			break
		}
		r.cursor.GoToParent()
		s.Head = r.entry(n, Other, int(body.StartByte()))
		r.goToBody()
		defer r.cursor.GoToParent()
		if r.holdsSections() {
			return r.sections(append(out, s), true)
		}
		if name := s.Name(); name == "FLOW" || name == "STEPS" {
			kind = Step
		}
		s.Entries = r.body(kind)
	case Step, Pair:
		return r.resumed(out, n)
	default:
		s.Head = r.entry(n, Other, int(n.EndByte()))
	}
	return append(out, s)
}

// resumed appends a step at column 0 that something else parts from its FLOW.
func (r *reader) resumed(out []Section, n *sitter.Node) []Section {
	step := r.entry(n, Step, int(n.EndByte()))
	if last := len(out) - 1; last >= 0 && out[last].Resumed {
		out[last].Entries = append(out[last].Entries, step)
		return out
	}
	head := &Entry{deep: -1, nodes: []node{{next: 1, above: -1, kind: SectionNode}}}
	return append(out, Section{Head: Placed{head, step.Offset}, Entries: []Placed{step}, Resumed: true})
}

// goToBody moves the cursor to what is read apart from the head of the section
// under it, which is the rest of its children: the block, and the steps of a FLOW
// at column 0 with the comments above them. It returns the first; nil, and the
// cursor stays, where there is none.
func (r *reader) goToBody() *sitter.Node {
	if !r.cursor.GoToFirstChild() {
		return nil
	}
	for end := -1; ; {
		n := r.cursor.CurrentNode()
		switch r.kind(n) {
		case Block, Step, Pair:
			return n
		case Comment:
			if end >= 0 && strings.ContainsAny(r.source[end:n.StartByte()], "\r\n") {
				return n
			}
		}
		end = int(n.EndByte())
		if !r.cursor.GoToNextSibling() {
			r.cursor.GoToParent()
			return nil
		}
	}
}

// body reads the node under the cursor and those after it: what is in a block,
// and what is beside one.
func (r *reader) body(in Kind) []Placed {
	var out []Placed
	for {
		n := r.cursor.CurrentNode()
		if r.kind(n) == Block {
			out = append(out, r.entries(in)...)
		} else if end := int(n.EndByte()); end > int(n.StartByte()) {
			out = append(out, r.entry(n, in, end))
		}
		if !r.cursor.GoToNextSibling() {
			return out
		}
	}
}

// holdsSections reports whether the block under the cursor holds sections.
func (r *reader) holdsSections() bool {
	for n := range r.children() {
		switch r.kind(n) {
		case SectionNode, ToolsSection:
			return true
		case Pair, Step, Tool, Import, Add, ListItem, Assignment, Mapping:
			return false
		}
	}
	return false
}

// entries reads the children of the block under the cursor, that of a section
// of the given kind: Step for a flow, where a line reads otherwise.
func (r *reader) entries(in Kind) []Placed {
	var out []Placed
	for n := range r.children() {
		if end := int(n.EndByte()); end > int(n.StartByte()) {
			out = append(out, r.entry(n, in, end))
		}
	}
	return out
}

// entry reads the node under the cursor up to end, or finds it in the version
// before.
func (r *reader) entry(n *sitter.Node, in Kind, end int) Placed {
	start := int(n.StartByte())
	want := Entry{
		text:   strings.TrimRight(r.source[start:end], " \t\r\n\f\v"),
		in:     in,
		column: r.column(start),
	}
	e := r.reuse.find(start, r.kind(n), want)
	if e == nil {
		if r.reuse != nil {
			// Share no memory with this version: an entry may outlive it by far.
			want.text = strings.Clone(want.text)
		}
		e = &Entry{text: want.text, in: in, column: want.column, deep: -1}
		r.nodes(e, n, NoField, start, nesting{above: -1, levels: 1})
	}
	if e.deep >= 0 && r.deep < 0 {
		r.deep = start + int(e.deep)
	}
	return Placed{e, start}
}

func (r *reader) column(offset int) int {
	return offset - 1 - strings.LastIndexAny(r.source[:offset], "\r\n")
}

// nesting is how deep a node stands in its entry: the index of the one above it,
// how many are, and levels of indentation, that of the section's block included.
type nesting struct{ above, nodes, levels int }

// maxNodes bounds the recursion over nodes, which brackets can drive deeper
// than indentation.
const maxNodes = 3 * MaxLevels

// nodes appends the cursor's node and all below it, as far as the entry goes.
func (r *reader) nodes(e *Entry, n *sitter.Node, field Field, base int, depth nesting) {
	kind := r.kind(n)
	start, end := int(n.StartByte())-base, int(n.EndByte())-base
	outside := start > len(e.text) || (depth.nodes > 0 && start == len(e.text) && end > start)
	if kind == Other || outside {
		return
	}
	end = min(end, len(e.text))
	index := len(e.nodes)
	e.nodes = append(e.nodes, node{start: int32(start), end: int32(max(start, end)), above: int32(depth.above), kind: kind, field: field})
	depth.above = index
	depth.nodes++
	if kind == Block || kind == ListItem {
		depth.levels++
	}
	if e.deep < 0 && (depth.nodes > maxNodes || depth.levels >= MaxLevels-1) {
		e.deep = int32(start)
	}
	if depth.nodes <= maxNodes {
		for child := range r.children() {
			r.nodes(e, child, r.fields[r.cursor.CurrentFieldName()], base, depth)
		}
	}
	e.nodes[index].next = int32(len(e.nodes))
}

func (r *reader) kind(n *sitter.Node) Kind {
	symbol := int(n.Symbol())
	if symbol >= len(r.kinds) {
		return Error
	}
	return r.kinds[symbol]
}

// reuse finds the entries of the version before an edit.
type reuse struct {
	old  []Placed // by offset
	at   int
	edit text.Edit
}

func newReuse(sections []Section, e text.Edit) *reuse {
	r := &reuse{edit: e}
	for _, s := range sections {
		r.old = append(append(r.old, s.Head), s.Entries...)
	}
	return r
}

// find returns the old entry that stood where start is now, if it reads the
// same. It is asked in the order of the text.
func (r *reuse) find(start int, kind Kind, want Entry) *Entry {
	if r == nil {
		return nil
	}
	before := start
	if start >= r.edit.Start+len(r.edit.NewText) {
		before -= r.edit.Delta()
	} else if start > r.edit.Start {
		return nil
	}
	for r.at < len(r.old) && r.old[r.at].Offset < before {
		r.at++
	}
	for i := r.at; i < len(r.old) && r.old[i].Offset == before; i++ {
		e := r.old[i].Entry
		if e.Kind() == kind && e.in == want.in && e.column == want.column && e.text == want.text {
			return e
		}
	}
	return nil
}
