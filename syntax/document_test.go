package syntax

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/benchtext"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// fragments are the parts of random texts: every form of the language, half of
// them in the wrong place.
var fragments = []string{
	"TOOLS:", "tools:", "AGENT: X", "FLOW:", "GOAL:", "file: ", `"./a.tools.abl"`, "[a, b]", "[", "]", "{", "}", "(", ")", ",", ":",
	"->", "=", "?", "foo", "bar-baz", "x: string", "y?: number[]", "  ", "    ", "\n", "\n", "\n  ", "\n    ", "\n      ",
	"\n\t", "\r\n  ", "\r", "- ", "-", "#", " # c", "|", "|\n", `"`, "'", "don't", "é", "日本", "🚀", "{{x}}", "a = 1", "a -> b",
	"a.b[0] = 2", "null", "true", "-1.5", "USE BEHAVIOR_PROFILE: x", "ADD:", "HIDE: [a]", "//x", "/* y */", "/*", "\x00", "\xff",
	"name(a: string, b: {x: T[], y?: map<T>} = {a: 1}) -> {z: enum<[a, b]>}[]", "<", ">", "[]", `\`, " ", "code: |\n",
	"FLOW:\n  ", "WHEN: ", "CALL: ", "SET: ", "- REQUIRE ", "- IF ", "steps:", "a + b", "f(a, b = 1)", "\"a > b\"", " AND ", " is set",
	" BEFORE calling x", "x ? y : z",
	"\ufeff", "'a'", "= [1, 2", "description: \"x\"", "\n    type: http", "\n# note\n",
	"\nFLOW:\n", "\ngreet:\n  ", "\ngather:\n", "\n  REASONING: true\n", "\nGATHER:\n", "\nbye: # c", "\n  \"a\":(", "\n  CALL x WITH: {a: b}", "\n  VOICE INSTRUCTIONS: ",
}

// dense are fragments for texts inside brackets.
var dense = []string{
	"[", "]", "{", "}", "(", ")", ",", ":", `"`, "'", " #", " # ", "#", "\n   ", "\n  ", "\n", "\n    ", "a", "b: ", "don't", "|", "> ",
	"- ", "-", "  ", " ", `\`, `"x"`, "'y'", "[a]", "{b: c}", "{{x}}", "1", "true", "= ", "->", "?", "<", ">", "f(", "a: b", "\t",
	"\r\n  ", "/*", "*/", "GOAL:", `file: "x" `, "\n  #c", "\n      # d", "\ufeff", "é", "x[0]", ".",
}

// operands are fragments of expressions.
var operands = []string{
	"a", "b.c", "x[0]", "y[i]", "1", "-2.5", `"s"`, "'t'", "true", "NULL", "undefined", " ", "  ", " + ", "-", "*", "/", "%", "==", " != ", "<", ">=",
	" AND ", " or ", "&&", "||", "NOT ", "!", " IS SET", " is not set", " is_number", " IN ", " not in ", " contains ", "matches", " startsWith ",
	" IMPLIES ", " ? ", " : ", ":", "(", ")", "[", "]", "{", "}", ",", "f(", "a: ", "name = ", "=", ".", ".len", `"`, "'", `\`, "\n      ", "\n", " # c", "#",
	" BEFORE calling x", " BEFORE ", "REQUIRE", "{{", "}}", "@index", "->", "|", "&", "é", "\r\n        ", "\t", "\n    b: c", "//", "/*",
}

// templates are fragments of text with placeholders.
var templates = []string{
	"{{", "}}", "{", "}", "{{x}}", "{{ a.b + 1 }}", "{{#if x}}", "{{/if}}", "{{else}}", "{{else", "{{#each xs}}", "{{f(\"a\", b)}}", "{{f('a')}}",
	"{{ no such thing }}", "{{}}", "{{ }}", " ", " ", "a", "don't", `"`, "'", `\`, `\"`, "#", " # c", "\n    ", "\n      ", "\n  ", "\n", "\r\n    ", ",", "]", "[", ":", "b: ",
	"|", "é", "@index", "(", ")", "\t",
}

var templateStarts = []string{
	"A:\n  a: \"", "A:\n  a: '", "A:\n  a: ", "A:\n  a: |\n    ", "A:\n  a: |\n", "A:\n  - |\n    ", "A:\n  a: [", "A:\n  a: [\n    ", "A:\n  a: {b: ", "GOAL: |\n  ",
	"A:\n  ", "A:\n  - \"", "TOOLS:\n  f(a: b = \"", "TOOLS:\n  f(a: b = ", "A:\n  x = ", "A:\n  x = \"", "A:\n  code: |\n    ", "A:\n  statement: \"", "A:\n  WITH: {a: \"",
	"A:\n  \"", "TOOLS:\n  file: ", "A:\n  IF: \"", "A:\n  b -> ",
}

