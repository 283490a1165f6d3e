package model

import (
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TypeOf returns the type at a node of a signature; nil for the zero Node. Incomplete parts are
// left out.
func TypeOf(n syntax.Node) *tool.Type {
	switch n.Kind() {
	case syntax.TypeIdentifier:
		return &tool.Type{Name: n.Text()}
	case syntax.ArrayType:
		return &tool.Type{Name: "array", Elem: TypeOf(n.Child(syntax.FieldElement))}
	case syntax.ObjectType:
		t := &tool.Type{Name: "object", Declared: true}
		for c := range n.Children() {
			if c.Kind() == syntax.TypeField && !c.Child(syntax.FieldName).IsZero() {
				t.Fields = append(t.Fields, fieldOf(c))
			}
		}
		return t
	case syntax.GenericType:
		return genericOf(n)
	default:
		return nil
	}
}

func fieldOf(n syntax.Node) tool.TypeField {
	f := tool.TypeField{
		Name:     n.Child(syntax.FieldName).Text(),
		Type:     TypeOf(n.Child(syntax.FieldType)),
		Optional: !n.ChildOf(syntax.Question).IsZero(),
	}
	if f.Type == nil {
		f.Type = tool.Any()
	}
	return f
}

// genericOf reads array<T>, map<T>, object<{…}>, enum<[a, b]>, union<[T, U]> and nullable<T>. Any
// other name is a named type.
func genericOf(n syntax.Node) *tool.Type {
	var args []syntax.Node
	for c := range n.Children() {
		if c.Field() != syntax.FieldName && c.Kind() != syntax.Invalid && IsItem(c) {
			args = append(args, c)
		}
	}
	name := n.Child(syntax.FieldName).Text()
	if len(args) == 0 {
		return &tool.Type{Name: name}
	}
	switch arg := args[0]; name {
	case "array", "map":
		return &tool.Type{Name: name, Elem: TypeOf(arg)}
	case "object":
		return TypeOf(arg)
	case "enum":
		t := &tool.Type{Name: "string"}
		for c := range arg.Children() {
			if IsItem(c) {
				t.Enum = append(t.Enum, syntax.Unquote(c.Text()))
			}
		}
		return t
	case "union":
		t := tool.Any()
		for c := range arg.Children() {
			if u := TypeOf(c); u != nil {
				t.Union = append(t.Union, u)
			}
		}
		return t
	case "nullable":
		if t := TypeOf(arg); t != nil {
			t.Nullable = true
			return t
		}
	}
	return &tool.Type{Name: name}
}

// MemberType returns the type of a field, or of an element.
func MemberType(of *tool.Type, part string) *tool.Type {
	switch {
	case of == nil:
		return nil
	case part[0] == '[':
		return of.Elem
	}
	for _, f := range of.Fields {
		if f.Name == part {
			return f.Type
		}
	}
	return nil
}
