package cursor

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// SchemaPosition is a place in the schema table: that of a line of a section, or of a key or a
// value in a YAML file. Features read from it what may be written there, in both languages.
type SchemaPosition struct {
	keys, Items model.KeySchema // schemas of the keys there, and of the items of a list there
	ParentField *tool.Field     // of the key whose block contains the line
	Inside      []string        // the keys around the line, the outermost first, after the section's keyword
	Item        bool            // the line belongs to an item of the list
	value       bool            // the key above has a value of its own
}

// SchemaPosition returns the position of the line. ok is false if there is no section, and if a
// YAML file may have anything there.
func (t Line) SchemaPosition() (s SchemaPosition, ok bool) {
	switch {
	case t.YAML != nil:
		return t.yamlPosition()
	case t.Section == nil || t.Column == 0:
		return SchemaPosition{}, false
	case t.InTools():
		return t.toolPosition(), true
	}
	info, _ := model.LookupSection(t.Section.Name())
	field := model.SectionField(t.Kind(), t.Section.Name())
	if field == nil {
		return SchemaPosition{}, false
	}
	if info.Name == "" {
		info.Name = "TEMPLATES"
	}
	s = SchemaPosition{ParentField: field, Inside: []string{info.Name}}
	s.keys, s.Items = model.KeySchemasBelow(field, t.Section.Head.Root(), false)
	for _, n := range t.enclosingLines() {
		s = s.below(n)
	}
	return s, true
}

// toolPosition returns the position of a line in TOOLS.
func (t Line) toolPosition() (s SchemaPosition) {
	path := t.Path()
	for _, p := range path {
		s.ParentField, s.Inside = p.ValueField, append(s.Inside, strings.ToUpper(p.Name()))
	}
	switch decl, inTool := t.Tool(); {
	case t.InBinding():
		s.keys.Fields = t.bindingFields()
	case len(path) > 0:
		s.keys = path[len(path)-1].ValueSchema()
	case inTool:
		s.keys.Fields = model.FieldsOfAnyKind(decl.Kind())
	case t.Parent.IsZero():
		s.keys.Fields = tool.SharedDefaults()
	}
	s.Items = s.keys
	return s
}

// enclosingLines returns the lines that the line is below, the outermost first.
func (t Line) enclosingLines() []syntax.Node {
	var lines []syntax.Node
	for n := t.Parent.Node; !n.IsZero(); n = n.Parent() {
		if model.IsKeyed(n) || n.Kind() == syntax.ListItem {
			lines = append(lines, n)
		}
	}
	slices.Reverse(lines)
	return lines
}

// below returns the position below a line that is at this position.
func (s SchemaPosition) below(n syntax.Node) SchemaPosition {
	if n.Kind() == syntax.ListItem {
		s.keys, s.Item = s.Items, true
		return s
	}
	first := s.Item && isFirst(n)
	if first && s.keys.IsName(n) {
		return s // what is below a name is the item's
	}
	p := s.keys.Property(n)
	if p.IsAuthorName && p.ValueField == nil && s.keys.Each != nil { // half-typed, it may yet become one
		p.ValueField = s.keys.Each
	}
	keys := p.ValueSchema()
	if first && keys.IsText && !p.Value.IsZero() {
		return s
	}
	return SchemaPosition{
		keys: keys, Items: p.ItemSchema(), ParentField: p.ValueField, value: !p.Value.IsZero(),
		Inside: append(slices.Clip(s.Inside), strings.ToUpper(p.Name())),
	}
}

// isFirst reports whether a node is the first line of its list's item.
func isFirst(n syntax.Node) bool {
	for c := range n.Parent().BlockChildren() {
		return n.Parent().Kind() == syntax.ListItem && c == n
	}
	return false
}

// OwnFields returns the fields of the keys that may be at the position. For an action whose line
// names its agent, the fields of keys that name an agent are left out.
func (s SchemaPosition) OwnFields() []tool.Field {
	if !s.value || s.ParentField == nil || s.ParentField.Ref != tool.RefAgent {
		return s.keys.Fields
	}
	return slices.DeleteFunc(slices.Clone(s.keys.Fields), func(f tool.Field) bool { return f.Ref == tool.RefAgent })
}

// IsBelow reports whether the line is below a key of one of the names.
func (s SchemaPosition) IsBelow(names ...string) bool {
	return slices.ContainsFunc(s.Inside, func(key string) bool { return slices.Contains(names, key) })
}

// ParentKey returns the name of the key whose block contains the line; "" directly below a section.
func (s SchemaPosition) ParentKey() string {
	if len(s.Inside) == 0 {
		return ""
	}
	return s.Inside[len(s.Inside)-1]
}