var expressionStarts = []string{
	"A:\n  WHEN: ", "A:\n  when: \"", "A:\n  IF: '", "A:\n  CALL: ", "A:\n  CALL: f(", "A:\n  SET: ", "A:\n  SET: x = ", "A:\n  SET:\n    x = ",
	"A:\n  WITH:\n    a: ", "A:\n  WITH: {a: ", "A:\n  x = ", "A:\n  - REQUIRE ", "A:\n  - limit ", "A:\n  - IF ", "A:\n  - if ", "A:\n  - IF: ",
	"FLOW:\n  a:\n    CHECK: ", "WHEN: ", "A:\n  a:\n    MAP: {\n      x: ", "A:\n  - IF a: b\n    WHEN: ",
}

func expressionText(r *rand.Rand) string {
	var b strings.Builder
	from := operands
	if r.IntN(3) == 0 {
		b.WriteString(templateStarts[r.IntN(len(templateStarts))])
		from = templates
	} else {
		b.WriteString(expressionStarts[r.IntN(len(expressionStarts))])
	}
	for range r.IntN(10) {
		b.WriteString(from[r.IntN(len(from))])
	}
	b.WriteString([]string{"", "\n", ")", `"`, "'", "]", "}", "\n  b: c\n"}[r.IntN(8)])
	return b.String()
}

// starts and ends surround the dense fragments, so that these are inside brackets.
var (
	starts = []string{
		"A:\n  a: [", "A:\n  a: {", "A:\n  a: [\n    ", "A:\n  - ", "A:\n  a: ", "", "GOAL: x\n  ", "AGENT: x\n  ",
		"TOOLS:\n  f(", "TOOLS:\n  f(a: b = [", "TOOLS:\n  f() -> {", "TOOLS:\n  file: \"a\" [",
	}
	ends = []string{"", "\n    ]", "]}", "\n  }\n]"}
)

func denseText(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(starts[r.IntN(len(starts))])
	for range r.IntN(14) {
		b.WriteString(dense[r.IntN(len(dense))])
	}
	b.WriteString(ends[r.IntN(len(ends))])
	return b.String()
}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	if r.IntN(2) == 0 {
		b.WriteString("TOOLS:\n  ")
	}
	for range r.IntN(n) {
		b.WriteString(fragments[r.IntN(len(fragments))])
	}
	return b.String()
}

func randomEdit(r *rand.Rand, size int) text.Edit {
	start := r.IntN(size + 1)
	end := min(size, start+r.IntN(8)*r.IntN(3))
	return text.Edit{Span: text.Span{Start: start, End: end}, NewText: randomText(r, 3)}
}

// checkTotal checks invariant 2: no text gives an ERROR or MISSING node, and the
// entries are in order inside the text. It also checks that an unpacked document
// equals the one that was packed.
func checkTotal(t *testing.T, d *Document) {
	t.Helper()
	at := 0
	for _, s := range d.Sections() {
		for _, p := range append([]PositionedEntry{s.Head}, s.Entries...) {
			if p.Offset < at || p.Span().End > len(d.Text()) || d.Text()[p.Offset:p.Span().End] != p.Text() {
				t.Fatalf("entry %v out of place in %q", p.Span(), d.Text())
			}
			at = p.Span().End
			for n := range p.Root().Preorder() {
				if n.Kind() == Error || n.Kind() == Missing {
					t.Fatalf("%v node in %q\n%s", n.Kind(), d.Text(), Dump(d))
				}
			}
		}
	}
	if d.tree != nil && d.tree.RootNode().HasError() {
		t.Fatalf("error in the tree of %q: %s", d.Text(), d.tree.RootNode())
	}
	if again := Unpack(d.Text(), d.Pack()); !reflect.DeepEqual(again.sections, d.sections) || !slices.Equal(again.problems, d.problems) {
		t.Fatalf("packed, %q is something else:\n%s--- before\n%s", d.Text(), Dump(again), Dump(d))
	}
}

// checkApply checks invariant 4: Apply equals Parse.
func checkApply(t *testing.T, d *Document, e text.Edit) *Document {
	t.Helper()
	next := d.Apply(e)
	fresh := Parse(next.Text())
	if got, want := Dump(next), Dump(fresh); got != want {
		t.Fatalf("Apply(%q, %+v) differs from Parse:\n--- apply\n%s--- parse\n%s", d.Text(), e, got, want)
	}
	checkTotal(t, next)
	return next
}

