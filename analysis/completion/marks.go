package completion

import (
	"fmt"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// marks are the signs that databases have before what is bound: before its number, and before its
// name.
type marks struct{ numbers, names string }

// marksOf has the marks by the kind of the source. MySQL has ? alone, without a number or a name.
var marksOf = map[string]marks{
	"sqlite": {numbers: "?$", names: ":@$"}, "postgres": {numbers: "$"}, "mysql": {},
}

// marksFor returns the marks that all kinds of a source have: each environment may have another
// kind. If nothing is known of the source, names may follow any mark.
func marksFor(kinds []string) marks {
	all := marks{names: ":@$"}
	known := false
	for _, kind := range kinds {
		parts := strings.Split(kind, "-")
		m, ok := marksOf[parts[0]]
		if !ok {
			m, ok = marksOf[parts[len(parts)-1]] // cloud-sql-postgres
		}
		switch {
		case ok && !known:
			all, known = m, true
		case ok:
			all = marks{commonMarks(all.numbers, m.numbers), commonMarks(all.names, m.names)}
		}
	}
	return all
}

func commonMarks(a, b string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(b, r) {
			return r
		}
		return -1
	}, a)
}

// typedMarkPattern matches a mark with the text typed after it.
var typedMarkPattern = lazyregexp.New(`(?:^|[^\w:@$?])([:@$?])(\w*)$`)

// typedMark is a mark with what may follow it.
type typedMark struct {
	sign           string
	typed          string
	names, numbers bool
}

// markAt returns the mark at the end of a text; ok is false if there is none.
func (all marks) markAt(before string) (m typedMark, ok bool) {
	found := typedMarkPattern.FindStringSubmatch(before)
	if found == nil {
		return m, false
	}
	m = typedMark{sign: found[1], typed: found[2]}
	m.names = strings.Contains(all.names, m.sign)
	m.numbers = strings.Contains(all.numbers, m.sign) && strings.Trim(m.typed, "0123456789") == ""
	return m, true
}

// numberItems offers the parameters by their numbers; the edit replaces the mark and the text typed
// after it.
func (m typedMark) numberItems(params []Item, edit func(text string) text.Edit) []Item {
	if !m.numbers {
		return nil
	}
	var items []Item
	for i, p := range params {
		name := fmt.Sprintf("%s%d", m.sign, i+1)
		items = append(items, Item{
			Label: name, Kind: ParameterItem, Detail: p.Label + ": " + p.Detail, Documentation: p.Documentation, Edit: edit(name),
		})
	}
	return items
}

// completeMarks completes what follows a mark at the end of a statement. ok is false if there is
// none.
func completeMarks(t cursor.Line, s string, all marks, params paramsAt) (items []Item, ok bool) {
	m, ok := all.markAt(s)
	if !ok {
		return nil, false
	}
	from := t.Offset - len(m.typed)
	named := params(from, "")
	items = m.numberItems(named, func(name string) text.Edit { return t.Replace(from-1, name) })
	if m.names {
		items = append(named, items...)
	}
	return items, true
}
