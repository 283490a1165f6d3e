package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// dashLost reports c, the first line of a list's item, which lacks its dash. The lines after c that
// are keys belong to the same item, unless field has them at another place. field may be nil; then
// no line after c belongs to the item.
func dashLost(out *findings, c syntax.Node, field *tool.Field) {
	siblings := slices.Collect(c.Parent().Children())
	lines := siblings[slices.Index(siblings, c):]
	item := text.Span{Start: c.Span().Start, End: lines[linesOfItem(field, lines)-1].Span().End}
	items := -1
	if i := slices.IndexFunc(siblings, func(n syntax.Node) bool { return n.Kind() == syntax.ListItem }); i >= 0 {
		items = columnAt(c.Entry().Text(), siblings[i].Span().Start)
	}
	reportDash(out, firstWords(c), firstLine(c), insertedDash(c.Entry().Text(), item, items))
}

// dashLostInSection reports the first of some lines directly below a section.
func dashLostInSection(out *findings, source string, s syntax.Section, first int, field *tool.Field) {
	var lines []syntax.Node
	items := -1
	for _, e := range s.Entries[first:] {
		lines = append(lines, e.Root())
	}
	for _, e := range s.Entries {
		if e.Kind() == syntax.ListItem && items < 0 {
			items = columnAt(source, e.Offset)
		}
	}
	start, last := s.Entries[first], s.Entries[first+linesOfItem(field, lines)-1]
	item := text.Span{Start: start.Offset, End: last.Span().End}
	reportDash(out, firstWords(start.Root()), firstLine(start.Root()).Shift(start.Offset), insertedDash(source, item, items))
}

func reportDash(out *findings, line string, at text.Span, fixes []model.Fix) {
	d := out.err(at, "`%s` belongs to an item of a list; did you forget the dash before it?", line)
	d.Fixes = fixes
}

// linesOfItem returns how many of lines belong to the item whose dash is missing in the first one.
func linesOfItem(field *tool.Field, lines []syntax.Node) int {
	n := 1
	for i, c := range lines[1:] {
		isKey := field != nil && c.Kind() == syntax.Pair && !strings.EqualFold(c.Key(), lines[0].Key())
		if isKey && field.Items != nil {
			sibling, _ := tool.Find(field.Fields, c.Key())
			isKey = sibling == nil
		}
		switch {
		case isKey:
			n = i + 2
		case c.Kind() != syntax.Comment:
			return n
		}
	}
	return n
}

// insertedDash returns the fix that makes an item of some lines of a list whose dashes are in
// column items, which is negative if it has none; nil if the meaning is unclear.
func insertedDash(source string, item text.Span, items int) []model.Fix {
	const title = "Insert the dash"
	at, column := item.Start, columnAt(source, item.Start)
	switch {
	case items >= 0 && items == column-len("- "): // it is where the text after a dash is
		return []model.Fix{model.ParseFix(title, text.Span{Start: at - len("- "), End: at}, "- ")}
	case items >= 0 && items != column:
		return nil
	}
	fix := model.ParseFix(title, text.Span{Start: at, End: at}, "- ")
	for i := at; i < item.End-1; i++ {
		if source[i] == '\n' && !strings.ContainsRune("\r\n", rune(source[i+1])) {
			indent := model.ReplaceFix("", text.Span{Start: i + 1, End: i + 1}, twoSpaces)
			fix.Edits = append(fix.Edits, indent.Edits...)
		}
	}
	return []model.Fix{fix}
}

// columnAt returns how many bytes are before an offset in its line.
func columnAt(source string, offset int) int {
	return offset - 1 - strings.LastIndexByte(source[:offset], '\n')
}
