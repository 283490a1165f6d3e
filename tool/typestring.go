package tool

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// String returns the type as it is written in a signature: `{id: string, legs?: object[]}[]`.
// It is "" for nil.
func (t *Type) String() string {
	if t == nil {
		return ""
	}
	if t.Nullable {
		notNull := *t
		notNull.Nullable = false
		return "nullable<" + notNull.String() + ">"
	}
	switch {
	case t.Declared:
		return t.fields()
	case len(t.Enum) > 0:
		return "enum<[" + join(t.Enum, enumWord) + "]>"
	case len(t.Union) > 0:
		return "union<[" + join(t.Union, (*Type).String) + "]>"
	case t.Elem != nil && t.Name == "map":
		return "map<" + t.Elem.String() + ">"
	case t.Elem != nil:
		return t.Elem.String() + "[]"
	}
	return t.Name
}

var unquotedWord = lazyregexp.New(`^[A-Za-z_][\w-]*$`)

// enumWord returns one of an enum's words, in quotes if it needs them.
func enumWord(s string) string {
	if unquotedWord.MatchString(s) {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

func (t *Type) fields() string {
	return "{" + join(t.Fields, TypeField.String) + "}"
}

// String returns the field as it is written in a signature: `legs?: object[]`.
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

// Signature returns the tool's signature as it is written in ABL. It leaves out the result if none
// is declared.
func (t *Tool) Signature() string { return t.signature(t.Arguments()) }

// CallSignature returns the signature as callers see it, without parameters that are hidden from
// them or come from their identity.
func (t *Tool) CallSignature() string {
	return t.signature(slices.DeleteFunc(slices.Clone(t.Arguments()), func(p Param) bool { return !p.Shown() }))
}

func (t *Tool) signature(params []Param) string {
	s := t.Name + "(" + join(params, Param.String) + ")"
	if t.Returns == nil {
		return s
	}
	return s + " -> " + t.Returns.String()
}

// String returns the parameter as it is written in a signature: `limit: number = 10`.
func (p Param) String() string {
	s := p.Name
	if p.Optional && p.Default == nil {
		s += "?"
	}
	s += ": " + p.Type.String()
	if p.Default != nil {
		s += " = " + string(p.Default)
	}
	return s
}
