package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor/schema"
)

func decode(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

const (
	draft2020 = `"$schema": "https://json-schema.org/draft/2020-12/schema"`
	draft07   = `"$schema": "http://json-schema.org/draft-07/schema#"`
)

// TestDrafts checks that a schema is read by its own draft.
func TestDrafts(t *testing.T) {
	var c schema.Cache
	for _, tt := range []struct{ schema, value, fault string }{
		{`{` + draft2020 + `, "prefixItems": [{"type": "number"}], "items": false}`, `[1]`, ""},
		{`{` + draft2020 + `, "prefixItems": [{"type": "number"}], "items": false}`, `[1, 2]`, "[1]: "},
		{`{` + draft07 + `, "items": [{"type": "number"}], "additionalItems": false}`, `[1]`, ""},
		{`{` + draft07 + `, "items": [{"type": "number"}], "additionalItems": false}`, `[1, 2]`, ": "},
		{`{` + draft07 + `, "items": [{"type": "number"}]}`, `["a"]`, "[0]: "},
		{`{` + draft07 + `, "definitions": {"n": {"type": "number"}}, "properties": {"a": {"$ref": "#/definitions/n"}}}`, `{"a": "x"}`, "a: "},
		{`{"$defs": {"n": {"type": "number"}}, "properties": {"a": {"$ref": "#/$defs/n", "maximum": 3}}}`, `{"a": 4}`, "a: "},
		{`{` + draft07 + `, "definitions": {"n": {"type": "number"}}, "properties": {"a": {"$ref": "#/definitions/n", "maximum": 3}}}`, `{"a": 4}`, ""}, // in draft 07, other keys do not count in a schema with a $ref
		{`{` + draft07 + `, "properties": {"per_page": {"type": "integer", "exclusiveMaximum": 101}}}`, `{"per_page": 101}`, "per_page: "},
		{`{"properties": {"id": {"type": "integer", "maximum": 9007199254740993}}}`, `{"id": 9007199254740994}`, "id: "},
		{`{"type": "object", "dependentRequired": {"a": ["b"]}}`, `{"a": 1}`, ": "},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.schema), func(t *testing.T) {
			err := c.Validate(tt.schema, decode(t, tt.value))
			fault, ok := errors.AsType[*schema.Fault](err)
			if ok != (tt.fault != "") || ok && !strings.HasPrefix(fault.Error(), tt.fault) || !ok && err != nil {
				t.Errorf("%s of %s: %v, want %q", tt.value, tt.schema, err, tt.fault)
			}
		})
	}
}

// TestChoices checks that the error for a value that matches none of several schemas names a fault
// for each of them.
func TestChoices(t *testing.T) {
	var c schema.Cache
	for _, tt := range []struct{ schema, value, want string }{
		{`{"properties": {"a": {"oneOf": [{"type": "string"}, {"type": "number", "maximum": 3}]}}}`, `{"a": 4}`,
			"a: it fits none of its schemas: got number, want string; or maximum: got 4, want 3"},
		{`{"anyOf": [{"required": ["b"]}, {"properties": {"a": {"const": "🛫"}}}]}`, `{"a": 4}`,
			": it fits none of its schemas: missing property 'b'; or a: value must be '🛫'"},
		{`{"anyOf": [{"type": "string"}, {"type": "string", "maxLength": 3}]}`, `4`, ": it fits none of its schemas: got number, want string"},
		{`{"properties": {"items": {"items": {"anyOf": [{"properties": {"tags": {"items": {"const": "🛫"}}}}, {"type": "null"}]}}}}`, `{"items": [{"tags": ["🛫", 4]}]}`,
			"items[0]: it fits none of its schemas: tags[1]: value must be '🛫'; or got object, want null"},
		{`{"oneOf": [{"type": "string"}]}`, `4`, ": got number, want string"},
		{`{"oneOf": [{"minimum": 1}, {"minimum": 2}]}`, `4`, ": it fits more than one schema of oneOf, those at 0 and 1"},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.schema), func(t *testing.T) {
			if err := c.Validate(tt.schema, decode(t, tt.value)); err == nil || err.Error() != tt.want {
				t.Errorf("%s of %s: %v, want %q", tt.value, tt.schema, err, tt.want)
			}
		})
	}
}

// TestUnfit checks that the error for a wrong schema tells its author how to correct it.
func TestUnfit(t *testing.T) {
	var c schema.Cache
	for text, want := range map[string]string{
		`{"properties": {"a": {"$ref": "https://example.com/a.json#/x"}}}`: "a $ref leads to https://example.com/a.json, another document",
		`{"properties": {"a": {"$ref": "other.json"}}}`:                    "a $ref leads to other.json, another document",
		`{"$ref": "file:///etc/passwd"}`:                                   "a $ref leads to file:///etc/passwd, another document",
		`{"$schema": "https://example.com/own"}`:                           "$schema names https://example.com/own; known are",
		`{"properties": {"a": {"type": "strng"}}}`:                         "it is no JSON Schema: properties.a.type: ",
		`{"properties": {"a": {"pattern": "(x"}}}`:                         "it is no JSON Schema: properties.a.pattern: ",
		`{"$ref": "#/$defs/none"}`:                                         "$defs/none",
		`{`:                                                                "it is no JSON",
		`{"$ref": "#"}`:                                                    "without end",
		`{"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}`: "without end",
	} {
		t.Run(fmt.Sprintf("%.60s", text), func(t *testing.T) {
			err := c.Validate(text, map[string]any{"a": "x"})
			if _, ok := errors.AsType[*schema.Fault](err); err == nil || ok || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "schema:///") {
				t.Errorf("%s: %v, want %q", text, err, want)
			}
		})
	}
}

