package model

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Property is one `key: value` with the schema field of its key. A line of a block and a member of
// an inline map look the same here, and so do `name = value` and `source -> target` if they are
// written instead of a key.
type Property struct {
	Node  syntax.Node // Pair, MapPair, Assignment or Mapping
	Key   syntax.Node
	Value syntax.Node // zero if nothing follows the colon

	Field    *tool.Field // nil if the schema table has no such key here
	FlatPath []string    // the path of the field, if the key is directly in the tool instead of in its block

	// ValueField is the schema field of the value: Field or, for one of the author's keys, the field
	// that all of these share. It is nil if the table says nothing.
	ValueField *tool.Field

	itemFields []tool.Field     // see [KeySchema]
	below      *belowProperties // nil if there are none, and if they are read each time
	IsAlias    bool             // the key is an older spelling of the field's name

	// IsAuthorName says that the key is no property but a name of the author's: a header, a parameter,
	// a step, a field.
	IsAuthorName bool

	isItemName bool // it is the name of an item; what is below it is text
}

// belowProperties are the keys below a property. They are read once, since many callers ask for
// them.
type belowProperties struct {
	once sync.Once
	list []Property
}

// ValueSchema returns the schema of the keys below.
func (p *Property) ValueSchema() KeySchema {
	if p.isItemName {
		return KeySchema{IsText: true}
	}
	keys, _ := KeySchemasBelow(p.ValueField, p.Node, p.IsAuthorName)
	keys.itemFields = p.itemFields
	return keys
}

// ItemSchema returns the schema of the keys of a list's items below.
func (p *Property) ItemSchema() KeySchema {
	if p.isItemName {
		return KeySchema{IsText: true}
	}
	_, items := KeySchemasBelow(p.ValueField, p.Node, p.IsAuthorName)
	return items
}

// Name returns the key's canonical name; the name as written if the key has no field.
func (p Property) Name() string {
	if p.Field != nil {
		return p.Field.Name
	}
	return p.WrittenName()
}

// WrittenName returns the key as it is written.
func (p Property) WrittenName() string { return syntax.Unquote(p.Key.Text()) }

// Block returns the block that is indented below the key; zero if there is none.
func (p Property) Block() syntax.Node { return p.Node.Child(syntax.FieldBlock) }

// Text returns the single value: a string without its quotes, a block of text without its
// indentation, anything else as written.
func (p Property) Text() string {
	if p.Value.IsZero() {
		return syntax.Unquote(strings.Trim(p.Block().BlockContent(), "\n"))
	}
	return p.Value.UnquotedText()
}

// IsEmpty reports whether the key has neither value nor block.
func (p Property) IsEmpty() bool { return p.Text() == "" }

// Properties returns the keys below this one, in its block or its inline map. Keys in the items of
// a list are not among them, unless the author's keys may be in a list as well. The slice is
// shared: do not change it.
func (p Property) Properties() []Property {
	if p.below == nil {
		return p.readBelow()
	}
	p.below.once.Do(func() { p.below.list = slices.Clip(p.readBelow()) })
	return p.below.list
}

func (p *Property) readBelow() []Property {
	if p.Block().IsZero() && mapOf(p.Node).IsZero() {
		return nil
	}
	return p.ValueSchema().readKeys(p.Node)
}

// Items returns the items of a list below the key, inline or in a block.
func (p Property) Items() []Item {
	var items []Item
	below := p.ItemSchema()
	if p.Value.Kind() == syntax.List {
		for c := range p.Value.Children() {
			if IsItem(c) {
				items = append(items, Item{c, below})
			}
		}
	}
	for c := range p.Node.BlockChildren() {
		if c.Kind() == syntax.ListItem {
			items = append(items, Item{c, below})
		}
	}
	return items
}

// Item is one item of a list.
type Item struct {
	syntax.Node
	below KeySchema
}

// Properties returns the keys of an item that is a block or an inline map.
func (i Item) Properties() []Property { return i.below.readItem(i.Node) }

// PlainText returns the item as a single value. The lines of a text that has several are joined.
func (i Item) PlainText() string {
	v := i.Value()
	if !i.IsMultiline() {
		return v.UnquotedText()
	}
	return strings.Join(strings.Fields(strings.TrimPrefix(v.Text(), "-")), " ")
}

// IsMultiline reports whether an item is more than a single value.
func (i Item) IsMultiline() bool {
	switch i.Value().Kind() {
	case syntax.ListItem, syntax.Scalar, syntax.Step, syntax.Rule, syntax.ConditionalItem, syntax.Pair, syntax.Assignment, syntax.Mapping:
		return true
	}
	return false
}