func TestRandom(t *testing.T) {
	rounds := 20000
	if testing.Short() {
		rounds = 2000
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range rounds {
		source := randomText(r, 16)
		switch i % 3 {
		case 1:
			source = denseText(r)
		case 2:
			source = expressionText(r)
		}
		d := Parse(source)
		checkTotal(t, d)
		for range 3 {
			d = checkApply(t, d, randomEdit(r, len(d.Text())))
		}
	}
}

// TestRandomLongBlocks edits blocks of many entries, which the scanner splits into groups by
// the names of the entries.
func TestRandomLongBlocks(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 40
	}
	sources := map[string]string{
		"a library":                          benchtext.Library(400),
		"comments":                           strings.ReplaceAll(benchtext.Library(400), "    type: http\n", "    type: http\n# a\n  # b\n"),
		"comments of two slashes":            strings.ReplaceAll(benchtext.Library(400), "    method: GET\n", "    method: GET\n// a\n"),
		"comments between slashes and stars": strings.ReplaceAll(benchtext.Agent(440), "    CALL:", "/* a */\n    CALL:"),
		"a library below ADD":                "TOOLS:\n  ADD:\n" + strings.ReplaceAll(benchtext.Library(400), "\n", "\n  "),
		"an agent":                           benchtext.Agent(440),
		"an agent indented":                  strings.ReplaceAll(benchtext.Agent(440), "\n", "\n  "),
		"steps":                              strings.ReplaceAll(benchtext.Agent(440), "CALL:", "STEPS:"),
	}
	for name, source := range sources {
		t.Run(name, func(t *testing.T) {
			r, d := rand.New(rand.NewPCG(3, 4)), Parse(source)
			for i := range rounds {
				if i%20 == 0 {
					d = Parse(source)
				}
				d = checkApply(t, d, randomLineEdit(r, d.Lines()))
			}
		})
	}
}

// TestApplyLongInsertions pastes more than 255 bytes, the most that a byte can count, at each
// offset of a text.
func TestApplyLongInsertions(t *testing.T) {
	source := "  #   CALL: t1(a)\n  THEN: s30\n  COLLECT: a"
	lines := strings.Repeat("    - ql: required\n  COLLECT: a\ns22:\n  GATHER:\n    - id: required\n", 5)
	for size := 236; size < 260; size++ {
		for at := range len(source) {
			checkApply(t, Parse(source), text.Edit{Span: text.Span{Start: at, End: at}, NewText: lines[:size]})
		}
	}
}

// randomLineEdit removes a line, replaces it by another one, changes its indentation, or
// types into the name that it begins with.
func randomLineEdit(r *rand.Rand, lines *text.Lines) text.Edit {
	line := r.IntN(lines.LineCount())
	start := lines.LineStart(line)
	indent := strings.IndexFunc(lines.Text()[start:]+"x", func(r rune) bool { return r != ' ' })
	switch r.IntN(4) {
	case 0:
		return text.Edit{Span: text.Span{Start: start, End: lines.LineText(line).End}}
	case 1:
		return text.Edit{Span: lines.LineText(line), NewText: strings.Repeat(" ", r.IntN(8)) + "name_" + strconv.Itoa(r.IntN(100)) + ":"}
	case 2:
		return text.Edit{Span: text.Span{Start: start, End: start + r.IntN(indent+1)}, NewText: strings.Repeat(" ", r.IntN(4))}
	default:
		return text.Edit{Span: text.Span{Start: start + indent, End: start + indent}, NewText: string(rune('a' + r.IntN(26)))}
	}
}

// TestApplyInsideCharacter cuts characters in two and joins them again: then the
// bytes next to the edit read differently.
func TestApplyInsideCharacter(t *testing.T) {
	d := Parse("A:\n  - AGENT:\ufeffa\n  é: 1\n")
	for at := len(d.Text()) - 1; at > 0; at-- {
		for _, s := range []string{"", "\xbf", "\xef\xbb", "x"} {
			cut := checkApply(t, d, text.Edit{Span: text.Span{Start: at, End: at + 1}, NewText: s})
			checkApply(t, cut, text.Edit{Span: text.Span{Start: at, End: at + len(s)}, NewText: d.Text()[at : at+1]})
		}
	}
}

func FuzzApply(f *testing.F) {
	f.Add("TOOLS:\n  a(x: string) -> string\n    type: http\n", 12, 3, "b")
	f.Add("AGENT: A\nGOAL: |\n  x\n", 9, 0, "\n")
	f.Fuzz(func(t *testing.T, source string, start, length int, insert string) {
		if len(source) > 1<<16 || len(insert) > 1<<16 {
			t.Skip("bounded on purpose")
		}
		d := Parse(source)
		checkTotal(t, d)
		start = max(0, min(start, len(source)))
		checkApply(t, d, text.Edit{Span: text.Span{Start: start, End: min(len(source), start+max(0, length))}, NewText: insert})
	})
}
