package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// KeySchema says which keys a place may have.
type KeySchema struct {
	Fields          []tool.Field
	Open            bool        // other keys are the author's
	Each            *tool.Field // the field of what follows each of the author's keys
	eachHasBlock    bool        // each of the author's keys has a block
	ItemsNamed      bool        // an item begins with a name of the author's
	itemsMayBeNamed bool        // an item may begin with a name of the author's: one that is no key and has no value
	keysInItems     bool        // the keys may also be in the items of a list
	deeperKeys      bool        // a key may be deeper than its siblings
	IsText          bool        // the content is text, whatever it looks like

	// itemFields are the keys of the list's item that the place begins. A key that the place does not
	// know belongs to the item, though it is deeper.
	itemFields []tool.Field
}

// KeySchemasBelow returns the schemas of the keys and of a list's items below n, whose field is
// given. author says that the key of n is a name of the author's.
func KeySchemasBelow(field *tool.Field, n syntax.Node, author bool) (keys, items KeySchema) {
	if field == nil {
		keys = KeySchema{Open: author, keysInItems: author}
		return keys, keys
	}
	switch field.Type {
	case tool.Block, tool.BlockList:
		return blockKeySchema(field)
	case tool.MapType:
		items = KeySchema{Fields: field.Fields, Open: len(field.Fields) == 0}
		if !items.Open && hasItems(n) {
			return items, items
		}
		return KeySchema{Open: true, Each: field.Each}, items
	case tool.AnyType:
		if keys, ok := stepKeySchema(field, n); ok {
			return keys, KeySchema{Open: true}
		}
		return KeySchema{Fields: field.Fields, Open: true, keysInItems: true}, KeySchema{Fields: field.Fields, Open: true}
	}
	// Below a key without a value is its text.
	if len(field.Fields) == 0 || valueOf(n).IsZero() {
		return KeySchema{IsText: true}, KeySchema{IsText: true}
	}
	return KeySchema{Fields: field.Fields}, KeySchema{IsText: true}
}

// stepKeySchema returns the schema of the keys below `verify` or `revert`; ok is false if that is
// no binding of its own.
func stepKeySchema(field *tool.Field, n syntax.Node) (keys KeySchema, ok bool) {
	if !field.Step {
		return KeySchema{}, false
	}
	kind := ""
	for c := range KeyedNodes(n, false) {
		ok = true
		if strings.EqualFold(KeyOf(c).Text(), "type") {
			word, _ := tool.LookupWord(tool.Kinds(), valueOf(c).UnquotedText())
			kind = word.Name
		}
	}
	return KeySchema{Fields: tool.StepFields(field.Name, tool.Kind(kind))}, ok
}

func blockKeySchema(field *tool.Field) (keys, items KeySchema) {
	isMap := field.Type == tool.Block || field.Each != nil
	keys = KeySchema{Fields: field.Fields, Open: field.Open && isMap || field.LooseAmongItems, Each: field.Each, eachHasBlock: field.Blocks, deeperKeys: field.Deeper}
	items = KeySchema{Fields: field.Items, ItemsNamed: field.Named, itemsMayBeNamed: field.Open, Open: field.Loose}
	if field.Items == nil {
		items.Fields = field.Fields
		keys.keysInItems = field.Open && field.Type == tool.Block
		if keys.keysInItems {
			items = keys
		}
	}
	return keys, items
}

// readKeys returns the keys in the block or in the inline map of n.
func (r KeySchema) readKeys(n syntax.Node) []Property {
	if r.IsText {
		return nil
	}
	size := 0
	for range KeyedNodes(n, false) {
		size++
	}
	if size == 0 && !r.keysInItems {
		return nil
	}
	props := make([]Property, 0, size)
	for c := range KeyedNodes(n, false) {
		if r.isAbove(c) {
			continue
		}
		p := r.Property(c)
		if r.deeperKeys && !p.Value.IsZero() && !p.ValueSchema().Open {
			p.itemFields = r.Fields
		}
		props = append(props, p)
		if p.itemFields != nil {
			props = append(props, r.readSiblings(p)...)
		}
	}
	if !r.keysInItems {
		return props
	}
	for c := range n.BlockChildren() {
		if c.Kind() == syntax.ListItem {
			props = append(props, r.readItemKeys(c)...)
		}
	}
	return props
}

