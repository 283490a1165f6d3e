package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// spot is where a line of a section stands in the schema table.
type spot struct {
	keys, items rows        // of the keys there, and of the items of a list there
	row         *tool.Field // of the key that the line is below
	inside      []string    // the keys around the line, the outermost first, the section's keyword before them
	item        bool        // the line belongs to an item of the list
	value       bool        // the key above has a value of its own
}

// spot is that of the line. ok is false in TOOLS, whose tools have rows of their
// own, and where there is no section.
func (t typed) spot() (s spot, ok bool) {
	if t.section == nil || t.column == 0 || t.section.Head.Kind() == syntax.ToolsSection {
		return spot{}, false
	}
	info, _ := LookupSection(t.section.Name())
	row := SectionRow(t.kind(), t.section.Name())
	if row == nil {
		return spot{}, false
	}
	if info.Name == "" {
		info.Name = "TEMPLATES"
	}
	s = spot{row: row, inside: []string{info.Name}}
	s.keys, s.items = rowsBelow(row, t.section.Head.Root(), false)
	for _, n := range t.around() {
		s = s.into(n)
	}
	return s, true
}

// around are the lines that the line is below, the outermost first.
func (t typed) around() []syntax.Node {
	var lines []syntax.Node
	for n := t.above.Node; !n.IsZero(); n = n.Parent() {
		if isKeyed(n) || n.Kind() == syntax.ListItem {
			lines = append(lines, n)
		}
	}
	slices.Reverse(lines)
	return lines
}

// into is the spot below a line that stands at the spot.
func (s spot) into(n syntax.Node) spot {
	if n.Kind() == syntax.ListItem {
		s.keys, s.item = s.items, true
		return s
	}
	first := s.item && isFirst(n)
	if first && s.keys.isName(n) {
		return s // what is below a name is the item's
	}
	p := s.keys.property(n)
	if p.Author && p.Row == nil && s.keys.each != nil { // half-typed, it may yet become one
		p.Row = s.keys.each
		p.below, p.items = rowsBelow(p.Row, n, true)
	}
	if first && p.below.text && !p.Value.IsZero() {
		return s
	}
	return spot{
		keys: p.below, items: p.items, row: p.Row, value: !p.Value.IsZero(),
		inside: append(slices.Clip(s.inside), strings.ToUpper(p.Name())),
	}
}

// isFirst reports whether a node is the first line of its list's item.
func isFirst(n syntax.Node) bool {
	for c := range n.Parent().Entries() {
		return n.Parent().Kind() == syntax.ListItem && c == n
	}
	return false
}

// ownFields are the keys of the place: of an action that names its agent on its own line
// none that does.
func (s spot) ownFields() []tool.Field {
	if !s.value || s.row == nil || s.row.Ref != tool.RefAgent {
		return s.keys.fields
	}
	return slices.DeleteFunc(slices.Clone(s.keys.fields), func(f tool.Field) bool { return f.Ref == tool.RefAgent })
}

// in reports whether the line stands below a key of one of the names.
func (s spot) in(names ...string) bool {
	return slices.ContainsFunc(s.inside, func(key string) bool { return slices.Contains(names, key) })
}

// under is the name of the key that the line is directly below.
func (s spot) under() string {
	if len(s.inside) == 0 {
		return ""
	}
	return s.inside[len(s.inside)-1]
}
