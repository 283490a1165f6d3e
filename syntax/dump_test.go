package syntax

import (
	"fmt"
	"strings"
)

// Dump prints the sections, entries and nodes of a document with their offsets, a
// line each, for tests and bug reports.
func Dump(d *Document) string {
	var b strings.Builder
	for _, p := range d.Problems() {
		fmt.Fprintf(&b, "problem %d %v\n", p.Kind, p.Span)
	}
	for _, s := range d.Sections() {
		fmt.Fprintf(&b, "%s indented=%v\n", s.Name(), s.Indented)
		dump(&b, s.Head, "  ")
		for _, e := range s.Entries {
			dump(&b, e, "    ")
		}
	}
	return b.String()
}

func dump(b *strings.Builder, p PositionedEntry, indent string) {
	var ends []int32 // the ends of the enclosing nodes
	for i, n := range p.nodes {
		for len(ends) > 0 && ends[len(ends)-1] <= int32(i) {
			ends = ends[:len(ends)-1]
		}
		fmt.Fprintf(b, "%s%s%d-%d %s field=%d\n", indent, strings.Repeat("  ", len(ends)),
			p.Offset+int(n.start), p.Offset+int(n.end), n.kind, n.field)
		ends = append(ends, n.next)
	}
}
