package syntax

import (
	"fmt"
	"strings"
)

// Dump prints a document's sections, entries and nodes, a line each with its
// offsets, for tests and bug reports.
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

func dump(b *strings.Builder, p Placed, indent string) {
	for i, n := range p.nodes {
		depth := 0
		for at := (Node{p.Entry, int32(i)}); !at.Parent().IsZero(); at = at.Parent() {
			depth++
		}
		fmt.Fprintf(b, "%s%s%d-%d %s field=%d\n", indent, strings.Repeat("  ", depth),
			p.Offset+int(n.start), p.Offset+int(n.end), n.kind, n.field)
	}
}
