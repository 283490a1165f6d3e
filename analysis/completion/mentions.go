package completion

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// variableMentions returns the places of the file that name variables, except the name that is
// being typed.
func variableMentions(t cursor.Line) []model.NameRef {
	var mentions []model.NameRef
	for _, m := range t.File.NameRefsOf(model.VariableRef) {
		if !m.Span.Touches(t.Offset) {
			mentions = append(mentions, m)
		}
	}
	return mentions
}

// completeMentioned offers the variables that the file names but nothing gives a value: the
// language has no declarations, so that any name may be one. A word that only begins another name
// is left out, since it may be half typed elsewhere.
func completeMentioned(t cursor.Line, p insertion) []Item {
	var items []Item
	for _, m := range variableMentions(t) {
		name := placeholder.RootName(m.Name)
		if slices.Contains(p.listed, name) || isPlatformName(name) || beginsName(p.listed, name) && pathAt(t.File, m.Span) == name {
			continue
		}
		p.listed = append(p.listed, name)
		items = append(items, newItem(t, p, Item{Label: name, Kind: VariableItem, Detail: "variable of this file"}))
	}
	return items
}

// isPlatformName reports whether the platform gives a name its meaning.
func isPlatformName(name string) bool {
	_, isSpecial := tool.LookupWord(model.SpecialNames, name)
	return isSpecial || model.IsNamespace(name)
}

// beginsName reports whether a word is the beginning of another name: one of those listed, a name
// of the platform's or a function.
func beginsName(listed []string, word string) bool {
	begins := func(name string) bool { return strings.HasPrefix(name, word) }
	return slices.ContainsFunc(listed, begins) ||
		slices.ContainsFunc(model.SpecialNames, func(w tool.Word) bool { return begins(w.Name) }) ||
		slices.ContainsFunc(expression.Functions(), func(f expression.Function) bool { return begins(f.Name) })
}

// completeMentionedMembers offers what follows the dot of a path elsewhere in the file.
func completeMentionedMembers(t cursor.Line, owner string, p insertion) []Item {
	var items []Item
	owner = strings.TrimPrefix(owner, "session.") + "."
	for _, m := range variableMentions(t) {
		path := pathAt(t.File, m.Span)
		rest, ok := strings.CutPrefix(path, owner)
		name := placeholder.RootName(rest)
		isTyped := m.Span.Start <= t.Offset && t.Offset <= m.Span.Start+len(path)
		if !ok || isTyped || name == "" || slices.Contains(p.listed, name) {
			continue
		}
		p.listed = append(p.listed, name)
		items = append(items, newItem(t, p, Item{Label: name, Kind: MemberItem, Detail: "member in this file"}))
	}
	return items
}

// pathAt returns the path that begins with the name at a span.
func pathAt(f *model.File, name text.Span) string {
	source := f.Doc.Text()[name.Start:]
	end := name.Len()
	for end < len(source) && (source[end] == '.' || strings.IndexByte(model.NameBytes, source[end]) >= 0) {
		end++
	}
	return source[:end]
}
