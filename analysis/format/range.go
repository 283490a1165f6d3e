package format

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// FormatRanges returns those edits of [Format] that are in the lines of the spans. If these alone
// would move lines into other blocks, indentation stays as it is; if the meaning would still
// change, there are no edits. Formatting the whole document afterwards has the same result as
// without. It fails as Format does.
func FormatRanges(doc *syntax.Document, found []model.Diagnostic, spans ...text.Span) ([]text.Edit, error) {
	all, formatted, err := format(doc, found)
	if err != nil {
		return nil, err
	}
	lines := doc.Lines()
	within := func(e text.Edit) bool {
		return slices.ContainsFunc(spans, func(s text.Span) bool { return inLines(lines, s, e.Span) })
	}
	edits := slices.DeleteFunc(slices.Clone(all), func(e text.Edit) bool { return !within(e) })
	if len(edits) == len(all) || keepsMeaning(doc, formatted, edits) {
		return edits, nil
	}
	edits = slices.DeleteFunc(edits, func(e text.Edit) bool { return indents(lines, e) })
	if keepsMeaning(doc, formatted, edits) {
		return edits, nil
	}
	return nil, nil
}

// inLines reports whether a part of the text is within the lines of a span. A span that ends at the
// beginning of a line does not include that line.
func inLines(lines *text.Lines, s, part text.Span) bool {
	last := lines.Line(max(s.Start, s.End-1))
	return lines.LineStart(lines.Line(s.Start)) <= part.Start &&
		part.Start <= lines.LineText(last).End && part.End <= lines.LineStart(last+1)
}

// indents reports whether an edit changes the white space that a line begins with.
func indents(lines *text.Lines, e text.Edit) bool {
	start := lines.LineStart(lines.Line(e.Start))
	if strings.Trim(lines.Text()[start:e.Start], " \t") != "" {
		return false
	}
	blank := func(s string) bool { return s == "" || strings.ContainsAny(s[:1], " \t\r\n") }
	return blank(lines.Text()[e.Start:e.End]) || blank(e.NewText)
}

// keepsMeaning reports whether a document has the same meaning after edits, and the same formatted
// text.
func keepsMeaning(doc, formatted *syntax.Document, edits []text.Edit) bool {
	if len(edits) == 0 {
		return true
	}
	one, err := mergeEdits(doc.Text(), edits)
	if err != nil {
		return false
	}
	after := doc.Apply(one)
	if _, same := sameMeaning(doc, after); !same {
		return false
	}
	_, settled, err := formatUntilStable(after)
	return err == nil && settled.Text() == formatted.Text()
}

// mergeEdits returns one edit of source that does what edits do; there must be at least one. It
// fails if they overlap.
func mergeEdits(source string, edits []text.Edit) (text.Edit, error) {
	made, err := text.Apply(source, edits...)
	one := edits[0]
	for _, e := range edits {
		one.Start, one.End = min(one.Start, e.Start), max(one.End, e.End)
	}
	if err == nil {
		one.NewText = made[one.Start : len(made)-len(source)+one.End]
	}
	return one, err
}
