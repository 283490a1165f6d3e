package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// shownAs returns a lowered tool as JSON, then what could not be read.
func shownAs(t *testing.T, l LoweredTool) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(l.Tool); err != nil {
		t.Fatal(err)
	}
	for _, d := range l.Diagnostics {
		text := l.Declared.File.Doc.Text()[d.Span.Start:d.Span.End]
		fmt.Fprintf(&b, "%s %s %q: %s\n", d.Severity, d.Code, text, d.Message)
	}
	return b.String()
}

func TestLower(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"signature", `
  t(a: string, b: number = -1.5, c?: date, d: string[] = ["x", y], e: string = 10115, f: object = null) -> {id: string, legs?: object[]}
    description: "Does it"
`, `{"name":"t","description":"Does it","params":[
{"name":"a","type":{"name":"string"}},
{"name":"b","type":{"name":"number"},"optional":true,"default":-1.5},
{"name":"c","type":{"name":"date"},"optional":true},
{"name":"d","type":{"name":"array","elem":{"name":"string"}},"optional":true,"default":["x","y"]},
{"name":"e","type":{"name":"string"},"optional":true,"default":"10115"},
{"name":"f","type":{"name":"object"},"optional":true,"default":null}],
"returns":{"name":"object","fields":[{"name":"id","type":{"name":"string"}},{"name":"legs","type":{"name":"array","elem":{"name":"object"}},"optional":true}],"declared":true}}
`},
		{"what a number or a word may look like", `
  t(a: number = 1e5, b: number = 007, c: enum<["a b", c]> = "a b") -> array<string>
`, `{"name":"t","params":[
{"name":"a","type":{"name":"number"},"optional":true,"default":100000},
{"name":"b","type":{"name":"number"},"optional":true,"default":7},
{"name":"c","type":{"name":"string","enum":["a b","c"]},"optional":true,"default":"a b"}],
"returns":{"name":"array","elem":{"name":"string"}}}
`},
		{"hand-over of secrets as a list", `
  t() -> string
    RESULT_SECRETS:
      - a.b -> c (ttl: 60)
      - d -> e
`, `{"name":"t","returns":{"name":"string"},"extra":{"RESULT_SECRETS":{"a.b":"c (ttl: 60)","d":"e"}}}
`},
		{"no arrow", `
  t()
`, `{"name":"t","returns":{"name":"object"}}
`},
		{"aliases, casing, flat spellings", `
  t() -> string
    TYPE: HTTP
    Endpoint: /a
    method: post
    body: '{"x": 1}'
    cacheable: yes
    confirm: ALWAYS
    hints:
      latency: Fast
`, `{"name":"t","returns":{"name":"string"},"type":"http",
"spec":{"endpoint":"/a","method":"POST","body_template":"{\"x\": 1}"},
"hints":{"cacheable":"true","latency":"fast"},"confirmation":{"require":"always"}}
`},
		{"shared defaults", `
  base_url: "https://api.example.com"
  auth: bearer
  timeout: 5000
  headers:
    X-A: "1"
    X-B: "2"
  t() -> string
    type: http
    endpoint: "/a"
    method: GET
    timeout: 100
    headers: {x-b: "3"}
  file: "/nowhere"
`, `{"name":"t","returns":{"name":"string"},"type":"http",
"spec":{"endpoint":"/a","base_url":"https://api.example.com","method":"GET","auth":"bearer","headers":{"X-A":"1","x-b":"3"},"timeout":"100"}}
`},
		{"code and templates are text", `
  t() -> string
    type: sandbox
    runtime: javascript
    code: |
      const a = {
        b: 1,
      };

      return a; # not a comment
`, `{"name":"t","returns":{"name":"string"},"type":"sandbox",
"spec":{"runtime":"javascript","code":"const a = {\n  b: 1,\n};\n\nreturn a; # not a comment"}}
`},
		{"parameters", `
  t(guest: object, extras: object[], city: string, id: string, n: number) -> string
    parameters:
      guest:
        full_name: string
        phone?: string
        address:
          street: string
      extras:
        sku: string
      city:
        description: "Which"
        type: string[]
        required: false
      id:
        source: lookup(people)
        key: user.id
      n:
        min_value: few
        required: boolean
      nobody:
        description: "no such parameter"
`, `{"name":"t","params":[
{"name":"guest","type":{"name":"object","fields":[{"name":"full_name","type":{"name":"string"}},{"name":"address","type":{"name":"object","fields":[{"name":"street","type":{"name":"string"}}],"declared":true}},{"name":"phone","type":{"name":"string"},"optional":true}],"declared":true}},
{"name":"extras","type":{"name":"array","elem":{"name":"object","fields":[{"name":"sku","type":{"name":"string"}}],"declared":true}}},
{"name":"city","type":{"name":"array","elem":{"name":"string"}},"optional":true,"description":"Which"},
{"name":"id","type":{"name":"string"},"source":"lookup","key":"user.id","table":"people"},
{"name":"n","type":{"name":"number"}}],
"returns":{"name":"string"}}
error invalid-value "few": ` + "`min_value` wants a number, not `few`." + `
`},
		{"fields as a list", `
  t(extras: object[]) -> string
    parameters:
      extras:
        - sku: string
        - count: number
`, `{"name":"t","params":[
{"name":"extras","type":{"name":"array","elem":{"name":"object","fields":[{"name":"sku","type":{"name":"string"}},{"name":"count","type":{"name":"number"}}],"declared":true}}}],
"returns":{"name":"string"}}
`},
		{"outcomes", `
  t() -> string
    on_result:
      set:
        a.b: result.c
        d = result.e
    on_error:
      SET: problem = error.message
      do:
        - LOG: "x"
        - CALL: t
            WITH:
              a: 1
`, `{"name":"t","returns":{"name":"string"},
"on_result":{"set":[{"name":"a.b","expr":"result.c"},{"name":"d","expr":"result.e"}]},
"on_error":{"set":[{"name":"problem","expr":"error.message"}],"do":[{"LOG":"x"},{"CALL":{"value":"t","WITH":{"a":1}}}]}}
`},
		{"one wrong value costs that property alone", `
  t() -> string
    type: http
    endpoint: "/a"
    method: GTE
    timeout: 5s
    circuit_breaker: {threshold: three}
    query_params: [a]
    store_result: maybe
    hints: fast
    cacheable: perhaps
`, `{"name":"t","returns":{"name":"string"},"type":"http","spec":{"endpoint":"/a","circuit_breaker":{}}}
error invalid-value "three": ` + "`threshold` wants a number, not `three`." + `
error invalid-value "fast": ` + "`hints` wants its properties in the lines below: `cacheable`, `latency`, `side_effects`, `requires_auth`, `timeout`." + `
error invalid-value "GTE": ` + "`method` cannot be `GTE`; did you mean `GET`?" + `
error invalid-value "a": ` + "`query_params` wants `name: value` in the lines below, or `{name: value}`." + `
error invalid-value "maybe": ` + "`store_result` wants `true` or `false`, not `maybe`." + `
error invalid-value "5s": ` + "`timeout` wants a number, not `5s`." + `
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := workspaceOf("== /a.tools.abl ==\nTOOLS:" + tt.source)
			l, ok := Lower(w, "/a.tools.abl", "t")
			if !ok {
				t.Fatal("no tool t")
			}
			got := shownAs(t, l)
			first, rest, _ := strings.Cut(tt.want, "}\n")
			want := strings.ReplaceAll(first, "\n", "") + "}\n" + rest
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLowerAcrossFiles(t *testing.T) {
	w := workspaceOf(`== /x/a.agent.abl ==
AGENT: A
EXECUTION:
  tool_timeout: 1500
TOOLS:
  file: "./lib/b.tools.abl" [ping]

  local() -> string
== /x/lib/b.tools.abl ==
# 😀
TOOLS:
  base_url: "https://b.example.com"

  pong() -> string

  ping() -> string
    type: http
    endpoint: "/ping"
    method: GET
    hints:
      timeout: nonsense
`)
	l, ok := Lower(w, "/x/a.agent.abl", "ping")
	if !ok {
		t.Fatal("no tool ping")
	}
	if l.Tool.Spec.(*tool.HTTP).BaseURL != "https://b.example.com" {
		t.Error("the library's own defaults do not hold")
	}
	if want := (tool.Origin{System: "abl", File: "/x/lib/b.tools.abl", Line: 7}); !reflect.DeepEqual(l.Tool.Origin, want) {
		t.Errorf("origin %+v, want %+v", l.Tool.Origin, want)
	}
	if l.ToolTimeout != 1500*time.Millisecond {
		t.Errorf("tool timeout %v", l.ToolTimeout)
	}
	if len(l.Diagnostics) != 1 {
		t.Errorf("%d diagnostics, want 1", len(l.Diagnostics))
	}
	if _, ok := Lower(w, "/x/a.agent.abl", "pong"); ok {
		t.Error("pong is not imported")
	}
	var names []string
	for _, l := range LowerAll(w, "/x/a.agent.abl") {
		names = append(names, l.Tool.Name)
	}
	if got := strings.Join(names, " "); got != "local ping" {
		t.Errorf("tools are %s", got)
	}
}

// TestLowerCodeLines checks the lines on which a tool's code is.
func TestLowerCodeLines(t *testing.T) {
	w := workspaceOf("== /x/a.tools.abl ==\nTOOLS:\r\n" +
		"  block() -> string\r\n    type: sandbox\r\n    runtime: python\r\n    code: |\r\n\r\n      x = '😀'\r\n\r\n      return x\r\n" +
		"  quoted() -> string\r\n    type: sandbox\r\n    runtime: python\r\n    code: \"x = 1\\nreturn x\"\r\n" +
		"  bare() -> string\r\n    type: sandbox\r\n    runtime: javascript\r\n    code: return 1\r\n" +
		"  none() -> string\r\n    type: sandbox\r\n    runtime: javascript\r\n")
	for name, want := range map[string][]int{"block": {7, 8, 9}, "quoted": {13, 13}, "bare": {17}, "none": nil} {
		t.Run(name, func(t *testing.T) {
			l, ok := Lower(w, "/x/a.tools.abl", name)
			if !ok {
				t.Fatalf("no tool %s", name)
			}
			s := l.Tool.Spec.(*tool.Sandbox)
			if !slices.Equal(s.Lines, want) {
				t.Errorf("%s: lines %v, want %v of %q", name, s.Lines, want, s.Code)
			}
		})
	}
}

// TestTemplateParams checks that the rest of a tool is read only if something may be pasted into
// its statement.
func TestTemplateParams(t *testing.T) {
	const path, statement = "/p/a.tools.abl", `TOOLS:
  find(id: string) -> {rows: object[]}
    type: sql
    source: main
    statement: "SELECT * FROM {{.table}} WHERE id = :id"
`
	scoped := func(source string) (Workspace, ScopedTool) {
		w := Workspace{}.With(path, syntax.Parse(source))
		f := w.File(path)
		return w, ScopedTool{PositionedTool: f.Tools[0], File: f}
	}
	w, pasted := scoped(statement + "    template_parameters:\n      table: {type: string}\n")
	if got := TemplateParams(w, pasted); len(got) != 1 || got[0].Name != "table" {
		t.Errorf("pasted are %v", got)
	}
	w, bound := scoped(statement)
	if n := testing.AllocsPerRun(5, func() { TemplateParams(w, bound) }); n > 0 {
		t.Errorf("%.0f allocations for a tool with bound parameters alone", n)
	}
}
