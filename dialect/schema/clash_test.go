package schema_test

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
)

func TestFindClash(t *testing.T) {
	for _, tt := range []struct {
		written, schema string
		path, want      string // of the clash; want "" for none
	}{
		{"string", `{"type": "string"}`, "", ""},
		{"string", `{"type": "number"}`, "", "a number"},
		{"number", `{"type": "integer"}`, "", ""},
		{"integer", `{"type": "number"}`, "", ""},
		{"date", `{"type": "string"}`, "", ""},
		{"datetime", `{"type": "string", "format": "date"}`, "", ""},
		{"boolean", `{"type": ["string", "null"]}`, "", "a string or null"},
		{"nullable<boolean>", `{"type": ["string", "null"]}`, "", ""},
		{"string", `{}`, "", ""},
		{"string", `{"$ref": "#/$defs/X"}`, "", ""},
		{"string", `true`, "", ""},
		{"Invoice", `{"type": "number"}`, "", ""},
		{"any", `{"type": "number"}`, "", ""},
		{"string", `{"anyOf": [{"type": "number"}, {"type": "null"}]}`, "", "a number or null"},
		{"string", `{"oneOf": [{"type": "number"}, {"type": "string"}]}`, "", ""},
		{"string", `{"anyOf": [{"$ref": "x"}, {"type": "number"}]}`, "", ""},
		{"string", `{"enum": [1, 2]}`, "", "a number"},
		{"number", `{"const": "a"}`, "", "a string"},
		{"enum<[a, b]>", `{"type": "string", "enum": ["a", "b", "c"]}`, "", ""},
		{"enum<[a, x]>", `{"type": "string", "enum": ["a", "b"]}`, "", "one of `a`, `b`"},
		{"enum<[a, x]>", `{"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}`, "", "one of `a`, `b`"},
		{"string", `{"type": "string", "enum": ["a", "b"]}`, "", ""},
		{"union<[string, number]>", `{"type": "boolean"}`, "", "a boolean"},
		{"union<[string, number]>", `{"type": "number"}`, "", ""},
		{"string[]", `{"type": "array", "items": {"type": "number"}}`, "[]", "a number"},
		{"string[]", `{"type": "array"}`, "", ""},
		{"array", `{"type": "array", "items": {"type": "number"}}`, "", ""},
		{"string[]", `{"type": "string"}`, "", "a string"},
		{"{a: {b: string}[]}", `{"type": "object", "properties": {"a": {"type": "array", "items": {"properties": {"b": {"type": "boolean"}}}}}}`, ".a[].b", "a boolean"},
		{"{a: string}", `{"type": "object", "properties": {"b": {"type": "number"}}}`, "", ""},
		{"object", `{"type": "array"}`, "", "an array"},
		{"map<string>", `{"type": "object"}`, "", ""},
		{"string", `{"type": "string", "enum": [1]}`, "", ""},
		{"string", `{"type": "strange"}`, "", ""},
	} {
		t.Run(tt.written, func(t *testing.T) {
			c, found := schema.FindClash(model.ParseType(tt.written), schema.Read([]byte(tt.schema)))
			if found != (tt.want != "") || found && (c.Path != tt.path || c.Want != tt.want || c.Type == nil) {
				t.Errorf("%s and %s: %v %+v, want %q %q", tt.written, tt.schema, found, c, tt.path, tt.want)
			}
		})
	}
}

// FuzzClash checks that a type which is made from a schema fits this schema, and that nothing
// panics.
func FuzzClash(f *testing.F) {
	for _, s := range []string{
		`{"type": "object", "properties": {"a": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "null"}]}}, "required": ["a"]}`,
		`{"type": ["array", "null"], "items": {"type": "integer", "enum": [1]}}`,
		`{"enum": ["a", 1]}`, `{"type": "number", "enum": ["a"]}`, `{"type": "string", "const": 1}`, `{"oneOf": [true]}`, `[]`, ``,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		n := schema.Read([]byte(source))
		c, found := schema.FindClash(schema.Type(n), n)
		if found && !strings.Contains(source, "const") { // which no type can say
			t.Errorf("%s does not take %s at %q, but %s", source, c.Type, c.Path, c.Want)
		}
	})
}
