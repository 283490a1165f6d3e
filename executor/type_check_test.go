package executor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

func TestCheck(t *testing.T) {
	name := func(n string) *tool.Type { return &tool.Type{Name: n} }
	array := func(e *tool.Type) *tool.Type { return &tool.Type{Name: "array", Elem: e} }
	object := &tool.Type{Name: "object", Declared: true, Fields: []tool.TypeField{
		{Name: "id", Type: name("integer")},
		{Name: "legs", Type: array(name("string")), Optional: true},
		{Name: "sub", Type: &tool.Type{Name: "object", Declared: true, Fields: []tool.TypeField{{Name: "x", Type: name("number")}}}, Optional: true},
	}}
	tests := []struct {
		typ *tool.Type
		ok  string // values that match, separated by blanks
		bad string // values that do not
	}{
		{name("string"), `"" "x"`, `1 null true [] {}`},
		{name("number"), `1 -1.5 1e400`, `"1" null true`},
		{name("float"), `1 1.5`, `"1"`},
		{name("integer"), `1 3.0 -0 3e2 1.50e1 1e999999999 10e-1 0.0e-5 123456789012345678901234567890`, `1.5 1e-1 "1" 15e-1 1.05e1 1e-999999999 null`},
		{name("boolean"), `true false`, `"true" 1 0 null`},
		{name("date"), `"2026-02-28" "2024-02-29"`, `"2026-02-29" "2026-2-1" "01.02.2026" "2026-02-28T00:00:00Z" "" 20260228`},
		{name("datetime"), `"2026-02-28T10:00:00Z" "2026-02-28T10:00:00.5+01:00" "2026-02-28T10:00:00" "2026-02-28T10:00"`, `"2026-02-28" "10:00"`},
		{name("object"), `{} {"a":1}`, `[] "{}" null`},
		{name("array"), `[] [1,"a"]`, `{} "[]" null`},
		{array(name("integer")), `[] [1,2.0]`, `[1,"a"] ["1"] [null] {}`},
		{name("map"), `{} {"a":[1]}`, `[] 1`},
		{&tool.Type{Name: "map", Elem: name("number")}, `{"a":1}`, `{"a":"1"} {"a":1,"b":null}`},
		{object, `{"id":1} {"id":1,"legs":["a"]} {"id":1,"legs":null,"more":1} {"id":1,"sub":{"x":1}}`, `{} {"id":null} {"id":"1"} {"id":1,"legs":[1]} {"id":1,"sub":{}} []`},
		{&tool.Type{Name: "object", Declared: true}, `{} {"a":1}`, `[] null`},
		{&tool.Type{Name: "enum", Enum: []string{"a", "b"}}, `"a"`, `"c" 1 null`},
		{&tool.Type{Name: "union", Union: []*tool.Type{name("string"), name("number")}}, `"a" 1`, `true null`},
		{&tool.Type{Name: "string", Nullable: true}, `null "a"`, `1`},
		{name("Invoice"), `null 1 "a" {} []`, ``},
		{name("any"), `null 1 "a" {} []`, ``},
		{nil, `null 1`, ``},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%.60s", tt.ok), func(t *testing.T) {
			for _, text := range strings.Fields(tt.ok) {
				if err := checkText(t, tt.typ, text, "p"); err != nil {
					t.Errorf("%s is no %s: %v", text, tt.typ, err)
				}
			}
			for _, text := range strings.Fields(tt.bad) {
				if checkText(t, tt.typ, text, "p") == nil {
					t.Errorf("%s is a %s", text, tt.typ)
				}
			}
		})
	}
}

// checkText checks a JSON text against a type, as text and as a decoded value. Both must give the
// same error.
func checkText(t *testing.T, typ *tool.Type, text, path string) error {
	t.Helper()
	v, err := exactjson.Decode[any]([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	ofValue, ofText := checkValue(typ, v, path), addPath(path, checkType(typ, []byte(text)))
	if fmt.Sprint(ofValue) != fmt.Sprint(ofText) {
		t.Errorf("%s of %s: %v as a value, %v as a text", text, typ, ofValue, ofText)
	}
	return ofText
}

// TestGenericMap checks that a parameter of type map accepts only single values as members, and
// that the error names the wrong member.
func TestGenericMap(t *testing.T) {
	generic := &tool.Type{Name: "map"}
	for _, tt := range []struct {
		typ        *tool.Type
		text, want string
	}{
		{generic, `{}`, ""},
		{generic, `{"a":"x","b":1,"c":1.5,"d":false}`, ""},
		{generic, `{"a":1,"b":{"c":1}}`, "settings.b: must be a string or a number or true or false, not an object"},
		{generic, `{"a":[]}`, "settings.a: must be a string or a number or true or false, not an array"},
		{generic, `{"a":null}`, "settings.a: must be a string or a number or true or false, not null"},
		{&tool.Type{Name: "array", Elem: generic}, `[{"a":1},{"a":{}}]`, "settings[1].a: must be a string or a number or true or false, not an object"},
		{&tool.Type{Name: "object", Declared: true, Fields: []tool.TypeField{{Name: "more", Type: generic}}}, `{"more":{"a":[1]}}`, "settings.more.a: must be a string or a number or true or false, not an array"},
		{&tool.Type{Name: "map", Elem: &tool.Type{Name: "object"}}, `{"a":{}}`, ""},
		{&tool.Type{Name: "object"}, `{"a":{"b":[1]}}`, ""},
	} {
		t.Run(tt.text, func(t *testing.T) {
			v, err := exactjson.Decode[any]([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if err := checkParam(tool.Param{Name: "settings", Type: tt.typ}, v); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("%s of %s: %q, want %q", tt.text, tt.typ, got, tt.want)
			}
		})
	}
}

func TestCheckNamesThePlace(t *testing.T) {
	number := &tool.Type{Name: "number"}
	rows := &tool.Type{Name: "array", Elem: &tool.Type{Name: "object", Declared: true, Fields: []tool.TypeField{
		{Name: "scores", Type: &tool.Type{Name: "map", Elem: &tool.Type{Name: "array", Elem: number}}},
	}}}
	for text, want := range map[string]string{
		`[{"scores":{"a":[1]}},{"scores":{"b":[1,"x"]}}]`: `rows[1].scores.b[1]: must be a number, not "x"`,
		`[{}]`: `rows[0].scores: is missing`,
		"[ {\"more\": \"]\\\"\", \"score\\u0073\" : {\"a\" : [ ] , \"🧭\": [ 1\n,2 ],\"b\":[1, null ]} } ]": `rows[0].scores.b[1]: must be a number, not null`,
		`[{"scores":{"a":["x"],"a":[]}}, {"scores":{"z":3,"b":4}}]`:                                        `rows[1].scores.b: must be an array, not 4`,
		`[3]`:                                `rows[0]: must be an object, not 3`,
		`{}`:                                 `rows: must be an array, not an object`,
		`"` + strings.Repeat("ä", 100) + `"`: `rows: must be an array, not "` + strings.Repeat("ä", 29) + `…`,
	} {
		t.Run(fmt.Sprintf("%.60s", text), func(t *testing.T) {
			if err := checkText(t, rows, text, "rows"); err == nil || err.Error() != want {
				t.Errorf("%s: %v, want %s", text, err, want)
			}
		})
	}
	if err := checkType(number, []byte(`"x"`)); err == nil || err.Error() != `must be a number, not "x"` {
		t.Errorf("%v", err)
	}
}
