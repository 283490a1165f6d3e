package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestReferences checks that a parameter has the type to which its reference leads, at any place of
// the schema. A reference to nothing, to itself or to another document gives the type any.
func TestReferences(t *testing.T) {
	const defs = `"$defs": {
		"Point": {"type": "object", "description": "Where 🛫", "properties": {"x": {"type": "integer"}, "y": {"$ref": "#/$defs/Size"}}, "required": ["x"]},
		"Size": {"type": "number", "minimum": 1}, "Unit": {"enum": ["km", "mi"]}, "Same": {"$ref": "#/$defs/Unit"},
		"Tree": {"type": "object", "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}},
		"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}, "definitions": {"Old/er": {"type": "string", "format": "date"}},
		"allOf": [{}, {"type": "boolean"}]`
	for param, want := range map[string]string{
		`{"$ref": "#/$defs/Point"}`:                                            "p: {x: integer, y?: number}",
		`{"type": "array", "items": {"$ref": "#/$defs/Point"}}`:                "p: {x: integer, y?: number}[]",
		`{"$ref": "#/$defs/Same"}`:                                             "p: enum<[km, mi]>",
		`{"$ref": "#/definitions/Old~1er"}`:                                    "p: date",
		`{"$ref": "#/definitions/Old%7E1er"}`:                                  "p: date",
		`{"anyOf": [{"$ref": "#/$defs/Size"}, {"type": "null"}]}`:              "p: nullable<number>",
		`{"type": "object", "additionalProperties": {"$ref": "#/$defs/Size"}}`: "p: map<number>",
		`{"$ref": "#/$defs/Size", "default": 2}`:                               "p: number = 2",
		`{"$ref": "#/$defs/Tree"}`:                                             "p: {name?: string, children?: any[]}",
		`{"$ref": "#/$defs/A"}`:                                                "p: any",
		`{"$ref": "#"}`:                                                        "p: any",
		`{"$ref": "#/allOf/1"}`:                                                "p: boolean",
		`{"$ref": "#/allOf/2"}`:                                                "p: any",
		`{"$ref": "#/$defs/Nowhere"}`:                                          "p: any",
		`{"$ref": "https://schemas.example.com/a.json"}`:                       "p: any",
	} {
		t.Run(fmt.Sprintf("%.60s", param), func(t *testing.T) {
			raw := fmt.Sprintf(`{"type": "object", %s, "properties": {"p": %s}, "required": ["p"]}`, defs, param)
			params, _ := schema.Params(schema.Read(json.RawMessage(raw)))
			if len(params) != 1 || params[0].String() != want {
				t.Errorf("%s: %v, want %s", param, params, want)
			}
		})
	}
	params, _ := schema.Params(schema.Read(json.RawMessage(`{"type": "object", ` + defs + `, "properties": {"a": {"$ref": "#/$defs/Point"}, "b": {"$ref": "#/$defs/Size", "description": "Own"}}}`)))
	if params[0].Description != "Where 🛫" || params[1].Description != "Own" || params[1].MinValue != "1" {
		t.Errorf("%+v", params)
	}
}

// TestManyReferences checks that parts which each refer to the next one twice are read in bounded
// time.
func TestManyReferences(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref": "#/$defs/d0", "$defs": {`)
	for i := range 60 {
		fmt.Fprintf(&b, `"d%d": {"type": "object", "properties": {"a": {"$ref": "#/$defs/d%d"}, "b": {"$ref": "#/$defs/d%d"}}},`, i, i+1, i+1)
	}
	b.WriteString(`"d60": {"type": "string"}}}`)
	var fields func(of *tool.Type) int
	fields = func(of *tool.Type) (n int) {
		for _, f := range of.Fields {
			n += 1 + fields(f.Type)
		}
		return n
	}
	if n := fields(schema.Type(schema.Read(json.RawMessage(b.String())))); n < 60 || n > 1000 {
		t.Errorf("%d fields", n)
	}
}
