package schema

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Clash is a part of a type for which a schema accepts no value.
type Clash struct {
	Path string     // after the value's own name: `.filters[].limit`; "" for the value itself
	Type *tool.Type // of that part
	Want string     // what the schema takes there, in words
}

// FindClash finds a part of t for which the schema n accepts no value; found is false if there is
// none. What is unknown is no clash: a reference, for example, or a type of the author's own.
func FindClash(t *tool.Type, n foreign.Node) (c Clash, found bool) {
	if t == nil || n.Kind != foreign.Map {
		return Clash{}, false
	}
	if accepted := kindsIn(n); accepted&kindsOf(t) == 0 {
		return Clash{Type: t, Want: accepted.String()}, true
	}
	n = only(n)
	if words := enumWords(n); words != nil {
		for _, word := range t.Enum {
			if !slices.Contains(words, word) {
				return Clash{Type: t, Want: "one of `" + strings.Join(words, "`, `") + "`"}, true
			}
		}
	}
	if t.Name == "array" {
		c, found = FindClash(t.Elem, n.Get("items"))
		c.Path = "[]" + c.Path
		return c, found
	}
	for _, f := range t.Fields {
		if c, found := FindClash(f.Type, n.Get("properties").Get(f.Name)); found {
			c.Path = "." + f.Name + c.Path
			return c, true
		}
	}
	return Clash{}, false
}

// only returns the schema that a choice offers besides null. It returns any other schema unchanged.
func only(n foreign.Node) foreign.Node {
	choices := slices.Concat(n.Get("anyOf").Items, n.Get("oneOf").Items)
	options := slices.DeleteFunc(choices, func(o foreign.Node) bool { return o.Get("type").Text == "null" })
	if len(options) == 1 {
		return options[0]
	}
	return n
}

// enumWords returns the words of an `enum`. It returns nil if there is no `enum`, or if it contains
// a value that is no string.
func enumWords(n foreign.Node) []string {
	var words []string
	for _, v := range n.Get("enum").Items {
		if v.Kind != foreign.String {
			return nil
		}
		words = append(words, v.Text)
	}
	return words
}

// kinds is a set of kinds of JSON values.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	numeric
	textual
	list
	object
	all = null | boolean | numeric | textual | list | object
)

// kindWords are the words of JSON Schema for the kinds.
var kindWords = []struct {
	kind  kinds
	words []string
	label string
}{
	{textual, []string{"string"}, "a string"},
	{numeric, []string{"number", "integer"}, "a number"},
	{boolean, []string{"boolean"}, "a boolean"},
	{list, []string{"array"}, "an array"},
	{object, []string{"object"}, "an object"},
	{null, []string{"null"}, "null"},
}

// String says them in words.
func (k kinds) String() string {
	var texts []string
	for _, w := range kindWords {
		if k&w.kind != 0 {
			texts = append(texts, w.label)
		}
	}
	return strings.Join(texts, " or ")
}

func kindOfWord(word string) kinds {
	for _, w := range kindWords {
		if slices.Contains(w.words, word) {
			return w.kind
		}
	}
	return all
}

// kindsIn returns the kinds of values that a schema accepts.
func kindsIn(n foreign.Node) kinds {
	possible := all
	narrow := func(options []foreign.Node, of func(foreign.Node) kinds) {
		if len(options) == 0 {
			return
		}
		var some kinds
		for _, o := range options {
			some |= of(o)
		}
		possible &= some
	}
	switch typeNode := n.Get("type"); typeNode.Kind {
	case foreign.String:
		narrow([]foreign.Node{typeNode}, wordKind)
	case foreign.List:
		narrow(typeNode.Items, wordKind)
	}
	narrow(n.Get("enum").Items, valueKind)
	if fixed, ok := n.Member("const"); ok {
		narrow([]foreign.Node{fixed.Value}, valueKind)
	}
	narrow(n.Get("anyOf").Items, schemaKinds)
	narrow(n.Get("oneOf").Items, schemaKinds)
	if possible == 0 { // it contradicts itself
		return all
	}
	return possible
}

func wordKind(n foreign.Node) kinds { return kindOfWord(n.Text) }

func schemaKinds(n foreign.Node) kinds {
	if n.Kind != foreign.Map {
		return all
	}
	return kindsIn(n)
}

func valueKind(n foreign.Node) kinds {
	switch n.Kind {
	case foreign.Null:
		return null
	case foreign.Bool:
		return boolean
	case foreign.Number:
		return numeric
	case foreign.String:
		return textual
	case foreign.List:
		return list
	case foreign.Map:
		return object
	}
	return all
}

// kindsOf returns the kinds of a type's values.
func kindsOf(t *tool.Type) kinds {
	switch {
	case t == nil:
		return all
	case t.Nullable:
		notNull := *t
		notNull.Nullable = false
		return kindsOf(&notNull) | null
	case len(t.Enum) > 0:
		return textual
	case len(t.Union) > 0:
		var some kinds
		for _, u := range t.Union {
			some |= kindsOf(u)
		}
		return some
	}
	switch t.Name {
	case "string", "date", "datetime":
		return textual
	case "float", "int":
		return numeric
	case "bool":
		return boolean
	case "map":
		return object
	}
	return kindOfWord(t.Name)
}
