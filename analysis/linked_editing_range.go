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
func (w Workspace) Linked(path string, offset int) []text.Span {
	c, ok := w.cursor(path, offset)
	if !ok {
		return nil
	}
	t, ok := c.file.toolAround(c.offset)
	if !ok {
		return nil
	}
	for i := range t.Params {
		name := t.Params[i].Name
		spans := c.file.linked(c, t, name)
		if name != "" && slices.ContainsFunc(spans, func(s text.Span) bool { return s.Touches(c.offset) }) {
			return spans
		}
	}
	return nil
}

// linked are the places of a parameter's name in its tool; nil where it is
// declared twice.
func (f *File) linked(c cursor, t PlacedTool, name string) []text.Span {
	var spans []text.Span
	for i := range t.Params {
		if t.Params[i].Name == name {
			spans = append(spans, t.At(t.Params[i].NameNode()).Span())
		}
	}
	if len(spans) != 1 {
		return nil
	}
	within := t.Span()
	for _, m := range f.Mentions(c.entry) {
		if m.Kind == OfParam && m.Name == name && within.Start <= m.Span.Start && m.Span.End <= within.End {
			spans = append(spans, m.Span)
		}
	}
	slices.SortFunc(spans, func(a, b text.Span) int { return cmp.Compare(a.Start, b.Start) })
	return slices.Compact(spans)
}