// Value returns the node of an item that is a single value; else all that follows the dash.
func (i Item) Value() syntax.Node {
	if i.Kind() != syntax.ListItem {
		return i.Node
	}
	var first syntax.Node
	for c := range i.BlockChildren() {
		if !first.IsZero() {
			return i.Node
		}
		first = c
	}
	if first.Kind() == syntax.Scalar && first.Child(syntax.FieldBlock).IsZero() {
		return first.Value()
	}
	return first
}

// ToolFields returns the properties that a tool of a kind may have: the common ones and those of
// its binding. For kind "" it returns the common ones only.
func ToolFields(kind tool.Kind) []tool.Field { return fieldsOfKinds()[kind] }

var fieldsOfKinds = sync.OnceValue(func() map[tool.Kind][]tool.Field {
	fields := map[tool.Kind][]tool.Field{"": tool.CommonFields()}
	for _, w := range tool.Kinds() {
		kind := tool.Kind(w.Name)
		fields[kind] = slices.Concat(tool.CommonFields(), tool.Fields(kind))
	}
	return fields
})

// Properties returns the keys in the block or the inline map of a node as properties with the given
// fields.
func Properties(n syntax.Node, fields []tool.Field) []Property {
	return KeySchema{Fields: fields}.readKeys(n)
}

// PropertyPathAt returns the properties around an offset of their entry, the outermost first.
func PropertyPathAt(props []Property, offset int) []Property {
	p, ok := propertyAround(props, offset)
	if !ok {
		return nil
	}
	inner := PropertyPathAt(p.Properties(), offset)
	for _, item := range p.Items() {
		if len(inner) == 0 {
			inner = PropertyPathAt(item.Properties(), offset)
		}
	}
	return append([]Property{p}, inner...)
}

// propertyAround returns the property that contains an offset. What is below the name with which an
// item begins is a property next to that name, not in it. ok is false if there is none.
func propertyAround(props []Property, offset int) (found Property, ok bool) {
	for _, p := range props {
		if p.Node.Span().Touches(offset) && (!ok || p.Node.Parent() != found.Node.Parent()) {
			found, ok = p, true
		}
	}
	return found, ok
}

// KeyedNodes returns the nodes below n that have a key: in its block, in its inline map and, if
// inItems is set, in the items of its list.
func KeyedNodes(n syntax.Node, inItems bool) iter.Seq[syntax.Node] {
	return func(yield func(syntax.Node) bool) {
		for c := range mapOf(n).Children() {
			if c.Kind() == syntax.MapPair && !yield(c) {
				return
			}
		}
		for c := range n.BlockChildren() {
			switch {
			case IsKeyed(c):
				if !yield(c) {
					return
				}
			case c.Kind() == syntax.ListItem && inItems:
				for m := range KeyedNodes(c, false) {
					if !yield(m) {
						return
					}
				}
			}
		}
	}
}

// IsKeyed reports whether a line has a key.
func IsKeyed(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.Pair, syntax.Step, syntax.Assignment, syntax.Mapping:
		return true
	}
	return false
}

// mapOf returns the inline map that a node is, or that is its value.
func mapOf(n syntax.Node) syntax.Node {
	if n.Kind() == syntax.ListItem {
		n = Item{Node: n}.Value()
	} else if n.Kind() != syntax.Map {
		n = n.Value()
	}
	if n.Kind() == syntax.Map {
		return n
	}
	return syntax.Node{}
}

func hasItems(n syntax.Node) bool {
	if n.Value().Kind() == syntax.List {
		return true
	}
	for c := range n.BlockChildren() {
		if c.Kind() == syntax.ListItem {
			return true
		}
	}
	return false
}

// KeyOf returns the node of the key of a pair, an assignment or a mapping.
func KeyOf(n syntax.Node) syntax.Node {
	switch n.Kind() {
	case syntax.Assignment:
		return n.Child(syntax.FieldTarget)
	case syntax.Mapping:
		return n.Child(syntax.FieldSource)
	}
	return n.KeyNode()
}

// valueOf returns the value of a pair. It is zero for a block marker with nothing below it.
func valueOf(n syntax.Node) syntax.Node {
	v := n.Value()
	if v.Kind() == syntax.PipeBlock && v.ChildOf(syntax.BlockText).IsZero() {
		return syntax.Node{}
	}
	return v
}

// IsItem reports whether a node inside an inline list is an item, and not what separates items.
func IsItem(n syntax.Node) bool { return n.Kind() != syntax.Comment && n.Kind() < syntax.Colon }
