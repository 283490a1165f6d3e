package model

import (
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// SectionField returns the schema field of a section's keyword in a file of that kind. It is nil
// for what is no section of such a file, and for TOOLS, whose tools have fields of their own.
func SectionField(kind FileKind, keyword string) *tool.Field {
	if IsTemplateSection(keyword) && kind != Profile {
		return templateField()
	}
	s, ok := LookupSection(keyword)
	if !ok || !s.Fits(kind) {
		return nil
	}
	return section.Field(s.Name, kind == Profile)
}

// IsTemplateSection reports whether a section is a template of its own, as `TEMPLATE name:` is.
func IsTemplateSection(keyword string) bool {
	return len(keyword) > len("TEMPLATE ") && strings.EqualFold(keyword[:len("TEMPLATE ")], "TEMPLATE ")
}

// templateField is the field of a template that is a section: that of an entry of TEMPLATES. No key
// is required, since its lines are read one by one.
var templateField = sync.OnceValue(func() *tool.Field {
	field := *section.Field("TEMPLATES", false).Each
	field.Name = "TEMPLATE"
	field.Fields = slices.Clone(field.Fields)
	for i := range field.Fields {
		field.Fields[i].Required = false
	}
	return &field
})

// HeadProperty returns the line of a section's keyword as a property.
func HeadProperty(kind FileKind, keyword string, head syntax.Node) Property {
	p := Property{Node: head, Key: head.KeyNode(), Value: valueOf(head)}
	p.ValueField = SectionField(kind, keyword)
	p.Field = p.ValueField
	return p
}

// SectionProperties returns the properties of one entry of a section: one for a line with a key;
// for an item of a list, its keys. Their Properties and Items lead further down. A line of TOOLS
// has none, see [ToolDecl.Properties] and [SharedDefault].
func SectionProperties(kind FileKind, keyword string, root syntax.Node) []Property {
	field := SectionField(kind, keyword)
	if field == nil {
		return nil
	}
	keys, items := KeySchemasBelow(field, syntax.Node{}, false)
	switch {
	case keys.IsText:
		return nil
	case root.Kind() == syntax.ListItem && keys.keysInItems:
		return keys.readItemKeys(root)
	case root.Kind() == syntax.ListItem:
		return items.readItem(root)
	case IsKeyed(root):
		return []Property{keys.Property(root)}
	}
	return nil
}

// Map is a place that has keys: a tool, a block below a key, an item of a list, an inline map.
type Map struct {
	Name string      // of the section, property or tool that it belongs to
	Node syntax.Node // the node with the keys: the tool, the pair, the list item, …
	Key  syntax.Node // the key of Node; zero for an item, which has none

	// Field is the schema field of the property or the list that the map is below; nil for a tool and
	// if the table says nothing. Item says that the map is an item of the list, and Single that it is
	// one line of a section, whose other lines are entries of their own.
	Field  *tool.Field
	Item   bool
	Single bool

	Fields     []tool.Field // the known keys
	Open       bool         // other keys are the author's
	Properties []Property
}

// Maps returns the places with keys in one entry of a section, each before those inside it. Places
// whose keys are unpublished are left out. The head of a section is an entry whose root is the
// section; tools are those that the entry declares.
func Maps(kind FileKind, keyword string, root syntax.Node, tools []ToolDecl) []Map {
	var m mapWalker
	info, _ := LookupSection(keyword)
	if IsTemplateSection(keyword) {
		info.Name = "TEMPLATE"
	}
	switch {
	case info.Name == "":
	case root.Kind() == syntax.SectionNode || root.Kind() == syntax.ToolsSection:
		p := HeadProperty(kind, keyword, root)
		m.addMap(Map{Name: info.Name, Node: root, Field: p.ValueField, Single: true, Properties: []Property{p}})
	case info.Name == "TOOLS":
		m.addTools(root, tools)
	default:
		m.addEntry(info.Name, SectionField(kind, keyword), root)
	}
	return m
}

// mapWalker collects maps.
type mapWalker []Map

func (m *mapWalker) addTools(root syntax.Node, tools []ToolDecl) {
	if root.Kind() == syntax.Pair {
		p := SharedDefault(root)
		m.addMap(Map{Name: "TOOLS", Node: root, Fields: tool.SharedDefaults(), Single: true, Properties: []Property{p}})
	}
	for i := range tools {
		t := &tools[i]
		m.addMap(Map{Name: t.Name, Node: t.Node, Key: t.NameNode(), Fields: ToolFields(t.Kind()), Properties: t.Properties()})
	}
}

func (m *mapWalker) addEntry(name string, field *tool.Field, root syntax.Node) {
	if field == nil || field.Type == tool.AnyType {
		return
	}
	keys, items := KeySchemasBelow(field, syntax.Node{}, false)
	switch {
	case keys.IsText:
	case root.Kind() == syntax.ListItem && keys.keysInItems:
		m.addMap(Map{Name: name, Node: root, Field: field, Fields: keys.Fields, Open: keys.Open, Single: true, Properties: keys.readItemKeys(root)})
	case root.Kind() == syntax.ListItem:
		m.addItem(name, field, Item{root, items})
	case IsKeyed(root):
		m.addMap(Map{Name: name, Node: root, Field: field, Fields: keys.Fields, Open: keys.Open, Single: true, Properties: []Property{keys.Property(root)}})
	}
}

// addMap adds a map and those inside it.
func (m *mapWalker) addMap(one Map) {
	*m = append(*m, one)
	for _, p := range one.Properties {
		m.addBelow(p)
	}
}

func (m *mapWalker) addBelow(p Property) {
	field := p.ValueField
	if field == nil && !p.IsAuthorName || field != nil && field.Type == tool.AnyType {
		return
	}
	below := p.ValueSchema()
	props := p.Properties()
	if field == nil { // a map of the author's own, whatever is further below; a list may say the same of each item
		if len(props) > 0 && !hasItems(p.Node) {
			*m = append(*m, Map{Name: p.Name(), Node: p.Node, Key: p.Key, Open: true, Properties: props})
		}
		return
	}
	if p.isProse() {
		return
	}
	unquoted := field.Type == tool.Block && p.Value.IsZero()
	if len(props) > 0 || unquoted {
		m.addMap(Map{Name: p.Name(), Node: p.Node, Key: p.Key, Field: field, Fields: below.Fields, Open: below.Open, Properties: props})
	}
	if below.keysInItems || p.ItemSchema().IsText {
		return
	}
	for _, item := range p.Items() {
		m.addItem(p.Name(), field, item)
	}
}

// isProse reports whether a text is below the key of a block that may also be a single value: its
// first line has no key, and does not begin with one.
func (p Property) isProse() bool {
	if p.ValueField.Type != tool.Block || !p.ValueField.OneLine || !p.Value.IsZero() {
		return false
	}
	for c := range p.Node.BlockChildren() {
		word, _, _ := strings.Cut(strings.Fields(c.Text() + " ?")[0], ":")
		known, _ := tool.Find(p.ValueSchema().Fields, word)
		return c.Kind() == syntax.Scalar && known == nil
	}
	return false
}

func (m *mapWalker) addItem(name string, field *tool.Field, item Item) {
	if props := item.Properties(); len(props) > 0 || len(item.below.Fields) > 0 && RuleWordOf(item.Node) != "" {
		m.addMap(Map{Name: name, Node: item.Node, Field: field, Item: true, Fields: item.below.Fields, Open: item.below.Open, Properties: props})
	}
}

// The word of a rule, at the beginning of a text and as a key.
var (
	ruleWord      = lazyregexp.New(`^(?i:REQUIRE|LIMIT|RESTRICT|WARN)\b`)
	wholeRuleWord = lazyregexp.New(ruleWord.String() + `$`)
)

// RuleWordOf returns the word that a rule in a list begins with, with or without a colon: REQUIRE,
// LIMIT, RESTRICT or WARN, in upper case; "" if the item is no rule.
func RuleWordOf(item syntax.Node) string {
	for c := range item.BlockChildren() {
		if IsKeyed(c) {
			return strings.ToUpper(wholeRuleWord.FindString(c.Key()))
		}
		return strings.ToUpper(ruleWord.FindString(c.Text()))
	}
	return ""
}

// NameNode returns the author's name with which an item of a list of names begins, or which it is.
func (i Item) NameNode() syntax.Node {
	if i.Kind() != syntax.ListItem {
		return i.Node
	}
	for c := range i.BlockChildren() {
		switch {
		case IsKeyed(c):
			return KeyOf(c)
		case c.Kind() == syntax.Scalar:
			return c.Value()
		}
		break
	}
	return syntax.Node{}
}

// ActionMaps returns the places with keys in `do` of the tool's `on_result` and `on_error`: the
// block that has it, and what is inside.
func (d *ToolDecl) ActionMaps() []Map {
	var m mapWalker
	for _, name := range []string{"on_result", "on_error"} {
		block, _ := d.Property(name)
		for _, p := range block.Properties() {
			if p.Name() == "do" {
				p.ValueField, p.below = section.ToolActions(), nil
				m.addMap(Map{Name: name, Node: block.Node, Key: block.Key, Properties: []Property{p}})
			}
		}
	}
	return m
}
