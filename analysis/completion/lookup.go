package completion

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// typedLookup matches `lookup:table:key` as far as it is typed.
var typedLookup = lazyregexp.New(`\blookup:(?:([\w-]*)(:))?([\w.-]*)$`)

// completeLookups offers the look-up tables, or the keys of one, in a `lookup` placeholder. ok is
// false in any other place.
func completeLookups(t cursor.Line, inner string) (items []Item, ok bool) {
	m := typedLookup.FindStringSubmatch(inner)
	if m == nil {
		return nil, false
	}
	from, mark, names, what := t.Offset-len(m[3]), ":", []string(nil), "look-up table"
	for _, table := range lookupTables(t) {
		switch {
		case m[2] == "" && !slices.Contains(names, table.Name):
			names = append(names, table.Name)
		case m[2] != "" && m[1] == table.Name:
			mark, names, what = "}}", append(names, lookupKeys(table.Node.Node)...), "key of "+m[1]
		}
	}
	items = completePlainNames(t, names, what, insertion{from: from})
	for i := range items {
		items[i].Edit = t.Replace(from, items[i].Label+unlessFollowed(t, mark, from))
	}
	return items, true
}

// lookupTables returns the tables of the file and of the files that import it.
func lookupTables(t cursor.Line) []model.NamedDeclaration {
	tables := t.File.DeclaredNames("LOOKUP_TABLES")
	if t.File.Kind == model.Library || t.File.Kind == model.Profile {
		for _, path := range t.Workspace.Importers(t.File.Path) {
			tables = append(tables, t.Workspace.File(path).DeclaredNames("LOOKUP_TABLES")...)
		}
	}
	return tables
}

// lookupKeys returns the keys of a table in the file: below `map`, in `values`, or directly below
// its name.
func lookupKeys(table syntax.Node) []string {
	var own, found []string
	within := func(n syntax.Node) {
		for c := range model.KeyedNodes(n, false) {
			found = append(found, syntax.Unquote(model.KeyOf(c).Text()))
		}
	}
	for c := range model.KeyedNodes(table, false) {
		switch strings.ToLower(c.Key()) {
		case "map":
			within(c)
		case "values":
			for _, w := range model.ListWords(c) {
				found = append(found, w.Text)
			}
		default:
			own = append(own, syntax.Unquote(model.KeyOf(c).Text()))
		}
	}
	known := func(key string) bool {
		field, _ := tool.Find(model.SectionField(model.Agent, "LOOKUP_TABLES").Each.Fields, key)
		return field != nil
	}
	if found == nil && !slices.ContainsFunc(own, known) {
		return own
	}
	return found
}

// unlessFollowed returns a mark to insert at an offset, "" if it is there already.
func unlessFollowed(t cursor.Line, mark string, from int) string {
	rest := t.File.Doc.Text()[t.WordEnd(from):]
	if strings.HasPrefix(strings.TrimLeft(rest, " "), mark) {
		return ""
	}
	return mark
}
