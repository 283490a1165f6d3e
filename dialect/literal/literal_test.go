package literal

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
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
		{"brackets", "export const TOOLS = ({a: (1), b: ('x' as const), c: (x) => 1, d: (f)(1)}) as const", `{"a":1,"b":"x"}`},
		{"old casts", "export const TOOLS = <const>{a: <number>1, b: <T>(x) => 1}", `{"a":1}`},
		{"frozen", "export const TOOLS = Object.freeze({a: Object.freeze([1])} as const);", `{"a":[1]}`},
		{"CommonJS", "'use strict';\nexports.TOOLS = {a: 1};", `{"a":1}`},
		{"arrows in types", "export const TOOLS: Record<string, (a: A) => B> = {a: 1}", `{"a":1}`},
		{"long texts", "export const TOOLS = {a: 'b ' +\n  \"c\" + `d`, e: 'f' + 1, g: 'h' + `${i}`}", `{"a":"b cd"}`},
		{"constants", "const A = 1, X = 2;\nconst B = {a: A, x: X};\nexport const TOOLS = {B, c: [A], d: B as const, E, f: A + 1, g: A.b, h: A()};\nconst E = 'later';",
			`{"B":{"a":1},"c":[1],"d":{"a":1},"E":"later"}`},
		{"not constant", "let A = 1;\nvar B = 2;\nimport C from 'c';\nexport const TOOLS = {A, B, C, f() { const D = 1; }, D}", `{}`},
		{"keys", "const K = 'k';\nexport const TOOLS = {[K]: 1, ['l']: 2, [`m`]: 3, [n]: 4, [f()]: 5, [`o`]() {}}", `{"k":1,"l":2,"m":3}`},
		{"spread", "const B = {a: 1, b: 1};\nexport const TOOLS = {a: 0, ...B, b: 2, ...{c: 3}, ...D, d: [0, ...[1, 2], ...B, ...e]}", `{"a":1,"b":2,"c":3,"d":[0,1,2,null,null]}`},
		{"in itself", "const A = {b: B}, x = 1;\nconst B = [A];\nexport const TOOLS = {A, T: TOOLS};", `{"A":{"b":[null]}}`},
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

// TestConstantsEnd checks that constants which refer to each other neither multiply without bound
// nor nest too deep.
func TestConstantsEnd(t *testing.T) {
	var doubling, chain strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubling, "const a%d = [a%d, a%d];\n", i, i+1, i+1)
	}
	for i := range 20_000 {
		fmt.Fprintf(&chain, "const a%d = a%d;\n", i, i+1)
	}
	for name, source := range map[string]string{
		"doubling": doubling.String() + "const a60 = 1;\nexport const TOOLS = {x: a0, y: a50};",
		"used":     doubling.String() + "const a60 = 1;\nexport const TOOLS = [" + strings.Repeat("a50, ", 20_000) + "];",
		"chain":    chain.String() + "export const TOOLS = {x: a0, y: a1, z: a19999};",
		"imports":  strings.Repeat("import a\n", 20_000) + "export const TOOLS = {};",
		"types":    strings.Repeat("let a: b\n", 20_000) + "export const TOOLS = {};",
		"brackets": "export const TOOLS = " + strings.Repeat("(", 20_000),
		"casts":    "export const TOOLS = " + strings.Repeat("<a>", 20_000),
		"spreads":  "export const TOOLS = " + strings.Repeat("{...", 20_000),
		"keys":     "export const TOOLS = " + strings.Repeat("{[", 20_000),
		"sums":     "export const TOOLS = " + strings.Repeat("'a' + ", 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			n, _ := Exported(source, "TOOLS")
			if weight, _ := measure(n); weight > 2*maxRepeated+300_000 {
				t.Errorf("%d values", weight)
			}
		})
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

// holds reports nodes outside the text, or outside the value that contains them.
func holds(t *testing.T, n foreign.Node, end int) {
	if n.Span.Start < 0 || n.Span.End < n.Span.Start || n.Span.End > end {
		t.Fatalf("value at %v of %d", n.Span, end)
	}
	if n.Alias != "" {
		return // its parts are at another place
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

func itoa(n int) string { return string(exactjson.EncodeOrNil(n)) }

// TestUnclosed checks that the entries after an unfinished one are kept, by their indentation.
func TestUnclosed(t *testing.T) {
	for _, typed := range []string{"x: {\n", "x: {\"a\": 1, \"b\": {\n", "x: [\n", "x: [{\n", "x:\n", "x: {\n    \"a\": [1,\n"} {
		t.Run(typed, func(t *testing.T) {
			for name, source := range map[string]string{
				"JSON":       "{\n  \"first\": {\n    \"a\": 1\n  },\n  " + strings.Replace(typed, "x", `"x"`, 1) + "  \"second\": {\n    \"b\": \"🛫\"\n  },\n  \"third\": [\n    2\n  ]\n}\n",
				"TypeScript": "export const TOOLS = {\r\n  first: {a: 1},\r\n  " + typed + "  second: {\r\n    b: '🛫',\r\n  },\r\n  'third': [2],\r\n} as const;\r\nconst more = {\n  a: {\n};\n",
			} {
				t.Run(name, func(t *testing.T) {
					read := func() (foreign.Node, []Problem) { return JSON(source) }
					if source[0] == 'e' {
						read = func() (foreign.Node, []Problem) { return Exported(source, "TOOLS") }
					}
					n, problems := read()
					var keys []string
					for _, m := range n.Members {
						keys = append(keys, m.Key)
					}
					if !slices.Equal(keys, []string{"first", "x", "second", "third"}) || n.Get("second").Get("b").Text != "🛫" || len(n.Get("third").Items) != 1 || len(problems) == 0 {
						t.Errorf("%q in %q: %q, %+v", typed, source[:6], keys, problems)
					}
				})
			}
		})
	}
	// Lines say nothing of what is closed.
	if n, problems := JSON("{\n    \"a\": {\n\"b\": [\n1\n]}\n, \"c\": 2}"); len(problems) > 0 || len(n.Members) != 2 {
		t.Errorf("%+v %+v", n, problems)
	}
}
