package analysis

import (
	"cmp"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// LinkedEditingRanges returns the places in the file at path that are edited together with the word
// at an offset: a parameter's name in its signature and wherever its tool uses it, in the order of
// the text. There are none if the offset is on something else, or if two parameters have the name.
func LinkedEditingRanges(w model.Workspace, path string, offset int) []text.Span {
	c, ok := w.Cursor(path, offset)
	if !ok {
		return nil
	}
	t, ok := c.File.ToolAround(c.Offset)
	if !ok {
		return nil
	}
	word := model.WordAt(c.File.Doc.Text(), c.Offset)
	spans := linkedSpans(w, c, t, c.File.Doc.Text()[word.Start:word.End])
	if !slices.ContainsFunc(spans, func(s text.Span) bool { return s.Touches(c.Offset) }) {
		return nil
	}
	return writtenOnce(w, spans, func(s text.Span) namePlace { return namePlace{path, s} })
}

// linkedSpans returns the places of a parameter's name in its tool; nil if there is none, or it is
// declared twice.
func linkedSpans(w model.Workspace, c model.Cursor, t model.PositionedTool, name string) []text.Span {
	var spans []text.Span
	declared := 0
	within := t.Span()
	r := model.Resolver{Workspace: w, File: c.File, Wanted: &model.Symbol{Kind: model.ParameterSymbol, Path: c.File.Path, Owner: t.Owner(), Name: name}}
	for _, u := range r.EntryOccurrences(c.Entry) {
		if u.Span.Start < within.Start || within.End < u.Span.End {
			continue
		}
		spans = append(spans, u.Span)
		if u.Access == model.Declares {
			declared++
		}
	}
	if name == "" || declared != 1 {
		return nil
	}
	slices.SortFunc(spans, func(a, b text.Span) int { return cmp.Compare(a.Start, b.Start) })
	return slices.Compact(spans)
}