// readItemKeys returns the keys in a list's item that count as keys of the place itself. If one
// item has several, it is unknown which one is the name.
func (r KeySchema) readItemKeys(item syntax.Node) []Property {
	var keys []syntax.Node
	for c := range KeyedNodes(item, false) {
		keys = append(keys, c)
	}
	several := len(keys) > 1 || len(keys) == 1 && !valueOf(keys[0]).IsZero() && hasDeeper(keys[0])
	if several && r.Each != nil && !r.Each.Lax {
		r.Each = nil
	}
	props := make([]Property, len(keys))
	for i, c := range keys {
		props[i] = r.Property(c)
	}
	return props
}

// Property returns the property of a node, with its schema field if there is one.
func (r KeySchema) Property(n syntax.Node) Property {
	p := Property{Node: n, Key: KeyOf(n), Value: valueOf(n)}
	name := syntax.Unquote(p.Key.Text())
	if !r.isOwn(n) {
		p.Field, p.IsAlias = tool.Find(r.Fields, name)
	}
	switch {
	case p.Field != nil:
		p.ValueField = p.Field
	case r.Open && (!r.eachHasBlock || p.hasKeys()) && (r.Each == nil || isEach(r.Each, n)):
		p.IsAuthorName, p.ValueField = true, r.authorField(n)
	default:
		if f, path := flatField(r.Fields, name); f != nil {
			p.Field, p.ValueField, p.FlatPath = f, f, path
		}
	}
	if !p.Block().IsZero() || p.Value.Kind() == syntax.Map {
		p.below = new(belowProperties)
	}
	return p
}

// isEach reports whether n, whose key the schema does not list, can be one of the author's keys,
// whose field is each.
func isEach(each *tool.Field, n syntax.Node) bool {
	return (!each.Strict || hasAny(n, each.Fields)) && (!each.Keyed || !hasItems(n))
}

// hasKeys reports whether keys may be below a key: it has a block, an inline
// map, or nothing yet.
func (p Property) hasKeys() bool {
	return p.Value.IsZero() || p.Value.Kind() == syntax.Map || !p.Block().IsZero()
}

// isOwn reports whether a key with nothing but a block of keys is a name of the author's though a
// property with a single value has that name: a field of an object may have the name of a property.
func (r KeySchema) isOwn(n syntax.Node) bool {
	if r.Each == nil || !valueOf(n).IsZero() {
		return false
	}
	field, _ := tool.Find(r.Fields, n.Key())
	if field == nil || !field.Type.IsSingle() {
		return false
	}
	for range KeyedNodes(n, false) {
		return true
	}
	return false
}

// authorField returns the field of one of the author's keys; nil if anything may be there.
func (r KeySchema) authorField(n syntax.Node) *tool.Field {
	switch field := r.Each; {
	case field == nil:
		return nil
	case field.Lax && !hasOnly(n, field.Fields):
		return nil
	case field.Short && (n.Value().Kind() == syntax.Map || !hasAny(n, field.Fields)):
		return nil
	default:
		return field
	}
}

// readItem returns the keys of a list's item. It may begin with a name of the author's, or with a
// line that has no key. Lines deeper than these, or deeper than a value that can have nothing below
// it, belong to the item as well.
func (r KeySchema) readItem(n syntax.Node) []Property {
	if r.IsText || n.Kind() != syntax.ListItem {
		return r.readKeys(n)
	}
	var props []Property
	first := true
	for c := range n.BlockChildren() {
		switch {
		case IsKeyed(c) && first && r.IsName(c):
			props = append(props, Property{Node: c, Key: KeyOf(c), Value: valueOf(c), IsAuthorName: true, isItemName: true})
			props = append(props, r.readKeys(c)...)
		case IsKeyed(c):
			p := r.Property(c)
			if first && !p.Value.IsZero() {
				p.itemFields = r.Fields
			}
			props = append(props, p)
			if first {
				props = append(props, r.readDeeper(p)...)
			}
		case first:
			props = append(props, r.readKeys(c)...)
		}
		first = false
	}
	return props
}

