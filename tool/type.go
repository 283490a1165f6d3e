package tool

import "slices"

// Type is a parameter's or a result's type.
//
//	string number boolean date datetime object array   the language's own
//	integer float map any                              extensions and soft names
//	Invoice                                            a named type: declared nowhere, matches all
type Type struct {
	Name     string      `json:"name"`
	Elem     *Type       `json:"elem,omitempty"`     // of an array or a map; nil: anything
	Fields   []TypeField `json:"fields,omitempty"`   // of an object; see Closed
	Declared bool        `json:"declared,omitempty"` // an object whose fields are given, `{}` included
	Enum     []string    `json:"enum,omitempty"`     // the words of enum<[…]>
	Union    []*Type     `json:"union,omitempty"`    // the types of union<[…]>
	Nullable bool        `json:"nullable,omitempty"`
}

// TypeField is one field of an object type.
type TypeField struct {
	Name        string `json:"name"`
	Type        *Type  `json:"type"`
	Optional    bool   `json:"optional,omitempty"`
	Description string `json:"description,omitempty"`
}

// Any returns the type that accepts every value.
func Any() *Type { return &Type{Name: "any"} }

// AcceptedType returns the type of a parameter's values as callers may give them. It differs only
// for a map without an element type, which accepts only strings, numbers and booleans as members.
func (t *Type) AcceptedType() *Type {
	if t == nil || t.Name != "map" && t.Elem == nil && t.Fields == nil {
		return t
	}
	accepted := *t
	if t.Name == "map" && t.Elem == nil {
		accepted.Elem = &Type{Name: "any", Union: []*Type{{Name: "string"}, {Name: "number"}, {Name: "boolean"}}}
	} else {
		accepted.Elem = t.Elem.AcceptedType()
	}
	accepted.Fields = slices.Clone(t.Fields)
	for i, f := range t.Fields {
		accepted.Fields[i].Type = f.Type.AcceptedType()
	}
	return &accepted
}
