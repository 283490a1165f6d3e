package completion

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// marks are the signs behind which databases take what is bound: by its number, and by
// its name.
type marks struct{ numbers, names string }

// marksOf has them by the kind of the source. MySQL has ? alone, which says nothing more.
var marksOf = map[string]marks{
	"sqlite": {numbers: "?$", names: ":@$"}, "postgres": {numbers: "$"}, "mysql": {},
}

// marksFor are those that all kinds of a source have: each environment may have another
// one. Where nothing is known of it, names may stand behind any.
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
			all = marks{shared(all.numbers, m.numbers), shared(all.names, m.names)}
		}
	}
	return all
}

func shared(a, b string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(b, r) {
			return r
		}
		return -1
	}, a)
}

// markTyped is a mark with what is typed behind it.
var markTyped = regexp.MustCompile(`(?:^|[^\w:@$?])([:@$?])(\w*)$`)

// marked is what may stand behind a mark.
type marked struct {
	sign           string
	typed          string
	names, numbers bool
}

// markedIn is the mark at the end of a text; ok is false where there is none.
func (all marks) markedIn(before string) (m marked, ok bool) {
	found := markTyped.FindStringSubmatch(before)
	if found == nil {
		return m, false
	}
	m = marked{sign: found[1], typed: found[2]}
	m.names = strings.Contains(all.names, m.sign)
	m.numbers = strings.Contains(all.numbers, m.sign) && strings.Trim(m.typed, "0123456789") == ""
	return m, true
}

// numberItems offers the parameters by their numbers; the edit puts a text in the place
// of the mark and what is typed behind it.
func (m marked) numberItems(params []Item, edit func(text string) text.Edit) []Item {
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

// completeBound completes what stands behind a mark of a statement.
func completeBound(t cursor.Line, s string) (items []Item, ok bool) {
	decl, ok := t.Tool()
	if !ok {
		return nil, false
	}
	source, _ := model.AblSource(decl)
	m, ok := marksFor(model.SourceKinds(t.W, t.File)[source.Name]).markedIn(s)
	if !ok {
		return nil, false
	}
	from := t.Offset - len(m.typed)
	if m.names {
		items = completePlaceholderParams(t, from, "")
	}
	return slices.Concat(items, m.numberItems(completePlaceholderParams(t, from, ""), func(name string) text.Edit { return t.Replace(from-1, name) })), true
}

// completeBoundToolbox completes what follows a mark of a Toolbox statement, whose drivers know
// numbers alone.
func completeBoundToolbox(t cursor.Line, before string, decl model.PlacedTool) (items []Item, ok bool) {
	all := marks{numbers: marksFor(model.ActsOn[decl.Foreign.Sort]).numbers}
	m, ok := all.markedIn(before)
	if !ok || !inStatement(t) {
		return nil, false
	}
	var params []Item
	for _, p := range decl.Foreign.Tool.Params {
		params = append(params, Item{Label: p.Name, Detail: p.Type.String(), Documentation: p.Description})
	}
	return m.numberItems(params, func(name string) text.Edit { return t.Replace(t.Offset-len(m.typed)-1, name) }), true
}

// completeBoundNao completes what follows a mark of a statement in a file of Nao's; in is
// the statement.
func completeBoundNao(t, in cursor.Line, s string, d *model.ToolDecl, x model.NaoText) (items []Item, ok bool) {
	m, ok := marksFor(model.SourceKinds(t.W, t.File)[siblingWord(t, "source")]).markedIn(s)
	if !ok || x.Key != "statement" {
		return nil, false
	}
	params := completeNaoParams(in, d, x, t.Offset-len(m.typed), "")
	if m.names {
		items = params
	}
	return slices.Concat(items, m.numberItems(params, func(name string) text.Edit { return in.Replace(t.Offset-len(m.typed)-1, name) })), true
}