// readDeeper returns the keys that are deeper than the first one of an item and still belong to the
// item: the first one has a value, and can have no such keys.
func (r KeySchema) readDeeper(first Property) []Property {
	switch {
	case first.Value.IsZero():
		return nil
	case first.ValueSchema().IsText || first.ValueField == nil && !first.IsAuthorName:
		return r.readKeys(first.Node)
	}
	var props []Property
	below := first.ValueSchema()
	for c := range KeyedNodes(first.Node, false) {
		if below.isAbove(c) {
			props = append(props, r.Property(c))
		}
	}
	return props
}

// readSiblings returns the keys below a key with a value that are nevertheless its siblings. In a
// text they are in upper case.
func (r KeySchema) readSiblings(p Property) []Property {
	var props []Property
	below := p.ValueSchema()
	for c := range KeyedNodes(p.Node, false) {
		known, _ := tool.Find(r.Fields, c.Key())
		if known != nil && c.Kind() == syntax.Pair && (below.IsText && known.Name == c.Key() || !below.IsText && below.isAbove(c)) {
			props = append(props, r.Property(c))
		}
	}
	return props
}

// isAbove reports whether a line below the first key of an item is a key of the item, and not of
// this place.
func (r KeySchema) isAbove(n syntax.Node) bool {
	if r.itemFields == nil || n.Kind() == syntax.MapPair {
		return false
	}
	name := syntax.Unquote(KeyOf(n).Text())
	own, _ := tool.Find(r.Fields, name)
	item, _ := tool.Find(r.itemFields, name)
	return own == nil && item != nil
}

// hasDeeper reports whether lines with keys are below n.
func hasDeeper(n syntax.Node) bool {
	for c := range n.BlockChildren() {
		if IsKeyed(c) {
			return true
		}
	}
	return false
}

// IsName reports whether the first key of an item is a name of the author's.
func (r KeySchema) IsName(n syntax.Node) bool {
	if r.ItemsNamed {
		return true
	}
	known, _ := tool.Find(r.Fields, n.Key())
	return r.itemsMayBeNamed && known == nil && valueOf(n).IsZero()
}

// flatField returns the field of a property that is directly in the tool instead of in its block;
// nil if there is none of that name.
func flatField(fields []tool.Field, name string) (f *tool.Field, path []string) {
	path = tool.Flat(name)
	for _, step := range path {
		if f, _ = tool.Find(fields, step); f == nil {
			return nil, nil
		}
		fields = f.Fields
	}
	return f, path
}

// hasOnly reports whether all keys below n are among the fields. An extension with a type after it
// is not: published ABL knows that key as a field of an object only.
func hasOnly(n syntax.Node, fields []tool.Field) bool {
	for c := range KeyedNodes(n, true) {
		field, _ := tool.Find(fields, syntax.Unquote(KeyOf(c).Text()))
		if field == nil || field.Edition == tool.Extension && isTypeWord(valueOf(c).UnquotedText()) {
			return false
		}
	}
	return true
}

// isTypeWord reports whether a text is one of the language's own types, or an
// array of one.
func isTypeWord(s string) bool {
	for strings.HasSuffix(s, "[]") {
		s = strings.TrimSuffix(s, "[]")
	}
	return slices.ContainsFunc(tool.ReturnTypes(), func(w tool.Word) bool { return w.Name == s })
}

// hasAny reports whether some key below n is among the fields.
func hasAny(n syntax.Node, fields []tool.Field) bool {
	for c := range KeyedNodes(n, true) {
		if field, _ := tool.Find(fields, syntax.Unquote(KeyOf(c).Text())); field != nil {
			return true
		}
	}
	return false
}
