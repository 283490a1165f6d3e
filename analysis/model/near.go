package model

import (
	"iter"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// NearName is the first part of a path in a placeholder that is one slip of the pen
// away from a namespace.
type NearName struct {
	Span text.Span
	Name string
	Near string // the namespace
}

// NearNamespaces are those of the whole file, in order, wherever a placeholder
// stands.
func NearNamespaces(f *File) iter.Seq[NearName] {
	return func(yield func(NearName) bool) {
		for _, s := range f.Doc.Sections() {
			for e := range EntriesOf(s) {
				known, _ := SummaryOf(f, e.Entry)
				if known.near == nil { // a comment
					continue
				}
				for _, n := range known.near() {
					n.Span = n.Span.Shift(e.Offset)
					if !yield(n) {
						return
					}
				}
			}
		}
	}
}

// nearOf are those of an entry; spans are relative to it.
func nearOf(e *syntax.Entry) []NearName {
	source := e.Text()
	if !strings.Contains(source, "{{") {
		return nil
	}
	var out []NearName
	for _, p := range Placeholders(source, false) {
		for _, name := range Names(source, p.Inner) {
			at := name.Head()
			head := source[at.Start:at.End]
			if len(name.Parts) == 1 || !p.Closed || slices.Contains(Namespaces(), head) {
				continue
			}
			if near := Nearest(head, Namespaces()); near != "" {
				out = append(out, NearName{at, head, near})
			}
		}
	}
	return out
}
