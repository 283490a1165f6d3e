package tool

import (
	"encoding/json"
	"slices"
	"strings"
)

// ModelContext says what a model sees of a result: the fields, or the text of a template.
type ModelContext struct {
	Fields   []string `json:"fields"`   // paths such as rows[].id
	Template *string  `json:"template"` // with {{result.x}}; nil: none
}

// Unavailable replaces a value that a result lacks, in the text that a model reads.
const Unavailable = "unavailable"

// ModelContext returns the tool's `model_context`. It is nil if a model sees the whole result.
func (t Tool) ModelContext() *ModelContext {
	var c ModelContext
	if raw := t.Extra["model_context"]; raw == nil || json.Unmarshal(raw, &c) != nil || len(c.Fields) == 0 && c.Template == nil {
		return nil
	}
	return &c
}

// ModelSchema returns the JSON Schema of the part of the result that a model sees. It is nil if
// none is declared, or if that part is text.
func (t Tool) ModelSchema() json.RawMessage {
	whole, c := t.ReturnSchema(), t.ModelContext()
	if c == nil || whole == nil {
		return whole
	}
	var schema map[string]any
	if len(c.Fields) == 0 || json.Unmarshal(whole, &schema) != nil {
		return nil
	}
	cut, _ := c.parts().schema(schema).(map[string]any)
	for _, key := range []string{"$schema", "$defs", "definitions"} {
		if v, ok := schema[key]; ok {
			cut[key] = v
		}
	}
	raw, err := json.Marshal(cut)
	if err != nil {
		return nil
	}
	return raw
}

// Select returns the part of result that the fields of c name. Numbers in result are json.Number. A
// field that result lacks is [Unavailable].
func (c *ModelContext) Select(result any) any { return c.parts().selectFrom(result) }

// visibleParts are the parts of a value that the fields of a model_context name: parts of each
// element of a list, or some members of an object, in order. Without either, they are the whole
// value.
type visibleParts struct {
	elements *visibleParts
	names    []string
	members  map[string]*visibleParts
}

func (c *ModelContext) parts() *visibleParts {
	root := &visibleParts{}
	for _, path := range c.Fields {
		at := root
		for step := range strings.SplitSeq(path, ".") {
			name := strings.TrimRight(step, "[]")
			if name != "" {
				at = at.member(name)
			}
			for range strings.Count(step, "[]") {
				at = at.element()
			}
		}
	}
	return root
}

func (p *visibleParts) member(name string) *visibleParts {
	if p.members == nil {
		p.members = map[string]*visibleParts{}
	}
	if p.members[name] == nil {
		p.members[name] = &visibleParts{}
		p.names = append(p.names, name)
	}
	return p.members[name]
}

func (p *visibleParts) element() *visibleParts {
	if p.elements == nil {
		p.elements = &visibleParts{}
	}
	return p.elements
}

func (p *visibleParts) coversWholeValue() bool { return p.elements == nil && p.members == nil }

func (p *visibleParts) selectFrom(v any) any {
	if p.coversWholeValue() {
		return v
	}
	if p.elements != nil {
		list, ok := v.([]any)
		if !ok {
			return Unavailable
		}
		out := make([]any, len(list))
		for i, item := range list {
			out[i] = p.elements.selectFrom(item)
		}
		return out
	}
	members, ok := v.(map[string]any)
	if !ok {
		return Unavailable
	}
	out := make(Object, 0, len(p.names))
	for _, name := range p.names {
		m := Member{Name: name, Value: Unavailable}
		if v, has := members[name]; has {
			m.Value = p.members[name].selectFrom(v)
		}
		out = append(out, m)
	}
	return out
}

// schema returns the JSON Schema of the parts, given that of the whole. A part that may be missing
// may also be [Unavailable]. Parts that the schema does not describe may be anything.
func (p *visibleParts) schema(whole any) any {
	s, _ := whole.(map[string]any)
	switch {
	case p.coversWholeValue():
		return whole
	case p.elements != nil && s["type"] == "array":
		return map[string]any{"type": "array", "items": p.elements.schema(s["items"])}
	case p.elements != nil || s["type"] != "object":
		return map[string]any{}
	}
	declared, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	properties := map[string]any{}
	for _, name := range p.names {
		part, says := declared[name]
		switch {
		case !says || part == nil:
			properties[name] = map[string]any{}
		case slices.Contains(required, any(name)):
			properties[name] = p.members[name].schema(part)
		default:
			properties[name] = map[string]any{"anyOf": []any{p.members[name].schema(part), map[string]any{"const": Unavailable}}}
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": p.names}
}
