package executor

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

func optional(p tool.Param) tool.Param { p.Optional = true; return p }

func from(source, name, typ, value string) tool.Param {
	p := param(name, typ)
	p.Source, p.Value, p.Hidden = source, value, true
	return p
}

// TestSources checks that a parameter gets the caller's value, else that of its source, else its
// default.
func TestSources(t *testing.T) {
	withDefault := optional(from("config", "limit", "number", "no_such"))
	withDefault.Default = json.RawMessage("7")
	for name, tt := range map[string]struct {
		params []tool.Param
		args   string
		want   string // of the arguments, or a part of the error
		kind   ErrorKind
	}{
		"session":        {[]tool.Param{from("runtime", "user", "string", "user.id")}, `{}`, `{"user":"u7"}`, ""},
		"by its name":    {[]tool.Param{from("system", "tenant", "string", "")}, `{}`, `{"tenant":"acme"}`, ""},
		"in braces":      {[]tool.Param{from("system", "t", "string", "{{session.tenant}}")}, `{}`, `{"t":"acme"}`, ""},
		"config":         {[]tool.Param{from("config", "size", "number", "config.page_size"), from("config", "on", "boolean", "flag")}, `{}`, `{"on":true,"size":20}`, ""},
		"config as text": {[]tool.Param{from("config", "size", "string", "page_size")}, `{}`, `{"size":"20"}`, ""},
		"expression":     {[]tool.Param{from("expr", "both", "string", "UPPER(a) + session.tenant + env.page_size"), param("a", "string")}, `{"a": "x"}`, `{"a":"x","both":"Xacme20"}`, ""},
		"given":          {[]tool.Param{from("runtime", "user", "string", "user.id")}, `{"user": "root"}`, `{"user":"root"}`, ""},
		"default":        {[]tool.Param{withDefault}, `{}`, `{"limit":7}`, ""},
		"left out":       {[]tool.Param{optional(from("runtime", "who", "string", "nobody"))}, `{}`, `{}`, ""},

		"nobody":           {[]tool.Param{from("runtime", "who", "string", "nobody.id")}, `{}`, "f needs who", KindNeeds},
		"look-up":          {[]tool.Param{from("lookup", "code", "string", "")}, `{}`, "f needs code", KindNeeds},
		"hidden":           {[]tool.Param{from("", "code", "string", "")}, `{}`, "f needs code", KindNeeds},
		"session's type":   {[]tool.Param{from("runtime", "n", "number", "tenant")}, `{}`, `n: must be a number, not "acme" (from the session variable tenant)`, KindArguments},
		"config's type":    {[]tool.Param{from("config", "n", "boolean", "page_size")}, `{}`, "n: must be true or false, not 20", KindDefinition},
		"wrong expression": {[]tool.Param{from("expr", "n", "number", "nobody + 1")}, `{}`, "parameters.n.value: ", KindDefinition},
		"no expression":    {[]tool.Param{from("expr", "n", "number", "")}, `{}`, "needs a `value`", KindDefinition},
	} {
		t.Run(name, func(t *testing.T) {
			tl := reading(&spec{}, tt.params...)
			tl.Name = "f"
			r := trusted(tl, tt.args)
			r.Session = json.RawMessage(`{"user": {"id": "u7"}, "tenant": "acme"}`)
			r.Environment.Variables = map[string]string{"page_size": "20", "flag": "true"}
			e := (&runner{}).executor().Run(t.Context(), r)
			switch {
			case kindOf(e) != tt.kind:
				t.Errorf("%s: %+v", name, e.Error)
			case tt.kind == "" && string(e.Value) != tt.want:
				t.Errorf("%s: %s, want %s", name, e.Value, tt.want)
			case tt.kind != "" && !strings.Contains(e.Error.Message, tt.want):
				t.Errorf("%s: %q, want %q", name, e.Error.Message, tt.want)
			}
			if e.Needs != nil && !strings.Contains(string(e.Needs.Arguments), `"required":["`+tt.params[0].Name) {
				t.Errorf("%s: needs %s", name, e.Needs.Arguments)
			}
		})
	}
}

