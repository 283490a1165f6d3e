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

// reader turns a tree-sitter tree into sections and entries. It takes entries that an edit
// left unchanged from the previous version and reads only the others from the tree.
type reader struct {
	source    string
	kinds     []Kind
	fields    []Field
	reuse     *entryReuse
	tooDeepAt int // offset of the first entry that is nested too deep, or -1

	treeNodes  []tree_sitter_abl.Node // tree-sitter's nodes of the current entry
	nodeBuffer []node                 // the nodes that are kept of these
}

func (d *Document) read(tree *sitter.Tree, reuse *entryReuse) {
	r := &reader{source: d.Text(), reuse: reuse, tooDeepAt: -1}
	r.kinds, r.fields = symbolTables()
	root := tree_sitter_abl.Root(tree)
	d.sections = r.readSections(nil, root.Children(), false)
	runtime.KeepAlive(tree) // which the children are read from
	if r.tooDeepAt >= 0 {
		line := d.lines.LineText(d.lines.Line(r.tooDeepAt))
		d.problems = append(d.problems, Problem{TooDeep, line})
	}
}

// readSections reads nodes as sections and appends them to out. A block inside a section may
// hold further sections; these follow the one around them.
func (r *reader) readSections(out []Section, nodes []treeNode, indented bool) []Section {
	for i := range nodes {
		if n := &nodes[i]; n.End() > n.Start() {
			out = r.readSection(out, n, indented)
		}
	}
	return out
}

func (r *reader) readSection(out []Section, n *treeNode, indented bool) []Section {
	s := Section{Indented: indented}
	switch kind := r.kind(n); kind {
	case SectionNode, ToolsSection:
		body := r.bodyOf(n.Children())
		if len(body) == 0 {
			s.Head = r.readEntry(n, Other, n.End())
			break
		}
		s.Head = r.readEntry(n, Other, body[0].Start())
		first := body[0].Children()
		if r.areSections(first) {
			return r.readSections(append(out, s), first, true)
		}
		if name := s.Name(); name == "FLOW" || name == "STEPS" {
			kind = Step
		}
		for i := range body {
			if b := &body[i]; r.kind(b) != Block {
				s.Entries = r.readEntries(s.Entries, body[i:i+1], kind)
			} else if i == 0 {
				s.Entries = r.readEntries(s.Entries, first, kind)
			} else {
				s.Entries = r.readEntries(s.Entries, b.Children(), kind)
			}
		}
	case Step, Pair:
		return r.readContinuedStep(out, n)
	default:
		s.Head = r.readEntry(n, Other, n.End())
	}
	return append(out, s)
}

// readContinuedStep appends a step at column 0 that something else separates from its FLOW.
func (r *reader) readContinuedStep(out []Section, n *treeNode) []Section {
	step := r.readEntry(n, Step, n.End())
	if last := len(out) - 1; last >= 0 && out[last].ContinuesFlow {
		out[last].Entries = append(out[last].Entries, step)
		return out
	}
	head := &Entry{tooDeepAt: -1, nodes: []node{{next: 1, parent: -1, kind: SectionNode}}}
	return append(out, Section{Head: PositionedEntry{head, step.Offset}, Entries: []PositionedEntry{step}, ContinuesFlow: true})
}

