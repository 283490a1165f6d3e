package syntax

import (
	"encoding/binary"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// PackedDocument is a Document without its text, in a fifth of the space; see [Unpack].
type PackedDocument []byte

// Pack packs the document. The tree is left out, so the first edit of the unpacked
// document parses all of the text.
func (d *Document) Pack() PackedDocument {
	p := packer{buf: make([]byte, 0, len(d.Text())/2)}
	entries, nodes := 0, 0
	for _, s := range d.Sections() {
		for e := range s.HeadAndEntries() {
			entries, nodes = entries+1, nodes+len(e.nodes)
		}
	}
	p.packNumbers(len(d.problems), len(d.sections), entries, nodes)
	for _, problem := range d.problems {
		p.packNumbers(int(problem.Kind), problem.Span.Start, problem.Span.End)
	}
	for i := range d.sections {
		p.packSection(&d.sections[i])
	}
	return append(PackedDocument(nil), p.buf...) // of its true size
}

// packer writes numbers. A number that grows through the text, such as an offset, is
// written as the difference from the last one.
type packer struct {
	buf    []byte
	offset int // of the last entry
}

func (p *packer) packNumbers(all ...int) {
	for _, n := range all {
		p.buf = binary.AppendVarint(p.buf, int64(n))
	}
}

func (p *packer) packSection(s *Section) {
	flags := 0
	if s.Indented {
		flags |= 1
	}
	if s.ContinuesFlow {
		flags |= 2
	}
	p.packNumbers(flags, len(s.Entries))
	for e := range s.HeadAndEntries() {
		p.packEntry(e)
	}
}

func (p *packer) packEntry(e PositionedEntry) {
	p.packNumbers(e.Offset-p.offset, len(e.text), int(e.parentKind), e.column, int(e.tooDeepAt), len(e.nodes))
	p.offset = e.Offset
	start, above := 0, 0
	for i, n := range e.nodes {
		p.buf = append(p.buf, byte(n.kind), byte(n.field))
		p.packNumbers(int(n.start)-start, int(n.end-n.start), int(n.next)-i, int(n.parent)-above)
		start, above = int(n.start), int(n.parent)
	}
}

// Unpack returns the document that was packed. source must be the text of that document.
func Unpack(source string, packed PackedDocument) *Document {
	u := unpacker{buf: packed, source: source}
	problems, sections := u.unpackNumber(), u.unpackNumber()
	u.entries, u.nodes = make([]Entry, u.unpackNumber()), make([]node, u.unpackNumber())
	d := &Document{lines: text.NewLines(source)}
	for range problems {
		d.problems = append(d.problems, Problem{ProblemKind(u.unpackNumber()), text.Span{Start: u.unpackNumber(), End: u.unpackNumber()}})
	}
	if sections > 0 {
		d.sections = make([]Section, sections)
	}
	for i := range d.sections {
		u.unpackSection(&d.sections[i])
	}
	return d
}

// unpacker reads what a packer wrote. entries and nodes are the unused rest of two slices
// that hold all entries and nodes of the document.
type unpacker struct {
	buf     []byte
	source  string
	offset  int
	entries []Entry
	nodes   []node
}

func (u *unpacker) unpackNumber() int {
	n, size := binary.Varint(u.buf)
	u.buf = u.buf[size:]
	return int(n)
}

func (u *unpacker) unpackSection(s *Section) {
	flags, entries := u.unpackNumber(), u.unpackNumber()
	s.Indented, s.ContinuesFlow = flags&1 != 0, flags&2 != 0
	s.Head = u.unpackEntry()
	if entries > 0 {
		s.Entries = make([]PositionedEntry, entries)
	}
	for i := range s.Entries {
		s.Entries[i] = u.unpackEntry()
	}
}

func (u *unpacker) unpackEntry() PositionedEntry {
	e := &u.entries[0]
	u.entries = u.entries[1:]
	u.offset += u.unpackNumber()
	e.text = u.source[u.offset:][:u.unpackNumber()]
	e.parentKind, e.column, e.tooDeepAt = Kind(u.unpackNumber()), u.unpackNumber(), int32(u.unpackNumber())
	count := u.unpackNumber()
	e.nodes, u.nodes = u.nodes[:count:count], u.nodes[count:]
	start, above := 0, 0
	for i := range e.nodes {
		n := &e.nodes[i]
		n.kind, n.field = Kind(u.buf[0]), Field(u.buf[1])
		u.buf = u.buf[2:]
		start += u.unpackNumber()
		n.start, n.end = int32(start), int32(start+u.unpackNumber())
		n.next = int32(i + u.unpackNumber())
		above += u.unpackNumber()
		n.parent = int32(above)
	}
	return PositionedEntry{e, u.offset}
}