func TestConstraints(t *testing.T) {
	raw := func(values ...string) (out []json.RawMessage) {
		for _, v := range values {
			out = append(out, json.RawMessage(v))
		}
		return out
	}
	color, code, root, n := param("color", "string"), param("code", "string"), param("user", "string"), param("n", "number")
	color.AllowedValues = raw(`"red"`, `"blue"`)
	code.AllowedValues = raw(`"^[A-Z]{2}$"`)
	root.ExcludedValues = raw(`"root"`, `"^adm"`, `"(sys)"`)
	n.MinValue, n.MaxValue = "-2.5", "9007199254740993"
	colors := color
	colors.Name, colors.Type = "colors", &tool.Type{Name: "array", Elem: &tool.Type{Name: "string"}}
	numbers := param("k", "number")
	numbers.AllowedValues = raw("1", "2.50")
	tl := reading(&spec{}, optional(color), optional(code), optional(root), optional(n), optional(colors), optional(numbers))
	for args, want := range map[string]string{
		`{"color": "red"}`: "", `{"color": "redder"}`: `color: must be one of red, blue, not "redder"`,
		`{"code": "DE"}`: "", `{"code": "DEU"}`: "code: must be one of ^[A-Z]{2}$",
		`{"user": "rooty"}`: "", `{"user": "root"}`: "user: must be none of root, ^adm", `{"user": "a sys b"}`: "user: must be none of root, ^adm, (sys)", `{"user": "admin"}`: "user: must be none of",
		`{"n": -2.5}`: "", `{"n": -2.50001}`: "n: must be at least -2.5", `{"n": 9007199254740993}`: "", `{"n": 9007199254740994}`: "n: must be at most 9007199254740993",
		`{"n": 1e999999999999}`: "n: must be at most", `{"colors": ["red", "blue"]}`: "", `{"colors": ["red", "green"]}`: "colors[1]: must be one of",
		`{"k": 1.0}`: "", `{"k": 2.5}`: "", `{"k": 3}`: "k: must be one of 1, 2.50",
	} {
		t.Run(args, func(t *testing.T) {
			e := (&runner{}).executor().Run(t.Context(), trusted(tl, args))
			switch {
			case want == "" && !e.OK:
				t.Errorf("%s: %+v", args, e.Error)
			case want != "" && (kindOf(e) != KindArguments || e.Error.Code != "not-allowed" || !strings.HasPrefix(e.Error.Message, want) || e.Error.Details["path"] == nil):
				t.Errorf("%s: %+v, want %q", args, e.Error, want)
			}
		})
	}
}

func TestSchemas(t *testing.T) {
	tl := reading(&spec{}, param("customer", "object"))
	tl.InputSchema = json.RawMessage(`{"type": "object", "properties": {"customer": {"type": "object", "required": ["email"], "properties": {"email": {"type": "string", "minLength": 3}, "age": {"multipleOf": 0.01}}}}}`)
	tl.OutputSchema = json.RawMessage(`{"properties": {"items": {"items": {"properties": {"price": {"type": "number"}}}}}}`)
	answer := `{"items": [{"price": 1}]}`
	k := &runner{}
	x := k.executor()
	for _, tt := range []struct {
		args, answer, want string
		kind               ErrorKind
	}{
		{`{"customer": {"email": "a@b", "age": 10.50}}`, answer, "", ""},
		{`{"customer": {"email": "a"}}`, answer, "customer.email: ", KindArguments},
		{`{"customer": {}}`, answer, "customer: ", KindArguments},
		{`{"customer": {"email": "a@b"}}`, `{"items": [{"price": 1}, {"price": "2"}]}`, "result.items[1].price: ", KindResult},
	} {
		t.Run(tt.args, func(t *testing.T) {
			k.run = answers(tt.answer)
			e := x.Run(t.Context(), trusted(tl, tt.args))
			if kindOf(e) != tt.kind || tt.want != "" && !strings.HasPrefix(e.Error.Message, tt.want) {
				t.Errorf("%s: %+v", tt.args, e.Error)
			}
		})
	}
	file := filepath.Join(t.TempDir(), "in.json")
	if err := os.WriteFile(file, tl.InputSchema, 0o600); err != nil {
		t.Fatal(err)
	}
	tl.Origin.File = filepath.Join(filepath.Dir(file), "x.tools.abl")
	tl.InputSchema = json.RawMessage(`"./in.json"`)
	if e := x.Run(t.Context(), trusted(tl, `{"customer": {"email": "a"}}`)); kindOf(e) != KindArguments {
		t.Errorf("of a file: %+v", e.Error)
	}
	if e := x.Preview(t.Context(), Request{Tool: tl, Args: json.RawMessage(`{"customer": {"email": "a"}}`)}); !e.OK {
		t.Errorf("an untrusted file was read: %+v", e.Error)
	}
	for _, schema := range []string{`"nowhere.json"`, `{"$ref": "https://example.com/schema.json"}`, `{"$ref": "file:///etc/passwd"}`, `{"type": 5}`} {
		t.Run(schema, func(t *testing.T) {
			tl.InputSchema = json.RawMessage(schema)
			if e := x.Run(t.Context(), trusted(tl, `{"customer": {}}`)); kindOf(e) != KindDefinition || !strings.Contains(e.Error.Message, "input_schema") {
				t.Errorf("%s: %+v", schema, e.Error)
			}
		})
	}
}

