package syntax

import (
	"encoding/binary"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Packed is all of a Document but its text, in a fifth of the space; see [Unpack].
type Packed []byte

// Pack packs the document, which was read and not edited since: there is no tree in it.
func (d *Document) Pack() Packed {
	p := packer{buf: make([]byte, 0, len(d.Text())/2)}
	entries, nodes := 0, 0
	for _, s := range d.sections {
		for e := range s.All() {
			entries, nodes = entries+1, nodes+len(e.nodes)
		}
	}
	p.numbers(len(d.problems), len(d.sections), entries, nodes)
	for _, problem := range d.problems {
		p.numbers(int(problem.Kind), problem.Span.Start, problem.Span.End)
	}
	for i := range d.sections {
		p.section(&d.sections[i])
	}
	return append(Packed(nil), p.buf...) // of its true size
}

// packer writes numbers. Those that grow through the text are written as the difference to
// the last one.
type packer struct {
	buf    []byte
	offset int // of the last entry
}

func (p *packer) numbers(all ...int) {
	for _, n := range all {
		p.buf = binary.AppendVarint(p.buf, int64(n))
	}
}

func (p *packer) section(s *Section) {
	flags := 0
	if s.Indented {
		flags |= 1
	}
	if s.Resumed {
		flags |= 2
	}
	p.numbers(flags, len(s.Entries))
	for e := range s.All() {
		p.entry(e)
	}
}

func (p *packer) entry(e Placed) {
	p.numbers(e.Offset-p.offset, len(e.text), int(e.in), e.column, int(e.deep), len(e.nodes))
	p.offset = e.Offset
	start, above := 0, 0
	for i, n := range e.nodes {
		p.buf = append(p.buf, byte(n.kind), byte(n.field))
		p.numbers(int(n.start)-start, int(n.end-n.start), int(n.next)-i, int(n.above)-above)
		start, above = int(n.start), int(n.above)
	}
}

// Unpack is the document that was packed; source is its text.
func Unpack(source string, packed Packed) *Document {
	u := unpacker{buf: packed, source: source}
	problems, sections := u.number(), u.number()
	u.entries, u.nodes = make([]Entry, u.number()), make([]node, u.number())
	d := &Document{lines: text.NewLines(source)}
	for range problems {
		d.problems = append(d.problems, Problem{ProblemKind(u.number()), text.Span{Start: u.number(), End: u.number()}})
	}
	if sections > 0 {
		d.sections = make([]Section, sections)
	}
	for i := range d.sections {
		u.section(&d.sections[i])
	}
	return d
}

// unpacker reads what a packer wrote. The entries and the nodes that were not read yet have
// room in two slices.
type unpacker struct {
	buf     []byte
	source  string
	offset  int
	entries []Entry
	nodes   []node
}

func (u *unpacker) number() int {
	n, size := binary.Varint(u.buf)
	u.buf = u.buf[size:]
	return int(n)
}

func (u *unpacker) section(s *Section) {
	flags, entries := u.number(), u.number()
	s.Indented, s.Resumed = flags&1 != 0, flags&2 != 0
	s.Head = u.entry()
	if entries > 0 {
		s.Entries = make([]Placed, entries)
	}
	for i := range s.Entries {
		s.Entries[i] = u.entry()
	}
}

func (u *unpacker) entry() Placed {
	e := &u.entries[0]
	u.entries = u.entries[1:]
	u.offset += u.number()
	e.text = u.source[u.offset:][:u.number()]
	e.in, e.column, e.deep = Kind(u.number()), u.number(), int32(u.number())
	count := u.number()
	e.nodes, u.nodes = u.nodes[:count:count], u.nodes[count:]
	start, above := 0, 0
	for i := range e.nodes {
		n := &e.nodes[i]
		n.kind, n.field = Kind(u.buf[0]), Field(u.buf[1])
		u.buf = u.buf[2:]
		start += u.number()
		n.start, n.end = int32(start), int32(start+u.number())
		n.next = int32(i + u.number())
		above += u.number()
		n.above = int32(above)
	}
	return Placed{e, u.offset}
}
