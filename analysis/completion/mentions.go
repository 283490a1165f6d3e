package completion

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/syntax/text"
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
	known := knownNames(p.listed)
	offered := map[string]bool{}
	for _, m := range variableMentions(t) {
		name := placeholder.RootName(m.Name)
		if offered[name] {
			continue
		}
		at, isKnown := slices.BinarySearch(known, name)
		isBeginning := at < len(known) && strings.HasPrefix(known[at], name)
		if isKnown || model.IsNamespace(name) || isBeginning && pathAt(t.File, m.Span) == name {
			continue
		}
		offered[name] = true
		items = append(items, newItem(t, p, Item{Label: name, Kind: VariableItem, Detail: "variable of this file"}))
	}
	return items
}

// knownNames returns the names that need no mention, sorted: those listed, those of the platform
// and functions.
func knownNames(listed []string) []string {
	names := slices.Clone(listed)
	for _, w := range model.SpecialNames {
		names = append(names, w.Name)
	}
	for _, f := range expression.Functions() {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
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