// TestSchemaWithoutParameters checks that a schema without properties is applied, but not to
// free-form input.
func TestSchemaWithoutParameters(t *testing.T) {
	k := &runner{}
	for _, tt := range []struct {
		schema, args string
		kind         ErrorKind
	}{
		{`{"type": "object"}`, `{}`, ""},
		{`{"type": "object", "additionalProperties": false}`, `"free"`, ""},
		{`{"type": "object", "required": ["a"]}`, `{}`, KindArguments},
		{`{"type": "object", "minProperties": 1}`, `{}`, KindArguments},
		{`{"$ref": "https://example.com/schema.json"}`, `{}`, KindDefinition},
		{`{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}`, `{}`, KindDefinition},
	} {
		t.Run(tt.schema, func(t *testing.T) {
			tl := reading(&spec{})
			tl.InputSchema = json.RawMessage(tt.schema)
			if e := k.executor().Run(t.Context(), trusted(tl, tt.args)); kindOf(e) != tt.kind {
				t.Errorf("%s: %+v", tt.schema, e.Error)
			}
		})
	}
}

// TestMoreArguments checks that a tool gets arguments that its schema allows but does not name. If
// the schema does not allow them, they are ignored.
func TestMoreArguments(t *testing.T) {
	for _, tt := range []struct{ schema, want string }{
		{`{"properties": {"q": {"type": "string"}}}`, `{"q":"a"}`},
		{`{"properties": {"q": {"type": "string"}}, "additionalProperties": false}`, `{"q":"a"}`},
		{`{"properties": {"q": {"type": "string"}, "n": {"type": "number"}}}`, `{"n":1,"q":"a"}`},
		{`{"properties": {"q": {}, "n": {"type": "number"}}, "required": ["n"], "additionalProperties": false}`, `{"n":1,"q":"a"}`},
		{`{"properties": {"q": {"type": "string"}}, "additionalProperties": true}`, `{"n":1,"q":"a"}`},
		{`{"properties": {"q": {"type": "string"}}, "additionalProperties": {"type": "number"}}`, `{"n":1,"q":"a"}`},
		{`{"patternProperties": {"^n$": {"type": "number"}}}`, `{"n":1,"q":"a"}`},
		{`{"properties": {"q": {"type": "string"}}, "additionalProperties": {"type": "string"}}`, ""},
		{`{"anyOf": [{"required": ["q"]}, {"properties": {"q": {"const": "🛫"}}, "additionalProperties": false}]}`, `{"q":"a"}`},
		{`{"allOf": [{"oneOf": [{"required": ["q"]}, {"properties": {"m": {}}, "required": ["m"]}]}]}`, `{"n":1,"q":"a"}`},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.schema), func(t *testing.T) {
			tl := reading(&spec{}, param("q", "string"))
			tl.InputSchema = json.RawMessage(tt.schema)
			k := &runner{run: func(_ context.Context, c Call) (Result, error) {
				if len(c.Scope.Params) != len(c.Scope.Args) { // what is sent goes by these
					t.Errorf("%s: it is called with %q", tt.schema, c.Scope.Params)
				}
				return Result{Value: encode(c.Scope.Args)}, nil
			}}
			e := k.executor().Run(t.Context(), trusted(tl, `{"q": "a", "n": 1}`))
			if e.OK != (tt.want != "") || e.OK && string(e.Value) != tt.want || !e.OK && (kindOf(e) != KindArguments || !strings.HasPrefix(e.Error.Message, "n: ")) {
				t.Errorf("%s: %s, %+v", tt.schema, e.Value, e.Error)
			}
		})
	}
}