// TestPatterns checks that patterns are those of ECMAScript.
func TestPatterns(t *testing.T) {
	var c schema.Cache
	for _, tt := range []struct {
		pattern, text string
		fits          bool
	}{
		{`^(?=.*\d)(?=.*[a-z]).{4,}$`, "ab1c", true},
		{`^(?=.*\d)(?=.*[a-z]).{4,}$`, "abcd", false},
		{`^(?!foo)`, "foobar", false},
		{`(?<=\$)\d+`, "$5", true},
		{`^(a|b)\1$`, "bb", true},
		{`^(a|b)\1$`, "ab", false},
		{`^(?<y>a)\k<y>$`, "aa", true},
		{`^\d$`, "߀", false}, // a digit of another script
		{`^\s$`, "\u00a0", true},
		{`^a$`, "a\n", false},
		{`^.$`, "🛫", true},
		{`^\u{1F6EB}$`, "🛫", true},
		{`^\p{Lu}`, "Äb", true},
		{`^\p{Uppercase_Letter}`, "Äb", true},
		{`^(?i)abc$`, "ABC", true}, // not of ECMAScript, and often met
	} {
		t.Run(tt.pattern, func(t *testing.T) {
			text, _ := json.Marshal(map[string]string{"pattern": tt.pattern})
			err := c.Validate(string(text), tt.text)
			if _, misfit := errors.AsType[*schema.Fault](err); misfit == tt.fits || err != nil && !misfit {
				t.Errorf("%s in %q: %v, want %t", tt.pattern, tt.text, err, tt.fits)
			}
		})
	}
	members := `{"patternProperties": {"^(?!x-)": {"type": "number"}}}`
	if err := c.Validate(members, map[string]any{"x-a": "b", "c": json.Number("1")}); err != nil {
		t.Error(err)
	}
	if err := c.Validate(members, map[string]any{"c": "d"}); err == nil || !strings.HasPrefix(err.Error(), "c: ") {
		t.Errorf("%v", err)
	}
}

// TestBombs checks that validation with small schemas that would take for ever ends early.
func TestBombs(t *testing.T) {
	doubling := func(how, leaf string) string {
		var defs []string
		for i := range 40 {
			defs = append(defs, fmt.Sprintf(`"d%d": {%q: [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}`, i, how, i+1, i+1))
		}
		return `{"$ref": "#/$defs/d0", "$defs": {` + strings.Join(defs, ", ") + `, "d40": ` + leaf + `}}`
	}
	deep := strings.Repeat(`{"x": `, 60) + "1" + strings.Repeat("}", 60)
	for name, tt := range map[string]struct{ schema, value string }{
		"all":    {doubling("allOf", `{"type": "number"}`), `1`},
		"any":    {doubling("anyOf", `{"type": "string"}`), `1`},
		"one":    {doubling("oneOf", `{"enum": [2]}`), `1`},
		"nested": {`{"allOf": [{"properties": {"x": {"$ref": "#"}}}, {"properties": {"x": {"$ref": "#"}}}]}`, deep},

		"pattern":  {`{"pattern": "^(a+)+$"}`, strings.Replace(`"as!"`, "as", strings.Repeat("a", 60), 1)},
		"patterns": {`{"items": {"patternProperties": {"^((a|b)+)+\\1$": {}}}}`, "[{" + `"` + strings.Repeat("ab", 40) + `!": 1}]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var c schema.Cache
			if err := c.Validate(tt.schema, decode(t, tt.value)); err == nil || !strings.Contains(err.Error(), "takes too long") {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestDeep checks that a value with thousands of levels does not use gigabytes, and that it is
// valid if the schema does not look into it.
func TestDeep(t *testing.T) {
	const levels = 9_000
	value := decode(t, strings.Repeat(`{"x":[`, levels/2)+strings.TrimSuffix(strings.Repeat("1,", 20_000), ",")+strings.Repeat("]}", levels/2))
	var c schema.Cache
	for text, want := range map[string]string{
		`{"type": "object", "properties": {"x": {"type": "array"}}}`:                                         "",
		`{"type": "object", "properties": {"x": {"type": "string"}}}`:                                        "x: got array, want string",
		`{"anyOf": [{"properties": {"x": {"items": {"$ref": "#"}}}, "type": "object"}, {"type": "string"}]}`: ": it is nested too deeply to be checked, in 9000 levels",
	} {
		t.Run(fmt.Sprintf("%.60s", text), func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := c.Validate(text, value)
			runtime.ReadMemStats(&after)
			if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 100 {
				t.Errorf("%s takes %d MB", text, used)
			}
			if err == nil && want != "" || err != nil && err.Error() != want {
				t.Errorf("%s: %v, want %q", text, err, want)
			}
		})
	}
}

// TestLarge checks that a large value is not refused like a slow schema.
func TestLarge(t *testing.T) {
	list := make([]any, 300_000)
	for i := range list {
		list[i] = map[string]any{"id": json.Number("1"), "name": "x", "tags": []any{"a", "b"}}
	}
	const repositories = `{"type": "array", "items": {"type": "object", "required": ["id"], "properties": {
		"id": {"type": "number"}, "name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}}}}`
	var c schema.Cache
	if err := c.Validate(repositories, list); err != nil {
		t.Error(err)
	}
}
