package tool

import "strings"

// String is the type as a signature spells it: `{id: string, legs?: object[]}[]`.
// It is "" for nil.
func (t *Type) String() string {
	if t == nil {
		return ""
	}
	if t.Nullable {
		bare := *t
		bare.Nullable = false
		return "nullable<" + bare.String() + ">"
	}
	switch {
	case t.Declared:
		return t.fields()
	case len(t.Enum) > 0:
		return "enum<[" + strings.Join(t.Enum, ", ") + "]>"
	case len(t.Union) > 0:
		return "union<[" + join(t.Union, (*Type).String) + "]>"
	case t.Elem != nil && t.Name == "map":
		return "map<" + t.Elem.String() + ">"
	case t.Elem != nil:
		return t.Elem.String() + "[]"
	}
	return t.Name
}

func (t *Type) fields() string {
	return "{" + join(t.Fields, TypeField.String) + "}"
}

// String is the field as a signature spells it: `legs?: object[]`.
func (f TypeField) String() string {
	if f.Optional {
		return f.Name + "?: " + f.Type.String()
	}
	return f.Name + ": " + f.Type.String()
}

func join[T any](items []T, text func(T) string) string {
	parts := make([]string, len(items))
	for i, item := range items {
		parts[i] = text(item)
	}
	return strings.Join(parts, ", ")
}