// TestArgumentsOfTheSchema checks that a tool without a signature has the arguments of its schema,
// even one that is named like the free-form input.
func TestArgumentsOfTheSchema(t *testing.T) {
	tl := reading(&spec{})
	tl.InputSchema = json.RawMessage(`{"properties": {"input": {"type": "number"}, "city": {"type": "string"}}, "required": ["city"]}`)
	k := &runner{run: func(_ context.Context, c Call) (Result, error) { return Result{Value: encode(c.Scope.Args)}, nil }}
	e := k.executor().Run(t.Context(), trusted(tl, `{"input": 1, "city": "東京 🛫", "other": true}`))
	if string(e.Value) != `{"city":"東京 🛫","input":1}` || !slices.Equal(e.Warnings, []string{`unknown argument "other" was ignored`}) {
		t.Errorf("%s, %q, %+v", e.Value, e.Warnings, e.Error)
	}
}

// TestMissingOfTheSchema checks that arguments which only the schema requires are asked for
// together with missing parameters. Wrong arguments are reported first. A schema in a file behaves
// like an inline one.
func TestMissingOfTheSchema(t *testing.T) {
	tl := reading(&spec{}, param("city", "string"))
	tl.Name = "book"
	tl.InputSchema = json.RawMessage(`{"properties": {"city": {"minLength": 2}, "nights": {"type": "integer"}, "guests": {"minimum": 1}}, "required": ["nights", "guests"], "minProperties": 2}`)
	inFile := *tl
	inFile.Origin.File = filepath.Join(t.TempDir(), "x.tools.abl")
	inFile.InputSchema = json.RawMessage(`"in.json"`)
	if err := os.WriteFile(filepath.Join(filepath.Dir(inFile.Origin.File), "in.json"), tl.InputSchema, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args, want string
		kind       ErrorKind
	}{
		{`{}`, "book needs city, nights, guests", KindNeeds},
		{`{"city": "Rome"}`, "book needs nights, guests", KindNeeds},
		{`{"nights": 2, "guests": 1}`, "book needs city", KindNeeds},
		{`{"nights": "🛫"}`, "nights: got string, want integer, says input_schema", KindArguments},
		{`{"city": "Rome", "guests": 0}`, "guests: ", KindArguments},
		{`{"city": "R", "nights": 2, "guests": 1}`, "city: minLength", KindArguments},
		{`{"city": "Rome", "nights": 2, "guests": 1}`, "", ""},
	} {
		t.Run(tt.args, func(t *testing.T) {
			for name, tl := range map[string]*tool.Tool{
				"written":   tl,
				"in a file": &inFile,
			} {
				t.Run(name, func(t *testing.T) {
					e := (&runner{}).executor().Run(t.Context(), trusted(tl, tt.args))
					if kindOf(e) != tt.kind || !e.OK && !strings.HasPrefix(e.Error.Message, tt.want) {
						t.Errorf("%s %s: %+v", tl.InputSchema, tt.args, e.Error)
					}
					if asks := e.Needs != nil && strings.Contains(string(e.Needs.Arguments), `"guests"`); asks != (tt.kind == KindNeeds) {
						t.Errorf("%s %s: it asks for %+v", tl.InputSchema, tt.args, e.Needs)
					}
				})
			}
		})
	}
	tl.InputSchema = json.RawMessage(`{"allOf": [{"properties": {"nights": {"type": "integer"}}}], "required": ["guests"]}`)
	if e := (&runner{}).executor().Run(t.Context(), trusted(tl, `{"city": "Rome", "nights": "🛫"}`)); kindOf(e) != KindArguments {
		t.Errorf("what is wrong by one of several schemas: %+v", e.Error)
	}
	tl.InputSchema = json.RawMessage(`{"required": ["nowhere"]}`)
	if e := (&runner{}).executor().Run(t.Context(), trusted(tl, `{"city": "Rome", "nowhere": 1}`)); e.Error == nil || e.Error.Message != "the arguments: missing property 'nowhere', says input_schema" {
		t.Errorf("%+v", e.Error)
	}
}

