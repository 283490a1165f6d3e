package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// outline prints properties and all below them: an author's key in <>, one that no field has with
// ?, one that is an alias with ~.
func outline(props []Property, indent string) string {
	var b strings.Builder
	for _, p := range props {
		name := p.Name()
		switch {
		case p.IsAuthorName:
			name = "<" + name + ">"
		case p.Field == nil:
			name += "?"
		case p.IsAlias:
			name += "~"
		}
		fmt.Fprintf(&b, "%s%s = %q\n", indent, name, p.Value.UnquotedText())
		b.WriteString(outline(p.Properties(), indent+"  "))
		if p.ValueSchema().keysInItems {
			continue
		}
		for _, item := range p.Items() {
			inner := outline(item.Properties(), indent+"    ")
			if inner == "" {
				inner = fmt.Sprintf("%s    %q\n", indent, item.PlainText())
			}
			fmt.Fprintf(&b, "%s  -\n%s", indent, inner)
		}
	}
	return b.String()
}

func onlyTool(t *testing.T, block string) *ToolDecl {
	t.Helper()
	f := NewFile("/a.tools.abl", syntax.Parse("TOOLS:\n  t(a: string) -> string\n"+block), nil)
	if len(f.Tools) != 1 {
		t.Fatalf("%d tools", len(f.Tools))
	}
	return f.Tools[0].ToolDecl
}

func TestProperties(t *testing.T) {
	tests := []struct{ name, block, want string }{
		{"kinds and casing", `
    TYPE: Sandbox
    Code: x
    endpoint: "/a"
`, `
type = "Sandbox"
code = "x"
endpoint? = "/a"
`},
		{"aliases and flat spellings", `
    type: http
    body: "{}"
    cacheable: true
    confirm: always
`, `
type = "http"
body_template = "{}"
cacheable = "true"
require = "always"
`},
		{"blocks and inline maps", `
    type: http
    circuit_breaker: {threshold: 3, resetms: 9}
    hints:
      latency: fast
      colour: red
    headers: {X-A: "b"}
    auth_config:
      custom_headers:
        X-B: c
`, `
type = "http"
circuit_breaker = "{threshold: 3, resetms: 9}"
  threshold = "3"
  resetMs = "9"
hints = ""
  latency = "fast"
  colour? = "red"
headers = "{X-A: \"b\"}"
  <X-A> = "b"
auth_config = ""
  custom_headers = ""
    <X-B> = "c"
`},
		{"lists", `
    type: http
    query_params:
      - key: q
        value: "{{a}}"
      - {key: r, other: d}
    request_variants:
      - name: v
        headers:
          A: b
    confirmation:
      immutable_params: [a, "b"]
    context_access:
      read:
        - user.id
`, `
type = "http"
query_params = ""
  -
    key = "q"
    value = "{{a}}"
  -
    key = "r"
    other? = "d"
request_variants = ""
  -
    name = "v"
    headers = ""
      <A> = "b"
confirmation = ""
  immutable_params = "[a, \"b\"]"
    -
      "a"
    -
      "b"
context_access = ""
  read = ""
    -
      "user.id"
`},
		{"parameters", `
    parameters:
      a:
        description: "x"
        source: config
      b:
        type: string
        colour: string
      - c: string
`, `
parameters = ""
  <a> = ""
    description = "x"
    source = "config"
  <b> = ""
    <type> = "string"
    <colour> = "string"
  <c> = "string"
`},
		{"assignments and mappings", `
    on_result:
      set:
        a.b = result.c
        d: result.e
    RESULT_SECRETS:
      session.pin -> pin_once (ttl: 60)
`, `
on_result = ""
  set = ""
    <a.b> = "result.c"
    <d> = "result.e"
RESULT_SECRETS = ""
  <session.pin> = "pin_once (ttl: 60)"
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := outline(onlyTool(t, strings.TrimPrefix(tt.block, "\n")).Properties(), "")
			want := strings.TrimPrefix(tt.want, "\n")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPathAt(t *testing.T) {
	d := onlyTool(t, "    type: http\n    request_variants:\n      - name: v\n        headers:\n          X: y\n    hints: {latency: fast}\n")
	for _, tt := range []struct{ at, want string }{
		{"http", "type"},
		{"y\n", "request_variants headers X"},
		{"fast", "hints latency"},
		{"t(a", ""},
	} {
		t.Run(tt.at, func(t *testing.T) {
			offset := strings.Index(d.Node.Entry().Text()+"\n", tt.at)
			var names []string
			for _, p := range PropertyPathAt(d.Properties(), offset) {
				names = append(names, p.Name())
			}
			if got := strings.Join(names, " "); got != tt.want {
				t.Errorf("at %q: %q, want %q", tt.at, got, tt.want)
			}
		})
	}
}
