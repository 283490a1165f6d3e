package analysis

import (
	"cmp"
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Linked are the places in the file at path that are edited together with the
// word at an offset: a parameter's name in its signature and wherever its tool
// uses it, in the order of the text. There are none where the offset is on
// something else, or where two parameters have the name.
func Linked(w Workspace, path string, offset int) []text.Span {
	c, ok := w.cursor(path, offset)
	if !ok {
		return nil
	}
	t, ok := c.file.toolAround(c.offset)
	if !ok {
		return nil
	}
	word := wordAt(c.file.Doc.Text(), c.offset)
	spans := linkedSpans(w, c, t, c.file.Doc.Text()[word.Start:word.End])
	if !slices.ContainsFunc(spans, func(s text.Span) bool { return s.Touches(c.offset) }) {
		return nil
	}
	return spans
}

// linkedSpans are the places of a parameter's name in its tool; nil where there is
// none, or it is declared twice.
func linkedSpans(w Workspace, c cursor, t PlacedTool, name string) []text.Span {
	var spans []text.Span
	declared := 0
	within := t.Span()
	r := resolver{w: w, f: c.file, want: &subject{ParameterSubject, c.file.Path, t.owner(), name}}
	for _, u := range r.entryUses(c.entry) {
		if u.span.Start < within.Start || within.End < u.span.End {
			continue
		}
		spans = append(spans, u.span)
		if u.access == Declares {
			declared++
		}
	}
	if name == "" || declared != 1 {
		return nil
	}
	slices.SortFunc(spans, func(a, b text.Span) int { return cmp.Compare(a.Start, b.Start) })
	return slices.Compact(spans)
}