// TestPathOfAWrongResult checks that the error names the path of a wrong part.
func TestPathOfAWrongResult(t *testing.T) {
	price := []tool.TypeField{{Name: "price", Type: &tool.Type{Name: "number"}}}
	item := &tool.Type{Name: "object", Declared: true, Fields: price}
	tl := reading(&spec{})
	tl.Returns = &tool.Type{Name: "object", Declared: true, Fields: []tool.TypeField{{Name: "items", Type: &tool.Type{Name: "array", Elem: item}}}}
	k := &runner{run: answers(`{"items": [{"price": 1}, {"price": "x"}]}`)}
	e := k.executor().Run(t.Context(), trusted(tl, ""))
	if kindOf(e) != KindResult || !strings.Contains(e.Error.Message, `result.items[1].price: must be a number, not "x"`) || len(e.Value) == 0 {
		t.Errorf("%+v %s", e.Error, e.Value)
	}
}

func processed(block string, params ...tool.Param) *tool.Tool {
	tl := reading(&spec{Text: "{{a}}"}, params...)
	tl.Name = "f"
	tl.Extra = map[string]json.RawMessage{"process": json.RawMessage(block)}
	return tl
}

func TestProcessBefore(t *testing.T) {
	for block, tt := range map[string]struct{ args, want, part string }{
		`{"before": {"params": {"a": "TRIM(a)", "made": "a + '!'"}}}`:                                {`{"a": " x "}`, `{"a":"x","made":"x!"}`, ""},
		`{"before": {"params": {"a": "LENGTH(a)"}}}`:                                                 {`{"a": "x"}`, "", "definition: process.before: params.a: a: must be a string"},
		`{"before": {"require": ["LENGTH(a) > 1"]}}`:                                                 {`{"a": "x"}`, "", "denied: process.before: LENGTH(a) > 1 does not hold"},
		`{"before": {"require": ["LENGTH(a) > 0", "session.user IS SET"]}}`:                          {`{"a": "x"}`, `{"a":"x"}`, ""},
		`{"before": {"require": ["false"], "on_fail": "block(\"Not today.\")"}}`:                     {`{"a": "x"}`, "", "denied: Not today."},
		`{"before": {"require": ["false"], "on_fail": "reask('Which one?')"}}`:                       {`{"a": "x"}`, "", "needs: Which one?"},
		`{"before": {"require": ["false"], "on_fail": "warn(\"Odd.\")"}}`:                            {`{"a": "x"}`, `{"a":"x"}`, "warning: Odd."},
		`{"before": {"params": {"a": "UPPER(a)"}, "require": ["false"], "on_fail": "use_original"}}`: {`{"a": "x"}`, `{"a":"x"}`, "as they were given"},
		`{"before": {"require": ["false"], "on_fail": "fallback(\"{\\\"n\\\": 10.50}\")"}}`:          {`{"a": "x"}`, `{"n": 10.50}`, "not run"},
		`{"before": {"require": ["false"], "on_fail": "fallback(\"none\")"}}`:                        {`{"a": "x"}`, `"none"`, "not run"},
		`{"before": {"require": ["nobody > 1"]}}`:                                                    {`{"a": "x"}`, "", "definition: process.before: require: nobody > 1: "},
		`{"before": {"require": ["nobody > 1"], "on_fail": "warn(\"Odd.\")"}}`:                       {`{"a": "x"}`, `{"a":"x"}`, "warning: Odd."},
		`{"before": {"require": ["false"], "on_fail": "explode"}}`:                                   {`{"a": "x"}`, "", `definition: process.before.on_fail: "explode" is none of`},
		`{"before": {"use": "p1"}}`:                                                                  {`{"a": "x"}`, `{"a":"x"}`, "p1 is a processor of the platform"},
	} {
		t.Run(fmt.Sprintf("%.60s", block), func(t *testing.T) {
			r := trusted(processed(block, param("a", "string")), tt.args)
			r.Session = json.RawMessage(`{"user": 1}`)
			e := (&runner{}).executor().Run(t.Context(), r)
			message := "warning: " + strings.Join(e.Warnings, "; ")
			if e.Error != nil {
				message = string(e.Error.Kind) + ": " + e.Error.Message
			}
			if string(e.Value) != tt.want || e.OK != (tt.want != "") || !strings.Contains(message, tt.part) {
				t.Errorf("%s: %s %q", block, e.Value, message)
			}
		})
	}
}

// TestProcessIsConfirmed checks that a confirmation covers computed arguments.
func TestProcessIsConfirmed(t *testing.T) {
	digest := func(block string) Confirmation {
		tl := processed(block, param("a", "string"))
		tl.Hints.SideEffects = "true"
		return *(&runner{}).executor().Run(t.Context(), trusted(tl, `{"a": "x"}`)).Needs.Confirmation
	}
	one, other := digest(`{"before": {"params": {"b": "1"}}}`), digest(`{"before": {"params": {"b": "2"}}}`)
	if one.Digest == other.Digest || !strings.Contains(one.Summary, "b: 1") {
		t.Errorf("%+v %+v", one, other)
	}
}

