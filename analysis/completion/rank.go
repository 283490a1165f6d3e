package completion

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// sortTexts gives the items sort texts: those that begin with the typed letters in their case come
// first, so that capitals bring functions and other letters variables. Items of one kind that
// follow each other come by their ranks, all others in the order given.
func sortTexts(f *model.File, offset int, items []Item) {
	order := make([]*Item, len(items))
	for i := range items {
		order[i] = &items[i]
	}
	for first := 0; first < len(order); {
		last := first + 1
		for last < len(order) && order[last].Kind == order[first].Kind {
			last++
		}
		slices.SortStableFunc(order[first:last], func(a, b *Item) int { return cmp.Compare(uint(a.rank)-1, uint(b.rank)-1) })
		first = last
	}
	if f != nil && f.Doc != nil {
		slices.SortStableFunc(order, func(a, b *Item) int { return cmp.Compare(caseRank(f, offset, a), caseRank(f, offset, b)) })
	}
	for i, item := range order {
		item.SortText = fmt.Sprintf("%04d", i)
	}
}

// caseRank returns 1 for an item that begins with the typed letters in their case, 0 if it is likely
// as well, else 2.
func caseRank(f *model.File, offset int, item *Item) int {
	source := f.Written().Doc.Text()
	from, to := f.WrittenOffset(item.Edit.Start), min(f.WrittenOffset(offset), len(source))
	if from <= to && strings.HasPrefix(item.FilterText, strings.TrimLeft(source[from:to], " \t")) {
		if item.isLikely {
			return 0
		}
		return 1
	}
	return 2
}

// usualRank returns the rank of a name by its place in a list, 0 if it is not there.
func usualRank(usual []string, name string) int {
	return slices.IndexFunc(usual, func(one string) bool { return strings.EqualFold(one, name) }) + 1
}

// usualSections, usualKeys, usualFunctions and usualInTexts (functions in placeholders) are those that
// agents use most, the most usual first.
var (
	usualSections = []string{
		"TOOLS", "GOAL", "AGENT", "FLOW", "VERSION", "COMPLETE", "MEMORY", "HANDOFF", "GATHER", "EXECUTION", "PERSONA", "ESCALATE",
		"CONSTRAINTS", "LANGUAGE", "DESCRIPTION", "ON_START", "TEMPLATES", "ON_ERROR", "LIMITATIONS", "GUARDRAILS", "INSTRUCTIONS",
		"DELEGATE", "MESSAGES", "RETURN_HANDLERS", "HOOKS",
	}
	usualKeys = []string{
		"REASONING", "THEN", "RESPOND", "CALL", "SET", "IF", "ELSE", "WITH", "AS", "GATHER", "ON_INPUT", "ON_FAIL", "ON_RESULT",
		"ON_SUCCESS", "ON_ACTION", "ON_RETURN", "GOTO", "CLEAR", "RETURN", "GOAL", "EXIT_WHEN", "AVAILABLE_TOOLS", "MAX_TURNS", "COMPLETE",
	}
	usualFunctions = []string{
		"contains_pii", "contains_url", "contains_code", "matches_pattern", "LENGTH", "NOW", "UPPER", "FORMAT_DATE", "COALESCE", "ADD",
		"JOIN", "FORMAT_CURRENCY", "ROUND", "IF", "TRIM", "TO_NUMBER", "SUB", "REPLACE", "SUBSTRING", "REGEX_EXTRACT", "LOWER", "MIN", "MAX",
		"MASK",
	}
	usualInTexts = []string{"FORMAT_CURRENCY", "LENGTH", "FORMAT_DATE", "JOIN", "UPPER", "MASK"}
)

// rankInText ranks functions by how often texts have them: a text shows more amounts than dates.
func rankInText(items []Item) {
	for i := range items {
		if items[i].Kind != FunctionItem {
			continue
		}
		if rank := usualRank(usualInTexts, items[i].Label); rank > 0 {
			items[i].rank = rank
		} else if items[i].rank > 0 {
			items[i].rank += len(usualInTexts)
		}
	}
}

// rankNearest ranks items by how near to the cursor the file has their labels as names of some
// kinds. Those that it does not have come last.
func rankNearest(t cursor.Line, items []Item, kinds ...model.NameRefKind) []Item {
	nearest := map[string]int{}
	for _, m := range t.File.NameRefsOf(kinds...) {
		distance := max(m.Span.Start-t.Offset, t.Offset-m.Span.End)
		if known, ok := nearest[m.Name]; distance > 0 && (!ok || distance < known) {
			nearest[m.Name] = distance
		}
	}
	for i := range items {
		items[i].rank = nearest[items[i].Label]
	}
	return items
}
