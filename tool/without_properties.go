package tool

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// withoutProperties returns a schema without some of the properties of its values, in all of its
// parts.
func withoutProperties(schema json.RawMessage, isRemoved func(name string) bool) json.RawMessage {
	root, err := exactjson.Decode[any](schema)
	if err != nil {
		return schema
	}
	s := stripper{root: root, gone: isRemoved, followed: map[string]bool{}}
	s.strip(root)
	out, err := exactjson.Encode(root)
	if err != nil {
		return schema
	}
	return out
}

// stripper removes properties from a schema.
type stripper struct {
	root     any
	gone     func(name string) bool
	followed map[string]bool // references, since they may lead in a circle
}

// strip removes properties from what describes the value itself: the schema, the schemas that it
// refers to, and those that it combines.
func (s stripper) strip(at any) {
	schema, ok := at.(map[string]any)
	if !ok {
		return
	}
	if props, ok := schema["properties"].(map[string]any); ok {
		maps.DeleteFunc(props, func(name string, _ any) bool { return s.gone(name) })
	}
	if required, ok := schema["required"].([]any); ok {
		schema["required"] = slices.DeleteFunc(required, func(v any) bool { name, _ := v.(string); return s.gone(name) })
	}
	if ref, ok := schema["$ref"].(string); ok && !s.followed[ref] {
		s.followed[ref] = true
		s.strip(ResolveReference(s.root, ref))
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		all, _ := schema[key].([]any)
		for _, one := range all {
			s.strip(one)
		}
	}
	for _, key := range []string{"if", "then", "else"} {
		s.strip(schema[key])
	}
}
