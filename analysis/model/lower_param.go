package model

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// lowerParam returns a parameter with what its entry in `parameters:` says; the entry may be the
// zero Property. A value that a key of the language cannot have is no error there: the key may be a
// field of an object.
func lowerParam(d *ParamDecl, entry Property) (tool.Param, []tool.FieldError) {
	p := tool.Param{Name: d.Name, Type: d.Type, Optional: d.Optional}
	if n := d.Node.Child(syntax.FieldDefault); !n.IsZero() {
		p.Default = defaultOf(n, d.Type)
	}
	if !entry.Describes() {
		p.Type = withFields(p.Type, entry.fields())
		return p, nil
	}
	var errs []tool.FieldError
	for _, e := range p.Enrich(valuesOf(entry.Properties())) {
		if f, _, _ := tool.Lookup(tool.ParamFields(), e.Path[0]); f.Edition == tool.Extension {
			e.Path = append([]string{"parameters", d.Name}, e.Path...)
			errs = append(errs, e)
		}
	}
	p.Type = entry.memberType(p.Type)
	return p, errs
}

// defaultOf returns a default as JSON. For a type that takes strings, the text is a string, with or
// without quotes; for one that takes numbers, it may have a spelling that JSON does not allow.
func defaultOf(n syntax.Node, t *tool.Type) []byte {
	if t == nil {
		return exactjson.EncodeOrNil(literalValue(n))
	}
	unquoted := n.Kind() == syntax.Number || n.Kind() == syntax.Boolean
	number, isNumber := tool.Number(n.Text()).Float()
	switch {
	case unquoted && t.Name == "string":
		return exactjson.EncodeOrNil(n.Text())
	case isNumber && IsNumeric(t) && (n.Kind() == syntax.Text || !json.Valid([]byte(n.Text()))):
		return exactjson.EncodeOrNil(number)
	}
	return exactjson.EncodeOrNil(literalValue(n))
}

// IsNumeric reports whether the values of a type are numbers.
func IsNumeric(t *tool.Type) bool {
	return slices.Contains([]string{"number", "integer", "float", "int"}, t.Name)
}

// Describes reports whether the keys below an entry of `parameters:`, or of its `properties:` and
// `items:`, describe the entry. Otherwise they are the fields of its object.
func (p Property) Describes() bool {
	return p.IsAuthorName && len(p.ValueSchema().Fields) > 0 && len(p.Properties()) > 0
}

// memberType returns the type that the keys of a described parameter or field say; t if they say
// none.
func (p Property) memberType(t *tool.Type) *tool.Type {
	for _, key := range p.Properties() {
		switch key.Name() {
		case "type":
			if named := ParseType(key.Text()); named != nil {
				t = named
			}
		}
	}
	for _, key := range p.Properties() {
		switch key.Name() {
		case "properties", "items":
			t = withFields(t, key.fields())
		}
	}
	return t
}

// fields returns the fields of an object, one for each key below p.
func (p Property) fields() []tool.TypeField {
	if p.Node.IsZero() {
		return nil
	}
	var fields []tool.TypeField
	for _, m := range p.Properties() {
		fields = append(fields, m.field())
	}
	for _, o := range p.OptionalFields() {
		fields = append(fields, o.field())
	}
	return fields
}

func (p Property) field() tool.TypeField {
	f := tool.TypeField{Name: p.Name(), Type: ParseType(p.Value.UnquotedText())}
	if p.Describes() {
		f.Type = p.memberType(f.Type)
		for _, key := range p.Properties() {
			switch key.Name() {
			case "description":
				f.Description = key.Text()
			case "required":
				f.Optional = strings.EqualFold(key.Text(), "false") || strings.EqualFold(key.Text(), "no")
			}
		}
	} else {
		f.Type = withFields(f.Type, p.fields())
	}
	if f.Type == nil {
		f.Type = tool.Any()
	}
	return f
}

// OptionalField is `name?: type` in a block or in braces.
type OptionalField struct{ Name, Type Word }

var optionalField = lazyregexp.New(`^(\w+)\?:[ \t]*(.*)$`)

// OptionalFields returns the optional fields below p.
func (p Property) OptionalFields() []OptionalField {
	var out []OptionalField
	add := func(n syntax.Node) {
		if o, ok := OptionalFieldOf(n); ok {
			out = append(out, o)
		}
	}
	for c := range mapOf(p.Node).Children() {
		add(c)
	}
	for c := range p.Node.BlockChildren() {
		add(c)
	}
	return out
}

// OptionalFieldOf returns the name and the type of n, if n is a line or a member `name?: type`; ok
// is false if it is not.
func OptionalFieldOf(n syntax.Node) (o OptionalField, ok bool) {
	s := n.Text()
	m := optionalField.FindStringSubmatchIndex(s)
	if n.Kind() != syntax.Scalar && n.Kind() != syntax.Text || m == nil {
		return OptionalField{}, false
	}
	at := func(from, to int) Word {
		return Word{s[from:to], text.Span{Start: from, End: to}.Shift(n.Span().Start)}
	}
	return OptionalField{at(m[2], m[3]), at(m[4], m[5])}, true
}

func (o OptionalField) field() tool.TypeField {
	f := tool.TypeField{Name: o.Name.Text, Type: ParseType(o.Type.Text), Optional: true}
	if f.Type == nil {
		f.Type = tool.Any()
	}
	return f
}

// withFields returns t with fields: those of the object, or of an array's elements. A type that has
// fields already, or can have none, is returned as it is.
func withFields(t *tool.Type, fields []tool.TypeField) *tool.Type {
	switch {
	case len(fields) == 0:
		return t
	case t == nil || t.Name == "object" && !t.Declared:
		return &tool.Type{Name: "object", Declared: true, Fields: fields}
	case t.Name == "array":
		array := *t
		array.Elem = withFields(t.Elem, fields)
		return &array
	}
	return t
}

// ParseType parses a type as a signature spells it; nil if the text is no type.
func ParseType(s string) *tool.Type { return TypeOf(TypeNode(s)) }

// TypeNode parses a type outside a signature into an entry of its own; the zero Node if the text is
// no type.
func TypeNode(s string) syntax.Node {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsAny(s, "\r\n") {
		return syntax.Node{}
	}
	sections := syntax.Parse("TOOLS:\n  f() -> " + s + "\n").Sections()
	if len(sections) != 1 || len(sections[0].Entries) != 1 {
		return syntax.Node{}
	}
	root := sections[0].Entries[0].Root()
	for n := range root.Preorder() {
		if n.Kind() == syntax.Invalid && !isEnumWord(n) {
			return syntax.Node{}
		}
	}
	returns := root.Child(syntax.FieldReturns)
	if returns.Text() != s { // a comment is after it
		return syntax.Node{}
	}
	return returns
}

// isEnumWord reports whether a node is one of an enum's words, which may have any form.
func isEnumWord(n syntax.Node) bool {
	list := n.Parent()
	return list.Kind() == syntax.TypeList && list.Parent().Child(syntax.FieldName).Text() == "enum"
}
