package model

import (
	"encoding/json"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// value returns the value of the property as tool.Decode takes it: text, a list or an object; nil
// if nothing is written. A value that does not fit the field is passed on as it is, so that Decode
// reports it.
func (p Property) value() any {
	if p.Field == nil {
		return AnyValue(p.Node)
	}
	switch p.Field.Type {
	case tool.String, tool.Expr, tool.CodeType, tool.TypeType:
		return p.textValue()
	case tool.ListType:
		return p.listValue()
	case tool.MapType:
		return p.mapValue()
	case tool.Block:
		return p.blockValue()
	case tool.BlockList:
		return p.blocksValue()
	case tool.AnyType:
		if p.Field.Listed && p.Value.Kind() == syntax.String {
			return []any{p.Value.UnquotedText()} // whatever commas are in it
		}
		return AnyValue(p.Node)
	}
	if p.Value.IsZero() || p.Value.Kind() == syntax.Null {
		return nil
	}
	return p.Value.UnquotedText()
}

func (p Property) textValue() any {
	if p.Value.Kind() == syntax.Null || p.Value.IsZero() && p.IsEmpty() {
		return nil
	}
	return p.Text()
}

func (p Property) listValue() any {
	switch items := p.Items(); {
	case len(items) > 0 || p.Value.Kind() == syntax.List:
		out := make([]any, 0, len(items))
		for _, item := range items {
			out = append(out, item.PlainText())
		}
		return out
	case p.Value.Kind() == syntax.String:
		return []any{p.Value.UnquotedText()}
	case p.Value.Kind() == syntax.Map || p.Value.IsZero() && !p.Block().IsZero():
		return tool.Object{}
	case p.Value.IsZero() || p.Value.Kind() == syntax.Null:
		return nil
	}
	return p.Value.UnquotedText()
}

// oneAssignment matches `name = expression` on the line of its `set:`.
var oneAssignment = lazyregexp.New(`^([\w.\[\]]+)\s*=\s*([^=\s].*)$`)

func (p Property) mapValue() any {
	if p.Field.Fields != nil && hasItems(p.Node) {
		return p.blocksValue()
	}
	if m := oneAssignment.FindStringSubmatch(p.Value.Text()); m != nil && p.Field.Name == "set" {
		return tool.Object{{Name: m[1], Value: m[2]}}
	}
	return p.object(func(m Property) any {
		switch {
		case !m.Value.IsZero():
			return m.Value.UnquotedText()
		case !m.Block().IsZero():
			return tool.Object{} // no single value
		}
		return nil
	})
}

func (p Property) blockValue() any {
	if !p.Field.Open {
		return p.object(Property.value)
	}
	switch v := AnyValue(p.Node).(type) {
	case string:
		if p.Value.IsZero() {
			return nil // lines that are not whole yet
		}
		return v
	case []any:
		return mergeObjects(v)
	default:
		return v
	}
}

// mergeObjects merges the objects in a list into one, since the author's keys may be after dashes.
// Any other list is returned as it is.
func mergeObjects(items []any) any {
	all := tool.Object{}
	for _, item := range items {
		o, ok := item.(tool.Object)
		if !ok {
			return items
		}
		all = append(all, o...)
	}
	return all
}

// object returns the object in the block or in the braces below p, whose values are those that
// value returns. It returns nil if nothing is written, an empty list if p has a list instead, and
// any other value as text.
func (p Property) object(value func(Property) any) any {
	props := p.Properties()
	switch {
	case len(props) > 0 || p.Value.Kind() == syntax.Map:
		return objectOf(props, value)
	case hasItems(p.Node):
		return []any{}
	case p.Value.IsZero() || p.Value.Kind() == syntax.Null:
		return nil
	}
	return p.Value.UnquotedText()
}

// objectOf returns an object that has each name of props once, with what value returns for the last
// property of that name.
func objectOf(props []Property, value func(Property) any) tool.Object {
	o := make(tool.Object, 0, len(props))
	at := make(map[string]int, len(props))
	for _, p := range props {
		i, again := at[p.Name()]
		if !again {
			i, at[p.Name()] = len(o), len(o)
			o = append(o, tool.Member{Name: p.Name()})
		}
		o[i].Value = value(p)
	}
	return o
}

func (p Property) blocksValue() any {
	items := p.Items()
	if len(items) == 0 {
		return p.object(Property.value)
	}
	out := make([]any, 0, len(items))
	for _, item := range items {
		if props := item.Properties(); len(props) > 0 {
			out = append(out, objectOf(props, Property.value))
		} else {
			out = append(out, item.PlainText())
		}
	}
	return out
}

// AnyValue returns what follows the key of n, or n itself, as JSON has it. A value with a block
// below it becomes an object that has the value under "value".
func AnyValue(n syntax.Node) any {
	switch n.Kind() {
	case syntax.Pair, syntax.Step, syntax.MapPair, syntax.Assignment, syntax.Mapping, syntax.Scalar:
	case syntax.ListItem:
		v := Item{Node: n}.Value()
		switch v.Kind() {
		case syntax.ListItem, syntax.Pair, syntax.Assignment, syntax.Mapping:
			return linesValue(n)
		}
		if n.Child(syntax.FieldBlock).IsZero() {
			return AnyValue(v)
		}
		return linesValue(n)
	default:
		return literalValue(n)
	}
	value, block := valueOf(n), n.Child(syntax.FieldBlock)
	switch {
	case block.IsZero():
		return literalValue(value)
	case value.IsZero():
		return linesValue(n)
	}
	rest, _ := linesValue(n).(tool.Object)
	return append(tool.Object{{Name: "value", Value: literalValue(value)}}, rest...)
}

// linesValue returns the lines below n as an object of their keys, a list of their items, or a text
// if they are neither. Keys among items become one more item.
func linesValue(n syntax.Node) any {
	var object tool.Object
	var items []any
	for c := range n.BlockChildren() {
		switch c.Kind() {
		case syntax.ListItem:
			items = append(items, AnyValue(c))
		case syntax.Pair, syntax.Step, syntax.Assignment, syntax.Mapping:
			object = append(object, tool.Member{Name: syntax.Unquote(KeyOf(c).Text()), Value: AnyValue(c)})
		case syntax.Scalar: // a mapping whose source is more than a path
			if from, to, ok := strings.Cut(c.Text(), "->"); ok {
				object = append(object, tool.Member{Name: strings.TrimSpace(from), Value: strings.TrimSpace(to)})
			}
		}
	}
	switch {
	case object == nil && items == nil:
		return strings.Trim(n.Child(syntax.FieldBlock).BlockContent(), "\n")
	case items == nil:
		return object
	case object == nil:
		return items
	}
	return append(items, object)
}

// literalValue returns the value of a literal, a list or a map.
func literalValue(n syntax.Node) any {
	switch n.Kind() {
	case syntax.Number:
		if json.Valid([]byte(n.Text())) {
			return json.Number(n.Text())
		}
	case syntax.Boolean:
		return strings.EqualFold(n.Text(), "true")
	case syntax.Null, syntax.Other:
		return nil
	case syntax.List:
		items := []any{}
		for c := range n.Children() {
			if IsItem(c) {
				items = append(items, literalValue(c))
			}
		}
		return items
	case syntax.Map:
		object := tool.Object{}
		for c := range n.Children() {
			if c.Kind() == syntax.MapPair {
				object = append(object, tool.Member{Name: c.Key(), Value: literalValue(c.Value())})
			}
		}
		return object
	}
	return n.UnquotedText()
}
