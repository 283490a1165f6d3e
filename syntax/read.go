package syntax

import (
	"runtime"
	"slices"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"

	tree_sitter_abl "github.com/abl-lsp/abl-lsp/syntax/grammar/bindings/go"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

type (
	sitterSymbol = sitter.Symbol
	treeNode     = tree_sitter_abl.Child
)

// reader turns a tree-sitter tree into sections and entries. What an edit left alone is
// taken from the version before, so that only changed entries are asked of the tree.
type reader struct {
	source string
	kinds  []Kind
	fields []Field
	reuse  *reuse
	deep   int // offset of the first entry that is nested too deep, or -1

	flat []tree_sitter_abl.Node // of the entry that is read, as tree-sitter has it
	kept []node                 // what is kept of it
}

func (d *Document) read(tree *sitter.Tree, reuse *reuse) {
	r := &reader{source: d.Text(), reuse: reuse, deep: -1}
	r.kinds, r.fields = symbols()
	root := tree_sitter_abl.Root(tree)
	d.sections = r.sections(nil, root.Children(), false)
	runtime.KeepAlive(tree) // which the children are read from
	if r.deep >= 0 {
		line := d.lines.LineText(d.lines.Line(r.deep))
		d.problems = append(d.problems, Problem{TooDeep, line})
	}
}

// sections reads nodes as sections, those of a block inside a section among them, and
// appends them to out.
func (r *reader) sections(out []Section, nodes []treeNode, indented bool) []Section {
	for i := range nodes {
		if n := &nodes[i]; n.End() > n.Start() {
			out = r.section(out, n, indented)
		}
	}
	return out
}

func (r *reader) section(out []Section, n *treeNode, indented bool) []Section {
	s := Section{Indented: indented}
	switch kind := r.kind(n); kind {
	case SectionNode, ToolsSection:
		body := r.body(n.Children())
		if len(body) == 0 {
			s.Head = r.entry(n, Other, n.End())
			break
		}
		s.Head = r.entry(n, Other, body[0].Start())
		first := body[0].Children()
		if r.holdSections(first) {
			return r.sections(append(out, s), first, true)
		}
		if name := s.Name(); name == "FLOW" || name == "STEPS" {
			kind = Step
		}
		for i := range body {
			if b := &body[i]; r.kind(b) != Block {
				s.Entries = r.entries(s.Entries, body[i:i+1], kind)
			} else if i == 0 {
				s.Entries = r.entries(s.Entries, first, kind)
			} else {
				s.Entries = r.entries(s.Entries, b.Children(), kind)
			}
		}
	case Step, Pair:
		return r.resumed(out, n)
	default:
		s.Head = r.entry(n, Other, n.End())
	}
	return append(out, s)
}

// resumed appends a step at column 0 that something else parts from its FLOW.
func (r *reader) resumed(out []Section, n *treeNode) []Section {
	step := r.entry(n, Step, n.End())
	if last := len(out) - 1; last >= 0 && out[last].Resumed {
		out[last].Entries = append(out[last].Entries, step)
		return out
	}
	head := &Entry{deep: -1, nodes: []node{{next: 1, above: -1, kind: SectionNode}}}
	return append(out, Section{Head: Placed{head, step.Offset}, Entries: []Placed{step}, Resumed: true})
}

// body is what is read apart from the head of a section, which is the rest of its children:
// the block, and the steps of a FLOW at column 0 with the comments above them.
func (r *reader) body(children []treeNode) []treeNode {
	end := -1
	for i := range children {
		n := &children[i]
		switch r.kind(n) {
		case Block, Step, Pair:
			return children[i:]
		case Comment:
			if end >= 0 && strings.ContainsAny(r.source[end:n.Start()], "\r\n") {
				return children[i:]
			}
		}
		end = n.End()
	}
	return nil
}

// holdSections reports whether nodes are sections.
func (r *reader) holdSections(nodes []treeNode) bool {
	for i := range nodes {
		switch r.kind(&nodes[i]) {
		case SectionNode, ToolsSection:
			return true
		case Pair, Step, Tool, Import, Add, ListItem, Assignment, Mapping:
			return false
		}
	}
	return false
}

// entries reads nodes of a section of the given kind: Step for a flow, where a line reads
// otherwise.
func (r *reader) entries(out []Placed, nodes []treeNode, in Kind) []Placed {
	out = slices.Grow(out, len(nodes))
	for i := range nodes {
		if n := &nodes[i]; n.End() > n.Start() {
			out = append(out, r.entry(n, in, n.End()))
		}
	}
	return out
}

// entry reads a node up to end, or finds it in the version before.
func (r *reader) entry(n *treeNode, in Kind, end int) Placed {
	start := n.Start()
	want := entryKey{
		text:   strings.TrimRight(r.source[start:end], " \t\r\n\f\v"),
		kind:   r.kind(n),
		in:     in,
		column: r.column(start),
	}
	e := r.reuse.find(start, want)
	if e == nil {
		if r.reuse != nil {
			// Share no memory with this version: an entry may outlive it by far.
			want.text = strings.Clone(want.text)
		}
		e = &Entry{text: want.text, in: in, column: want.column, deep: -1}
		r.flat = n.Nodes(start+len(e.text), r.flat[:cap(r.flat)])
		r.kept = r.kept[:0]
		r.nodes(e, 0, start, nesting{above: -1, levels: 1})
		e.nodes = slices.Clone(r.kept)
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

// nodes keeps the node at an index and all below it, as far as the entry goes.
func (r *reader) nodes(e *Entry, at uint32, base int, depth nesting) {
	n := &r.flat[at]
	kind := r.kindOf(int(n.Symbol))
	start, end := int(n.Start)-base, int(n.End)-base
	outside := start > len(e.text) || (depth.nodes > 0 && start == len(e.text) && end > start)
	if kind == Other || outside {
		return
	}
	end = min(end, len(e.text))
	index := len(r.kept)
	r.kept = append(r.kept, node{start: int32(start), end: int32(max(start, end)), above: int32(depth.above), kind: kind, field: r.fields[n.Field]})
	depth.above = index
	depth.nodes++
	if kind == Block || kind == ListItem {
		depth.levels++
	}
	if e.deep < 0 && (depth.nodes > maxNodes || depth.levels >= MaxLevels-1) {
		e.deep = int32(start)
	}
	if depth.nodes <= maxNodes {
		for child := at + 1; child < n.Next; child = r.flat[child].Next {
			r.nodes(e, child, base, depth)
		}
	}
	r.kept[index].next = int32(len(r.kept))
}

func (r *reader) kind(n *treeNode) Kind { return r.kindOf(n.Symbol()) }

func (r *reader) kindOf(symbol int) Kind {
	if symbol >= len(r.kinds) {
		return Error
	}
	return r.kinds[symbol]
}

// entryKey is what two entries have in common that read the same.
type entryKey struct {
	text     string
	kind, in Kind
	column   int
}

// reuse finds the entries of the version before an edit.
type reuse struct {
	sections []Section
	section  int // of the next entry
	entry    int // in that section; -1 for its head
	edit     text.Edit
}

func newReuse(sections []Section, e text.Edit) *reuse {
	return &reuse{sections: sections, entry: -1, edit: e}
}

// next is the next old entry, if there is one.
func (r *reuse) next() (e Placed, ok bool) {
	for ; r.section < len(r.sections); r.section, r.entry = r.section+1, -1 {
		switch s := &r.sections[r.section]; {
		case r.entry < 0:
			return s.Head, true
		case r.entry < len(s.Entries):
			return s.Entries[r.entry], true
		}
	}
	return Placed{}, false
}

// find returns the old entry that was where start is now, if it reads the
// same. It is asked in the order of the text.
func (r *reuse) find(start int, want entryKey) *Entry {
	if r == nil {
		return nil
	}
	before := start
	if start >= r.edit.Start+len(r.edit.NewText) {
		before -= r.edit.Delta()
	} else if start > r.edit.Start {
		return nil
	}
	for e, ok := r.next(); ok && e.Offset <= before; e, ok = r.next() {
		if e.Offset == before && e.reads(want) {
			return e.Entry
		}
		r.entry++
	}
	return nil
}

func (e *Entry) reads(want entryKey) bool {
	return e.Kind() == want.kind && e.in == want.in && e.column == want.column && e.text == want.text
}