// bodyOf returns the children of a section that are not part of its head: the block, and the
// steps of a FLOW at column 0 with the comments above them.
func (r *reader) bodyOf(children []treeNode) []treeNode {
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

// areSections reports whether nodes are sections.
func (r *reader) areSections(nodes []treeNode) bool {
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

// readEntries appends the entries that nodes are to out. in is the kind of the section that they
// are in: Step for a flow, where lines follow rules of their own.
func (r *reader) readEntries(out []PositionedEntry, nodes []treeNode, in Kind) []PositionedEntry {
	out = slices.Grow(out, len(nodes))
	for i := range nodes {
		if n := &nodes[i]; n.End() > n.Start() {
			out = append(out, r.readEntry(n, in, n.End()))
		}
	}
	return out
}

// readEntry reads a node up to end, or finds its entry in the previous version.
func (r *reader) readEntry(n *treeNode, in Kind, end int) PositionedEntry {
	start := n.Start()
	want := entryKey{
		text:       strings.TrimRight(r.source[start:end], " \t\r\n\f\v"),
		kind:       r.kind(n),
		parentKind: in,
		column:     r.column(start),
	}
	e := r.reuse.findEntry(start, want)
	if e == nil {
		if r.reuse != nil {
			// Share no memory with this version: an entry may live much longer.
			want.text = strings.Clone(want.text)
		}
		e = &Entry{text: want.text, parentKind: in, column: want.column, tooDeepAt: -1}
		r.treeNodes = n.Nodes(start+len(e.text), r.treeNodes[:cap(r.treeNodes)])
		r.nodeBuffer = r.nodeBuffer[:0]
		r.appendNodes(e, 0, start, nesting{parent: -1, levels: 1})
		e.nodes = slices.Clone(r.nodeBuffer)
	}
	if e.tooDeepAt >= 0 && r.tooDeepAt < 0 {
		r.tooDeepAt = start + int(e.tooDeepAt)
	}
	return PositionedEntry{e, start}
}

func (r *reader) column(offset int) int {
	return offset - 1 - strings.LastIndexAny(r.source[:offset], "\r\n")
}

// nesting is the depth of a node in its entry: the index of its parent, the number
// of its ancestors, and the levels of indentation, with that of the section's block.
type nesting struct{ parent, nodes, levels int }

// maxNodes bounds the recursion over nodes: brackets nest deeper than indentation.
const maxNodes = 3 * MaxLevels

// appendNodes appends the node at an index and all nodes below it, up to the entry's end.
func (r *reader) appendNodes(e *Entry, at uint32, base int, depth nesting) {
	n := &r.treeNodes[at]
	kind := r.kindOf(int(n.Symbol))
	start, end := int(n.Start)-base, int(n.End)-base
	outside := start > len(e.text) || (depth.nodes > 0 && start == len(e.text) && end > start)
	if kind == Other || outside {
		return
	}
	end = min(end, len(e.text))
	index := len(r.nodeBuffer)
	r.nodeBuffer = append(r.nodeBuffer, node{start: int32(start), end: int32(max(start, end)), parent: int32(depth.parent), kind: kind, field: r.fields[n.Field]})
	depth.parent = index
	depth.nodes++
	if kind == Block || kind == ListItem {
		depth.levels++
	}
	if e.tooDeepAt < 0 && (depth.nodes > maxNodes || depth.levels >= MaxLevels-1) {
		e.tooDeepAt = int32(start)
	}
	if depth.nodes <= maxNodes {
		for child := at + 1; child < n.Next; child = r.treeNodes[child].Next {
			r.appendNodes(e, child, base, depth)
		}
	}
	r.nodeBuffer[index].next = int32(len(r.nodeBuffer))
}

func (r *reader) kind(n *treeNode) Kind { return r.kindOf(n.Symbol()) }

func (r *reader) kindOf(symbol int) Kind {
	if symbol >= len(r.kinds) {
		return Error
	}
	return r.kinds[symbol]
}

// entryKey is the same for two entries that read the same.
type entryKey struct {
	text             string
	kind, parentKind Kind
	column           int
}

// entryReuse finds entries in the version before an edit. A nil *entryReuse finds none.
type entryReuse struct {
	sections []Section
	section  int // of the next entry
	entry    int // in that section; -1 for its head
	edit     text.Edit
}

func newReuse(sections []Section, e text.Edit) *entryReuse {
	return &entryReuse{sections: sections, entry: -1, edit: e}
}

// nextEntry returns the next entry of the previous version, if there is one.
func (r *entryReuse) nextEntry() (e PositionedEntry, ok bool) {
	for ; r.section < len(r.sections); r.section, r.entry = r.section+1, -1 {
		switch s := &r.sections[r.section]; {
		case r.entry < 0:
			return s.Head, true
		case r.entry < len(s.Entries):
			return s.Entries[r.entry], true
		}
	}
	return PositionedEntry{}, false
}

// findEntry returns the entry of the previous version that is now at start, if it matches want;
// else nil. Calls must be in the order of the text.
func (r *entryReuse) findEntry(start int, want entryKey) *Entry {
	if r == nil {
		return nil
	}
	before := start
	if start >= r.edit.Start+len(r.edit.NewText) {
		before -= r.edit.Delta()
	} else if start > r.edit.Start {
		return nil
	}
	for e, ok := r.nextEntry(); ok && e.Offset <= before; e, ok = r.nextEntry() {
		if e.Offset == before && e.matches(want) {
			return e.Entry
		}
		r.entry++
	}
	return nil
}

func (e *Entry) matches(want entryKey) bool {
	return e.Kind() == want.kind && e.parentKind == want.parentKind && e.column == want.column && e.text == want.text
}
