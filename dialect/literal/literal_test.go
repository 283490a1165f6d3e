package literal

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
)

func TestJSON(t *testing.T) {
	tests := []struct{ name, source, want, problems string }{
		{"values", `{"a": [1, -2.50, true, null], "b": "x\u00e9\ud83d\ude00\n\"/\/"}`, `{"a":[1,-2.50,true,null],"b":"xé😀\n\"//"}`, ""},
		{"large numbers stay", `[9007199254740993, 10.50]`, `[9007199254740993,10.50]`, ""},
		{"mark at the beginning", "\ufeff{}", `{}`, ""},
		{"comma too many", `{"a": 1,}`, `{"a":1}`, "7 JSON has no comma behind the last entry."},
		{"no comma", `{"a": 1 "b": 2}`, `{"a":1,"b":2}`, "8 A comma is missing here."},
		{"half a key", `{"a": 1, "b"}`, `{"a":1,"b":null}`, "12 A colon and a value are missing behind the key."},
		{"no end", `{"a": [1, {"b": "c`, `{"a":[1,{"b":"c"}]}`, "16 This string is not closed."},
		{"word", `{"a": abc, "b": 2}`, `{"b":2}`, "6 This is no JSON value."},
		{"comment", "{\"a\": 1 // one\n}", `{"a":1}`, "8 JSON has no comments."},
		{"more", `{} {}`, `{}`, "3 Something stands behind the end of the value; take it away."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, problems := JSON(tt.source)
			if got := string(n.JSON()); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if got := first(problems); got != tt.problems {
				t.Errorf("problem %q, want %q", got, tt.problems)
			}
		})
	}
}

func TestExported(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"object", `export const TOOLS = {a: 1, 'b': "2", "c-d": [true,], };`, `{"a":1,"b":"2","c-d":[true]}`},
		{"casts", "export const TOOLS: Record<string, T> = {\n  a: {b: 1} as const, c: 2 satisfies N,\n} as const satisfies X;", `{"a":{"b":1},"c":2}`},
		{"not exported, no semicolon", "const TOOLS = [1]\nmain()", `[1]`},
		{"behind other things", "import x from 'TOOLS = 1';\n/* export const TOOLS = 2 */\nfunction f() { const TOOLS = 3; }\nexport const TOOLS = [4];", `[4]`},
		{"computed", "export const TOOLS = {a: f({x: 1}), b: `t`, c: `t${`${x}`}`, ...rest, d() { return {}; }, e: 1 + 2, g: -0x10, h: 1_000};",
			`{"b":"t","g":-16,"h":1000}`},
		{"none", `export const TOOL = {}`, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, _ := Exported(tt.source, "TOOLS")
			if got := string(n.JSON()); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestDeepTextEnds(t *testing.T) {
	for _, deep := range []string{"[", `{"a":`, "{a:(", "`${", `"\`} {
		source := "export const TOOLS = " + strings.Repeat(deep, 200_000)
		Exported(source, "TOOLS")
		JSON(strings.TrimPrefix(source, "export const TOOLS = "))
	}
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"a": [1, "b\u00e9", null], c: 'd'}`, "{a: `x${1}`, ...b, c() {}}", `[1,,2}`, "\"\\ud83d\\ude00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		n, problems := JSON(source)
		holds(t, n, len(source))
		for _, p := range problems {
			if p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(source) {
				t.Errorf("problem at %v of %d", p.Span, len(source))
			}
		}
		n, _ = Exported("const TOOLS = "+source, "TOOLS")
		holds(t, n, len(source)+len("const TOOLS = "))
	})
}

// holds reports places outside of the text, and outside of the value around.
func holds(t *testing.T, n foreign.Node, end int) {
	if n.Span.Start < 0 || n.Span.End < n.Span.Start || n.Span.End > end {
		t.Fatalf("value at %v of %d", n.Span, end)
	}
	for _, item := range n.Items {
		holds(t, item, n.Span.End)
	}
	for _, m := range n.Members {
		if m.KeySpan.End > n.Span.End {
			t.Fatalf("key %q at %v behind %v", m.Key, m.KeySpan, n.Span)
		}
		holds(t, m.Value, n.Span.End)
	}
}

func first(problems []Problem) string {
	if len(problems) == 0 {
		return ""
	}
	return strings.Join([]string{itoa(problems[0].Span.Start), problems[0].Message}, " ")
}

func itoa(n int) string { return string(foreign.Marshal(n)) }
