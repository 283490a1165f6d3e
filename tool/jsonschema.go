package tool

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

const dialect = "https://json-schema.org/draft/2020-12/schema"

// ArgumentSchema returns the JSON Schema (2020-12) of the arguments that a caller gives. It leaves
// out parameters that are not [Param.Shown], except for those that wanted names. An inline
// input_schema wins over the signature, which adds the parameters that the schema does not name.
func (t Tool) ArgumentSchema(wanted ...string) json.RawMessage {
	if s := inlineSchema(t.InputSchema); s != nil {
		return t.withSignature(t.withoutUnseen(s, wanted), wanted)
	}
	var props Object
	var required []string
	for _, p := range t.Arguments() {
		if !p.isWanted(wanted) {
			continue
		}
		props = append(props, Member{p.Name, p.Schema()})
		if p.isRequired(wanted) {
			required = append(required, p.Name)
		}
	}
	return render(Object{{"$schema", dialect}}, objectSchema(props, required))
}

// isWanted reports whether a caller is asked for the parameter.
func (p Param) isWanted(wanted []string) bool {
	return p.Shown() || slices.Contains(wanted, p.Name)
}

// isRequired reports whether a caller must set the parameter.
func (p Param) isRequired(wanted []string) bool {
	return !p.Optional && (p.FromCaller() || slices.Contains(wanted, p.Name))
}

// withoutUnseen returns an author's schema without the parameters that callers do not see.
func (t Tool) withoutUnseen(schema json.RawMessage, wanted []string) json.RawMessage {
	unseen := func(name string) bool {
		i := slices.IndexFunc(t.Params, func(p Param) bool { return p.Name == name })
		return i >= 0 && !t.Params[i].isWanted(wanted)
	}
	if !slices.ContainsFunc(t.Params, func(p Param) bool { return unseen(p.Name) }) {
		return schema
	}
	return withoutProperties(schema, unseen)
}

// ReturnSchema returns the JSON Schema of the result. It is nil if none is declared. An inline
// output_schema wins over the return type.
func (t Tool) ReturnSchema() json.RawMessage {
	if s := inlineSchema(t.OutputSchema); s != nil {
		return s
	}
	if t.Returns == nil {
		return nil
	}
	return render(Object{{"$schema", dialect}}, t.Returns.Schema())
}

// InlineInput returns the input_schema if the tool contains it. It is nil if there is none, or if
// it is in a file.
func (t Tool) InlineInput() json.RawMessage { return inlineSchema(t.InputSchema) }

// InlineOutput returns the output_schema if the tool contains it. It is nil if there is none, or
// if it is in a file.
func (t Tool) InlineOutput() json.RawMessage { return inlineSchema(t.OutputSchema) }