func TestProcessAfter(t *testing.T) {
	for block, tt := range map[string]struct{ want, part string }{
		`{"after": {"result": {"total": "result.n + 1", "by": "a"}}}`:                           {`{"by":"x","n":10.50,"total":11.5}`, ""},
		`{"after": {"result": {"total": "nobody"}}}`:                                            {`{"n": 10.50}`, "result: process.after: result.total: "},
		`{"after": {"result": {"total": "nobody"}, "on_fail": "warn(\"Odd.\")"}}`:               {`{"n": 10.50}`, "warning: Odd."},
		`{"after": {"result": {"total": "nobody"}, "on_fail": "use_original"}}`:                 {`{"n": 10.50}`, "as it came"},
		`{"after": {"result": {"total": "nobody"}, "on_fail": "fallback(\"{\\\"n\\\": 1}\")"}}`: {`{"n": 1}`, "fallback"},
		`{"after": {"result": {"total": "nobody"}, "on_fail": "block(\"Bad.\")"}}`:              {`{"n": 10.50}`, "result: Bad."},
	} {
		t.Run(fmt.Sprintf("%.60s", block), func(t *testing.T) {
			k := &runner{run: answers(`{"n": 10.50}`)}
			e := k.executor().Run(t.Context(), trusted(processed(block, param("a", "string")), `{"a": "x"}`))
			message := "warning: " + strings.Join(e.Warnings, "; ")
			if e.Error != nil {
				message = string(e.Error.Kind) + ": " + e.Error.Message
			}
			if string(e.Value) != tt.want || !strings.Contains(message, tt.part) {
				t.Errorf("%s: %s %q", block, e.Value, message)
			}
		})
	}
}

// TestProcessBytes checks that a value computed from base64 bytes is not marked as base64.
func TestProcessBytes(t *testing.T) {
	bytes := &runner{run: func(context.Context, Call) (Result, error) { return Result{Text: "AP8=", Encoding: Base64}, nil }}
	e := bytes.executor().Run(t.Context(), trusted(processed(`{"after": {"result": {"n": "len(result)"}}}`, param("a", "string")), `{"a": "x"}`))
	if string(e.Value) != `{"n":4}` || e.Encoding != "" {
		t.Errorf("%s, encoding %q, %+v", e.Value, e.Encoding, e.Error)
	}
}

func TestActions(t *testing.T) {
	tl := reading(&spec{})
	tl.OnResult = &tool.Outcome{
		Set: tool.Assignments{{Name: "first", Expr: "result.n"}},
		Do: json.RawMessage(`[
			{"SET": "total = result.n * 2"},
			{"SET": {"a": 1, "b": "result.name"}},
			{"IF": "result.n > 100", "SET": "size = 'big'"},
			{"ELSE": null, "SET": "size = 'small'", "LOG": "{{result.name}} has {{ADD(result.n, 1)}}"},
			{"if": "result.n > 1", "CLEAR": ["x.y"]},
			{"IF": "nobody", "SET": "never = 1"},
			{"CALL": {"value": "find", "WITH": {"a": 1}}},
			{"CLEAR": "u, v"},
			{"LOG": {"MESSAGE": "done", "LEVEL": "info"}}]`),
	}
	k := &runner{run: answers(`{"n": 10.5, "name": "tea"}`)}
	e := k.executor().Run(t.Context(), trusted(tl, ""))
	if got := string(encode(e.Set)); got != `{"first":10.5,"total":21,"a":1,"b":"tea","size":"small","x.y":null,"u":null,"v":null}` {
		t.Error(got)
	}
	if e.Console != "tea has 11.5\ndone\n" {
		t.Errorf("%q", e.Console)
	}
	if len(e.Warnings) != 2 || !slices.ContainsFunc(e.Warnings, func(w string) bool { return w == "on_result.do: CALL was left to the platform" }) {
		t.Errorf("%q", e.Warnings)
	}
}

// answers returns a Runner that answers with this JSON.
func answers(raw string) func(context.Context, Call) (Result, error) {
	return func(context.Context, Call) (Result, error) { return Result{Value: json.RawMessage(raw)}, nil }
}
