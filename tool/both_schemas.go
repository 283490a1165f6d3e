package tool

import (
	"encoding/json"
	"slices"
)

// withSignature returns schema, an author's input_schema, with those parameters of the signature
// that it does not name; parameters that the signature requires become required. It returns schema
// unchanged if schema is not for an object, or may take names from other schemas.
func (t Tool) withSignature(schema json.RawMessage, wanted []string) json.RawMessage {
	top, _ := Members(schema)
	input := t.input()
	if input.Type != nil && input.Type != "object" || input.isElsewhere(nil) {
		return schema
	}
	props, _ := Members(top.raw("properties"))
	required := slices.Clone(input.Required)
	more := false
	for _, p := range t.Arguments() {
		if !p.isWanted(wanted) {
			continue
		}
		if !props.Has(p.Name) {
			props, more = append(props, Member{p.Name, p.Schema()}), true
		}
		if p.isRequired(wanted) && !slices.Contains(required, p.Name) {
			required, more = append(required, p.Name), true
		}
	}
	if !more {
		return schema
	}
	top = top.With("properties", props)
	if len(required) > 0 {
		top = top.With("required", required)
	}
	return render(top)
}

// raw returns the JSON of o's member with that name; nil if there is none. o must come from
// [Members].
func (o Object) raw(name string) json.RawMessage {
	raw, _ := o.Get(name).(json.RawMessage)
	return raw
}