// ArgumentNames returns the names of the parameters, followed by those that only an inline
// input_schema names.
func (t Tool) ArgumentNames() []string {
	params := t.Arguments()
	names := slices.Grow([]string(nil), len(params))
	for _, p := range params {
		names = append(names, p.Name)
	}
	if t.InputSchema == nil {
		return names
	}
	for _, name := range slices.Sorted(maps.Keys(t.input().Properties)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// TakesMore reports whether the input_schema allows other arguments than those that it names, or
// may name others in another schema.
func (t Tool) TakesMore() bool {
	if t.InputSchema == nil {
		return false
	}
	s := t.input()
	return s.takesAny() || s.isElsewhere(t.ArgumentNames())
}

// inputSchema holds the names in an inline input_schema.
type inputSchema struct {
	Type       any            `json:"type"`
	Properties map[string]any `json:"properties"`
	Required   []string       `json:"required"`
	Additional any            `json:"additionalProperties"`
	Pattern    map[string]any `json:"patternProperties"`
	Ref        string         `json:"$ref"`
	AllOf      []inputSchema  `json:"allOf"`
	AnyOf      []inputSchema  `json:"anyOf"`
	OneOf      []inputSchema  `json:"oneOf"`
}

// takesAny reports whether the schema accepts names that it does not list.
func (s inputSchema) takesAny() bool {
	return len(s.Pattern) > 0 || s.Additional != nil && s.Additional != false
}

// isElsewhere reports whether a schema that s refers to or combines may accept names that are not
// in names. An `anyOf` that only says which of names go together accepts no others.
func (s inputSchema) isElsewhere(names []string) bool {
	return s.Ref != "" || slices.ContainsFunc(slices.Concat(s.AllOf, s.AnyOf, s.OneOf), func(part inputSchema) bool {
		return part.takesAny() || part.isElsewhere(names) || slices.ContainsFunc(slices.Collect(maps.Keys(part.Properties)), func(name string) bool {
			return !slices.Contains(names, name)
		})
	})
}

func (t Tool) input() inputSchema {
	var s inputSchema
	if inline := inlineSchema(t.InputSchema); inline != nil {
		_ = json.Unmarshal(inline, &s) // what is not of its form is left out
	}
	return s
}

// inlineSchema returns a declared schema that is written in the tool: an object, or the text of
// one. It is nil for the path of a file.
func inlineSchema(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' || !json.Valid(raw) {
		return nil
	}
	return raw
}

func render(parts ...Object) json.RawMessage {
	var all Object
	for _, p := range parts {
		all = append(all, p...)
	}
	b, err := exactjson.Encode(all)
	if err != nil {
		// A default that is no JSON; Param.Default promises that it is.
		return nil
	}
	return b
}

// Schema returns the JSON Schema of the parameter's values.
func (p Param) Schema() Object {
	o := p.Type.AcceptedType().Schema()
	if p.Description != "" {
		o = append(o, Member{"description", p.Description})
	}
	if len(p.Default) > 0 && string(p.Default) != "null" {
		o = append(o, Member{"default", p.Default})
	}
	if values, ok := plainValues(p.AllowedValues); ok && !o.Has("enum") {
		o = append(o, Member{"enum", values})
	}
	if values, ok := plainValues(p.ExcludedValues); ok {
		o = append(o, Member{"not", Object{{"enum", values}}})
	}
	for _, limit := range []struct {
		name  string
		value Number
	}{{"minimum", p.MinValue}, {"maximum", p.MaxValue}} {
		if json.Valid([]byte(limit.value)) {
			o = append(o, Member{limit.name, json.Number(limit.value)})
		}
	}
	return o
}

// plainValues reports whether there are values and none of them can be a regular expression, which
// a schema's enum cannot express.
func plainValues(values []json.RawMessage) ([]json.RawMessage, bool) {
	for _, v := range values {
		if text := string(bytes.Trim(v, `"`)); regexp.QuoteMeta(text) != text && v[0] == '"' {
			return nil, false
		}
	}
	return values, len(values) > 0
}

// Schema returns the JSON Schema of the type's values. Undeclared named types and a nil type accept
// every value.
func (t *Type) Schema() Object {
	if t == nil {
		return Object{}
	}
	if t.Nullable {
		notNull := *t
		notNull.Nullable = false
		return Object{{"anyOf", []Object{notNull.Schema(), {{"type", "null"}}}}}
	}
	switch {
	case len(t.Enum) > 0:
		return Object{{"type", "string"}, {"enum", t.Enum}}
	case len(t.Union) > 0:
		return Object{{"anyOf", schemas(t.Union)}}
	case t.Declared || t.Name == "object":
		return t.objectSchema()
	}
	switch t.Name {
	case "array":
		return optional(Object{{"type", "array"}}, "items", t.Elem)
	case "map":
		return optional(Object{{"type", "object"}}, "additionalProperties", t.Elem)
	}
	return simpleSchema(t.Name)
}

func simpleSchema(name string) Object {
	switch name {
	case "string", "number", "boolean", "integer":
		return Object{{"type", name}}
	case "float":
		return Object{{"type", "number"}}
	case "date":
		return Object{{"type", "string"}, {"format", "date"}}
	case "datetime":
		return Object{{"type", "string"}, {"format", "date-time"}}
	}
	return Object{}
}

func (t *Type) objectSchema() Object {
	var props Object
	var required []string
	for _, f := range t.Fields {
		s := f.Type.Schema()
		if f.Description != "" {
			s = append(s, Member{"description", f.Description})
		}
		props = append(props, Member{f.Name, s})
		if !f.Optional {
			required = append(required, f.Name)
		}
	}
	if !t.Declared {
		return Object{{"type", "object"}}
	}
	return objectSchema(props, required)
}

func objectSchema(props Object, required []string) Object {
	o := Object{{"type", "object"}, {"properties", props}}
	if len(required) > 0 {
		o = append(o, Member{"required", required})
	}
	return o
}

// optional adds a schema for an element type, unless that is nil.
func optional(o Object, name string, elem *Type) Object {
	if elem == nil {
		return o
	}
	return append(o, Member{name, elem.Schema()})
}

func schemas(types []*Type) []Object {
	out := make([]Object, len(types))
	for i, t := range types {
		out[i] = t.Schema()
	}
	return out
}
