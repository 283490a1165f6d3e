package tool

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var (
	str    = &Type{Name: "string"}
	num    = &Type{Name: "number"}
	legs   = &Type{Name: "array", Elem: &Type{Name: "object"}}
	flight = &Type{Name: "object", Declared: true, Fields: []TypeField{
		{Name: "id", Type: str}, {Name: "legs", Type: legs, Optional: true},
	}}
)

func TestTypeString(t *testing.T) {
	for want, typ := range map[string]*Type{
		"":                                   nil,
		"string":                             str,
		"Invoice":                            {Name: "Invoice"},
		"object":                             {Name: "object"},
		"{}":                                 {Name: "object", Declared: true},
		"{id: string, legs?: object[]}[]":    {Name: "array", Elem: flight},
		"{a: {id: string, legs?: object[]}}": {Name: "object", Declared: true, Fields: []TypeField{{Name: "a", Type: flight}}},
		"array":                              {Name: "array"},
		"number[][]":                         {Name: "array", Elem: &Type{Name: "array", Elem: num}},
		"map":                                {Name: "map"},
		"map<number>":                        {Name: "map", Elem: num},
		"enum<[a, b]>":                       {Name: "enum", Enum: []string{"a", "b"}},
		"union<[string, number]>":            {Name: "union", Union: []*Type{str, num}},
		"nullable<string>":                   {Name: "string", Nullable: true},
	} {
		t.Run(want, func(t *testing.T) {
			if got := typ.String(); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestSchemaGolden(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	tool := Tool{
		Params: []Param{
			{Name: "z_first", Type: str, Description: "A & <b>"},
			{Name: "day", Type: &Type{Name: "date"}},
			{Name: "at", Type: &Type{Name: "datetime"}, Optional: true},
			{Name: "count", Type: &Type{Name: "integer"}, Optional: true, Default: raw("12345678901234567890"), MinValue: "1", MaxValue: "10.50"},
			{Name: "ratio", Type: &Type{Name: "float"}, Optional: true, Default: raw("null")},
			{Name: "unit", Type: str, AllowedValues: []json.RawMessage{raw(`"km"`), raw(`"mi"`)}},
			{Name: "code", Type: str, AllowedValues: []json.RawMessage{raw(`"a.*"`)}, ExcludedValues: []json.RawMessage{raw(`"ab"`)}},
			{Name: "flight", Type: flight},
			{Name: "scores", Type: &Type{Name: "map", Elem: num}},
			{Name: "any", Type: &Type{Name: "Invoice"}},
			{Name: "kind", Type: &Type{Name: "enum", Enum: []string{"a", "b"}, Nullable: true}},
			{Name: "either", Type: &Type{Name: "union", Union: []*Type{str, {Name: "array", Elem: num}}}},
			{Name: "hidden", Type: str, Hidden: true},
			{Name: "unseen", Type: str, Visibility: &Visibility{Model: "false"}},
			{Name: "user", Type: str, AuthServices: []AuthClaim{{"g", "sub"}}},
		},
		Returns: &Type{Name: "array", Elem: flight},
	}
	var got bytes.Buffer
	for _, schema := range []json.RawMessage{tool.ArgumentSchema(), tool.ReturnSchema(), Tool{}.ArgumentSchema()} {
		if err := json.Indent(&got, schema, "", "  "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
	}
	const golden = "testdata/schema.golden"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("run go test ./tool -update and read the difference (-want +got):\n%s", diff)
	}
}

// TestSourcedParametersAreNotRequired checks that a parameter with a source is optional, unless the
// source turned out to have no value.
func TestSourcedParametersAreNotRequired(t *testing.T) {
	tool := Tool{Params: []Param{
		{Name: "q", Type: str},
		{Name: "m", Type: str, Source: "model"},
		{Name: "l", Type: str, Source: "lookup"},
		{Name: "tenant", Type: str, Source: "config"},
		{Name: "user", Type: str, Source: "system"},
		{Name: "size", Type: str, Source: "expr"},
	}}
	for want, wanted := range map[string][]string{`["q","m","l"]`: nil, `["q","m","l","user"]`: {"user"}} {
		t.Run(want, func(t *testing.T) {
			var schema struct {
				Properties map[string]any  `json:"properties"`
				Required   json.RawMessage `json:"required"`
			}
			if err := json.Unmarshal(tool.ArgumentSchema(wanted...), &schema); err != nil || string(schema.Required) != want || len(schema.Properties) != 6 {
				t.Errorf("%v: %+v %v", wanted, schema, err)
			}
		})
	}
}

func TestDeclaredSchema(t *testing.T) {
	for _, c := range []struct{ declared, want string }{
		{`{"type": "object"}`, `{"type": "object"}`},
		{`"  {\"type\": \"array\"}\n"`, `{"type": "array"}`},
		{`"{no json"`, `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{}}`},
		{`"./schemas/in.json"`, `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{}}`},
		{``, `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{}}`},
	} {
		t.Run(c.declared, func(t *testing.T) {
			tool := Tool{Common: Common{InputSchema: json.RawMessage(c.declared)}}
			if got := string(tool.ArgumentSchema()); got != c.want {
				t.Errorf("%s: got %s", c.declared, got)
			}
		})
	}
	if got := (Tool{}).ReturnSchema(); got != nil {
		t.Errorf("an undeclared result has the schema %s", got)
	}
	if got := string(Tool{Common: Common{OutputSchema: json.RawMessage(`{}`)}}.ReturnSchema()); got != "{}" {
		t.Errorf("output_schema: got %s", got)
	}
}
