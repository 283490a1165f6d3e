package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Lists at the depth of their key, as YAML has them, for syntax-error: in the language
// these are not the key's.

// unindentedLists finds lists in m that are at the depth of their key.
func unindentedLists(out *findings, m model.Map) {
	if m.Single || m.Field != nil && !m.Item && takesList(m.Field) {
		return
	}
	var key syntax.Node
	first := false
	rest := m.Properties
	for c := range m.Node.BlockChildren() {
		switch {
		case c.Kind() == syntax.ListItem && !key.IsZero():
			reportUnindentedList(out, key, c, first)
			first = false
			continue
		case c.Kind() == syntax.Comment:
			continue
		}
		key, first = syntax.Node{}, true
		for len(rest) > 0 && rest[0].Node.Span().Start < c.Span().Start {
			rest = rest[1:]
		}
		if len(rest) > 0 && rest[0].Node == c && rest[0].ValueField != nil && isOpenList(rest[0].ValueField, c) {
			key = c
		}
	}
}

// listsInSection finds such lists directly below a section's keyword.
func listsInSection(out *findings, kind model.FileKind, s syntax.Section) {
	field := model.SectionField(kind, s.Name())
	if field == nil || takesList(field) {
		return
	}
	var key syntax.Node
	first := false
	for _, e := range s.Entries {
		switch {
		case e.Kind() == syntax.Comment:
		case e.Kind() == syntax.ListItem && !key.IsZero():
			var found findings
			if !first {
				found = append(found, (*out)[len(*out)-1].Shift("", -e.Offset))
			}
			reportUnindentedList(&found, key, e.Root(), first)
			if !first {
				*out = (*out)[:len(*out)-1]
			}
			*out = append(*out, found[0].Shift("", e.Offset))
			first = false
		default:
			key, first = syntax.Node{}, true
			if field, _ := tool.Find(field.Fields, e.Root().Key()); field != nil && isOpenList(field, e.Root()) {
				key = e.Root()
			}
		}
	}
}

// reportUnindentedList reports the first item of a list, and adds the others to its fix.
func reportUnindentedList(out *findings, key, item syntax.Node, first bool) {
	if first {
		name := syntax.Unquote(key.Key())
		d := listDepth(out, firstLine(item), name)
		d.Fixes = append(d.Fixes, model.Fix{Title: listTitle(name), Best: true, ChangesParse: true})
	}
	fix := &(*out)[len(*out)-1].Fixes[0]
	fix.Edits = append(fix.Edits, indentEdits(item, len(twoSpaces))...)
}

func listDepth(out *findings, at text.Span, key string) *model.Diagnostic {
	return out.err(at, "The list is not below `%s:`, since it is indented no deeper; indent it.", key)
}

func listTitle(key string) string { return "Indent the list below `" + key + ":`" }

// indentEdits returns the edits that indent the lines of a node.
func indentEdits(n syntax.Node, by int) []model.FileEdit {
	var edits []model.FileEdit
	at := n.Span().Start
	for line := range strings.Lines(n.Text()) {
		if strings.TrimSpace(line) != "" {
			edits = append(edits, model.ReplaceEdit(text.Span{Start: at, End: at}, strings.Repeat(" ", by)))
		}
		at += len(line)
	}
	return edits
}

// isOpenList reports whether a key that takes a list has neither a list nor anything else.
func isOpenList(field *tool.Field, key syntax.Node) bool {
	return takesList(field) && key.Kind() == syntax.Pair && key.Value().IsZero() && key.Child(syntax.FieldBlock).IsZero()
}

// itemsWithin finds items of a list that are inside an item of a list.
func itemsWithin(out *findings, m model.Map) {
	if !m.Item || m.Node.Kind() != syntax.ListItem || m.Open {
		return
	}
	source, open := m.Node.Entry().Text(), false
	var d *model.Diagnostic
	for c := range m.Node.BlockChildren() {
		switch {
		case c.Kind() == syntax.Comment:
		case c.Kind() != syntax.ListItem:
			open = c.Kind() == syntax.Pair && c.Value().IsZero()
		case open:
		default:
			if d == nil {
				d = out.err(firstLine(c), "`%s` is within the item above, since it is indented deeper; indent it like that one.", firstWords(c))
				d.Fixes = append(d.Fixes, model.Fix{Title: "Indent it like the item above", Best: true})
			}
			by := columnAt(source, c.Span().Start) - columnAt(source, m.Node.Span().Start)
			d.Fixes[0].Edits = append(d.Fixes[0].Edits, outdentEdits(c, by)...)
		}
	}
}

// outdentEdits returns the edits that remove blanks from the lines of a node.
func outdentEdits(n syntax.Node, by int) []model.FileEdit {
	var edits []model.FileEdit
	for _, e := range indentEdits(n, by) {
		edits = append(edits, model.ReplaceEdit(text.Span{Start: e.Start, End: e.Start + by}, ""))
	}
	edits[0].Span = edits[0].Shift(-by)
	return edits
}

// isStrayList reports whether m, which must have keys, has nothing but the items of a list.
func isStrayList(m model.Map) bool {
	if m.Item || m.Single || m.Field == nil || takesItem(m.Field) {
		return false
	}
	some := false
	for c := range m.Node.BlockChildren() {
		if c.Kind() != syntax.ListItem && c.Kind() != syntax.Comment {
			return false
		}
		some = true
	}
	return some
}

// withoutStrayItems returns maps without those inside a list for which isStrayList is true, since
// the list itself is reported.
func withoutStrayItems(maps []model.Map) []model.Map {
	end := -1
	return slices.DeleteFunc(maps, func(m model.Map) bool {
		if m.Node.Span().Start < end {
			return true
		}
		if isStrayList(m) {
			end = m.Node.Span().End
		}
		return false
	})
}

// takesItem reports whether an item of a list may be below a key.
func takesItem(field *tool.Field) bool {
	return field.Type != tool.Block || field.Open || field.Items != nil || field.OneLine
}

// takesList reports whether the items of a list may be below a key.
func takesList(field *tool.Field) bool {
	return field.Type == tool.ListType || field.Type == tool.BlockList || field.Items != nil
}
