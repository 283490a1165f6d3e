package yaml

import (
	"slices"
	"sort"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Reparse is [ParseLines] for the next version of a text. before is the document of the
// previous version, or nil. The result reuses the unchanged members and items of the outer three
// maps and lists of each document in before: those that have not moved keep their nodes, others
// get copies, see [Node.Origin]. If before has anchors or aliases, all of the text is parsed again.
func Reparse(before *Document, lines *text.Lines) *Document {
	if before == nil || before.hasAnchors || len(before.faults) == maxFaults || len(lines.Text()) > MaxBytes {
		return ParseLines(lines)
	}
	b := &previousVersion{Document: before, moved: len(lines.Text()) - len(before.lines.Text())}
	b.unchangedUpTo, b.unchangedFrom = text.CommonPrefixAndSuffix(before.lines.Text(), lines.Text())
	return parse(lines, b)
}

// previousVersion is the previous version of the text. Both texts are equal up to
// unchangedUpTo, and equal again from unchangedFrom on, where everything has moved by the same
// number of bytes.
type previousVersion struct {
	*Document
	unchangedUpTo, unchangedFrom int // in the text as it is now
	moved                        int
}

// maxPartDepth is the depth of the innermost maps and lists of which the parts are kept for reuse.
const maxPartDepth = 3

// reusablePart is a document, or a member or an item in it that is not too deep, with the state of
// the reader after it. In a list of parts, the parts inside it follow it.
type reusablePart struct {
	Member               // without a key for a document or an item
	start, lineStart int // the offsets of the part and of its line
	depth            int
	readerEnd        int // the offset of the reader after it
	seen             int // the offset up to which the reader had looked
	faults           indexRange
	comments         indexRange
}

// indexRange is the indices from from up to, but not including, to.
type indexRange struct{ from, to int }

// readOrReuse returns the member at this position: from the previous version if that has it
// unchanged, else by calling read. It is not ok if there is no member here.
func (r *reader) readOrReuse(read func() (Member, bool)) (Member, bool) {
	if r.depth > maxPartDepth || !r.firstOnLine() {
		return read()
	}
	if i, by, ok := r.before.findPart(r); ok {
		return r.reusePart(i, by), true
	}
	at := len(r.parts)
	p := reusablePart{start: r.at, lineStart: r.lineStart, depth: r.depth}
	p.faults.from, p.comments.from = len(r.faults), len(r.comments)
	r.parts = append(r.parts, p)
	m, ok := read()
	if !ok {
		r.parts = r.parts[:at]
		return m, false
	}
	if m.Key != nil {
		r.setOrigins(m.Key)
	}
	r.setOrigins(m.Value)
	p.Member, p.readerEnd, p.seen = m, r.at, *r.seen
	p.faults.to, p.comments.to = len(r.faults), len(r.comments)
	r.parts[at] = p
	return m, true
}

// setOrigins gives an origin to each node in n that has none. The nodes of a later version get texts
// of their own, so that they do not keep the whole text of their version in memory.
func (r *reader) setOrigins(n *Node) {
	if n.origin != nil {
		return
	}
	if len(r.origins) == 0 {
		r.origins = make([]Origin, 64)
	}
	n.origin, r.origins = &r.origins[0], r.origins[1:]
	if r.before != nil {
		n.Text, n.Tag = strings.Clone(n.Text), strings.Clone(n.Tag)
	}
	for _, item := range n.Items {
		r.setOrigins(item)
	}
	for _, m := range n.Members {
		r.setOrigins(m.Key)
		r.setOrigins(m.Value)
	}
}

// findPart returns the index of the part that can be reused at the reader's position, and by
// how many bytes it has moved. It is ok only if all the text that was read for that part is
// unchanged.
func (b *previousVersion) findPart(r *reader) (i, by int, ok bool) {
	if b == nil {
		return 0, 0, false
	}
	moved := r.lineStart >= b.unchangedFrom
	if moved {
		by = b.moved
	}
	start := r.at - by
	i = sort.Search(len(b.parts), func(i int) bool {
		p := &b.parts[i]
		return p.start > start || p.start == start && p.depth >= r.depth
	})
	if i == len(b.parts) {
		return 0, 0, false
	}
	p := &b.parts[i]
	there := p.start == start && p.lineStart == r.lineStart-by && p.depth == r.depth
	return i, by, there && (moved || p.seen < b.unchangedUpTo)
}

// reusePart appends a part of the previous version, with its faults and comments, and moves
// the reader to its end.
func (r *reader) reusePart(i, by int) Member {
	p := r.before.parts[i]
	faults, comments := len(r.faults)-p.faults.from, len(r.comments)-p.comments.from
	if by != 0 {
		p.Member = p.Member.shift(by)
	}
	r.parts = append(r.parts, p.shift(by, faults, comments))
	var around [maxPartDepth + 1]*Node
	around[p.depth] = p.Value
	for _, inner := range r.before.parts[i+1:] {
		if inner.start >= p.readerEnd {
			break
		}
		if by != 0 {
			inner.Member = around[inner.depth-1].partAt(&inner, by)
		}
		if around[inner.depth] = inner.Value; inner.Value != nil {
			r.parts = append(r.parts, inner.shift(by, faults, comments))
		}
	}
	for _, f := range r.before.faults[p.faults.from:p.faults.to] {
		r.lastFault = -1
		r.addFault(f.Span.Shift(by), f.Message)
	}
	for _, c := range r.before.comments[p.comments.from:p.comments.to] {
		r.comments = append(r.comments, c.Shift(by))
	}
	r.moveToLine(r.lines.Line(p.readerEnd + by))
	r.at = p.readerEnd + by
	*r.seen = max(*r.seen, p.seen+by)
	return p.Member
}

// partAt returns the member or the item of a node for a part that has moved by that many bytes; the
// zero Member if there is none, or if it was merged.
func (n *Node) partAt(p *reusablePart, by int) Member {
	switch {
	case n == nil: // in an explicit member
		return Member{}
	case p.Key == nil:
		return n.itemAt(p.Value.Span.Start + by)
	}
	return n.memberAt(p.Key.Span.Start + by)
}

// itemAt returns the item of a list that begins at an offset; the zero Member if there is none.
func (n *Node) itemAt(start int) Member {
	i := sort.Search(len(n.Items), func(i int) bool { return n.Items[i].Span.Start >= start })
	if i == len(n.Items) || n.Items[i].Span.Start != start {
		return Member{}
	}
	return Member{Value: n.Items[i], Colon: -1}
}

// memberAt returns the member of a map whose key begins at an offset; the zero Member if
// there is none, or if it was merged.
func (n *Node) memberAt(start int) Member {
	own := n.OwnMembers()
	i := sort.Search(len(own), func(i int) bool { return own[i].Key.Span.Start >= start })
	if i == len(own) || own[i].Key.Span.Start != start {
		return Member{}
	}
	return own[i]
}

// shift returns the part for another document: its offsets moved by that many bytes, its
// indices by those numbers.
func (p reusablePart) shift(by, faults, comments int) reusablePart {
	p.start, p.lineStart, p.readerEnd, p.seen = p.start+by, p.lineStart+by, p.readerEnd+by, p.seen+by
	p.faults = indexRange{p.faults.from + faults, p.faults.to + faults}
	p.comments = indexRange{p.comments.from + comments, p.comments.to + comments}
	return p
}

// shift returns a copy of the member, moved by that many bytes.
func (m Member) shift(by int) Member {
	n := m.Value.weight
	if m.Key != nil {
		n += m.Key.weight
	}
	nodes := make([]Node, 0, n)
	return m.copyShifted(&nodes, by)
}

func (m Member) copyShifted(nodes *[]Node, by int) Member {
	if m.Key != nil {
		m.Key = m.Key.copyShifted(nodes, by)
	}
	m.Value = m.Value.copyShifted(nodes, by)
	if m.Colon >= 0 {
		m.Colon += by
	}
	return m
}

// copyShifted returns a copy of the node, moved by that many bytes. The copy is allocated in
// nodes.
func (n *Node) copyShifted(nodes *[]Node, by int) *Node {
	*nodes = append(*nodes, *n)
	to := &(*nodes)[len(*nodes)-1]
	to.Span = n.Span.Shift(by)
	to.Items, to.Members = slices.Clone(n.Items), slices.Clone(n.Members)
	for i, item := range to.Items {
		to.Items[i] = item.copyShifted(nodes, by)
	}
	for i, m := range to.Members {
		to.Members[i] = m.copyShifted(nodes, by)
	}
	return to
}
