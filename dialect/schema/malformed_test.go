package schema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect/schema"
	validator "github.com/abl-lsp/abl-lsp/executor/schema"
)

const draft07 = `"$schema": "http://json-schema.org/draft-07/schema#"`

// TestMalformed checks that the faults of invalid schemas are found at their places, and that valid
// schemas have none.
func TestMalformed(t *testing.T) {
	for _, tt := range []struct{ schema, path, what string }{
		{`{"properties": {"a": {"type": "strin"}}}`, "properties.a.type", "`type` cannot be `strin`"},
		{`{"type": ["string", "nul"]}`, "type.1", "`type` cannot be `nul`"},
		{`{"type": []}`, "type", "wants the word for a type"},
		{`{"properties": ["a"]}`, "properties", "wants schemas by name"},
		{`{"properties": {"a": "string"}}`, "properties.a", "`a` wants a schema"},
		{`{"required": "a"}`, "required", "wants a list of names"},
		{`{"required": [1]}`, "required.0", "`required` wants a list of names"},
		{`{"anyOf": []}`, "anyOf", "wants a list of schemas"},
		{`{"items": {"minimum": "1"}}`, "items.minimum", "wants a number"},
		{`{"maxLength": -1}`, "maxLength", "0 or more"},
		{`{"maxLength": 2.0, "exclusiveMaximum": 3, "items": true}`, "", ""},
		{`{"items": [{"type": "string"}]}`, "items", "written `prefixItems`"},
		{`{` + draft07 + `, "items": [{"type": "string"}], "definitions": {"a": {}}, "dependencies": {"a": ["b"]}}`, "", ""},
		{`{` + draft07 + `, "items": [{"type": "strin"}]}`, "items.0.type", "cannot be `strin`"},
		{`{"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true}`, "", ""},
		{`{"$schema": "http://json-schema.org/draft-99/schema#"}`, "$schema", "no draft that is known"},
		{`{"properties": {"a": {"$ref": "#/$defs/b"}}}`, "properties.a.$ref", "`#/$defs/b` leads to nothing"},
		{`{"properties": {"a": {"$ref": "#/$defs/b~1c%20d"}}, "$defs": {"b/c d": {"type": "string"}}}`, "", ""},
		{`{"$defs": {"unused": {"$ref": "#/none"}}}`, "", ""},
		{`{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/none"}}}`, "$defs.a.$ref", "`#/none` leads to nothing"},
		{`{"$ref": "#here", "$defs": {"a": {"$anchor": "here"}}}`, "", ""},
		{`{"properties": {"a": {"$ref": "https://example.com/🛫.json"}}}`, "properties.a.$ref", "another document is never followed"},
		{`{"$id": "https://example.com/a", "$ref": "https://example.com/a#/$defs/b", "$defs": {"b": {}}}`, "", ""},
		{`{"properties": {"a": {"pattern": "[🛫-"}}}`, "properties.a.pattern", "This is no regular expression: unterminated [] set in `[🛫-`."},
		{`{"patternProperties": {"(": {}, "^a": {}}}`, "patternProperties.(", "missing closing ) in `(`."},
		{`{"pattern": "(?=a)\\p{Letter}"}`, "pattern", "no regular expression"},
		{`{"pattern": "^(?<n>\\d)\\k<n>(?=a)(?!b)(?<=c)$", "patternProperties": {"^\\p{Letter}+$": {}}}`, "", ""},
		{`{"default": {"$ref": "https://example.com"}, "enum": [{"type": "strin"}], "x-own": {"type": 1}}`, "", ""},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.what), func(t *testing.T) {
			found := schema.FindMalformed(schema.Read(json.RawMessage(tt.schema)))
			switch {
			case tt.what == "" && len(found) > 0:
				t.Errorf("%s: %v", tt.schema, found)
			case tt.what != "" && (len(found) != 1 || strings.Join(found[0].Path, ".") != tt.path || !strings.Contains(found[0].What, tt.what)):
				t.Errorf("%s: %v, want %q at %s", tt.schema, found, tt.what, tt.path)
			}
		})
	}
}

// TestMalformedInput checks that the schema of the arguments must be of type object.
func TestMalformedInput(t *testing.T) {
	for text, want := range map[string]int{
		`{"type": "array"}`: 1, `{"type": "string"}`: 1, `{"type": "object"}`: 0, `{}`: 0, `{"type": ["object", "null"]}`: 0, `{"type": "objct"}`: 1,
	} {
		t.Run(text, func(t *testing.T) {
			if found := schema.FindMalformedInput(schema.Read(json.RawMessage(text))); len(found) != want {
				t.Errorf("%s: %v", text, found)
			}
		})
	}
}

// TestMalformedIsRefused checks that no schema is called malformed which a run would accept.
func TestMalformedIsRefused(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var cache validator.Cache
	malformed := 0
	for range 20_000 {
		text := anySchema(random, true, 0)
		found := schema.FindMalformed(schema.Read(json.RawMessage(text)))
		if len(found) == 0 {
			continue
		}
		malformed++
		err := cache.Validate(text, map[string]any{})
		if _, misfit := errors.AsType[*validator.Fault](err); err == nil || misfit {
			t.Fatalf("%s\nis called malformed: %s: %s\nand is taken: %v", text, found[0].Path, found[0].What, err)
		}
	}
	if malformed < 1000 {
		t.Errorf("%d are malformed, too few to tell", malformed)
	}
}

// anySchema returns a random schema of any draft, which is sometimes invalid.
func anySchema(r *rand.Rand, root bool, depth int) string {
	if depth > 2 {
		return pick(r, `{}`, `true`, `{"type": "string"}`)
	}
	inner := func() string { return anySchema(r, false, depth+1) }
	values := []func() string{
		func() string { return fmt.Sprintf(`{"a": %s, "b": %s}`, inner(), inner()) },
		inner, inner,
		func() string { return fmt.Sprintf(`[%s]`, inner()) },
		func() string {
			return pick(r, `1`, `"["`, `{"(": {}}`, `"string"`, `"object"`, `["string", "null"]`, `[]`, `-2`, `null`, `true`, `"#/$defs/a"`, `"#/definitions/b"`, `"#/properties/a"`, `"#"`, `"other.json"`, `["a"]`)
		},
	}
	keys := []string{
		"type", "$ref", "items", "properties", "patternProperties", "definitions", "$defs", "dependentSchemas", "additionalProperties", "not",
		"contains", "if", "allOf", "anyOf", "prefixItems", "required", "enum", "title", "minimum", "exclusiveMinimum", "minLength", "uniqueItems", "pattern",
	}
	var parts []string
	if root {
		parts = append(parts, pick(r, `"$comment": "latest"`, draft07, `"$schema": "http://json-schema.org/draft-04/schema#"`,
			`"$schema": "http://json-schema.org/draft-06/schema"`, `"$schema": "https://json-schema.org/draft/2019-09/schema"`))
	}
	for range 1 + r.IntN(3) {
		parts = append(parts, fmt.Sprintf(`%q: %s`, keys[r.IntN(len(keys))], values[r.IntN(len(values))]()))
	}
	return `{` + strings.Join(parts, ", ") + `}`
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }
