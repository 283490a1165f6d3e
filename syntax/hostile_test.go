package syntax

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestHostile parses texts that are made to cost much. The time is linear in the
// size; a text beyond the limits gives a problem of the document.
func TestHostile(t *testing.T) {
	const size = 1 << 15
	fill := func(start, s, end string) string {
		return start + strings.Repeat(s, (size-len(start)-len(end))/len(s)) + end
	}
	for name, source := range map[string]string{
		"quotes":                fill("", `"`, ""),
		"apostrophes":           fill("A:\n  a: ", `'`, ""),
		"open brackets":         fill("A:\n  a: ", "[", ""),
		"a long list":           fill("A:\n  a: [", "[b],", "]"),
		"nested maps":           fill("A:\n  a: ", "{a: ", ""),
		"open parentheses":      fill("TOOLS:\n  f(", "(", ""),
		"commas":                fill("TOOLS:\n  f(", ",", ""),
		"nested types":          fill("TOOLS:\n  f(a: ", "{a:", ""),
		"nested generics":       fill("TOOLS:\n  f(a: ", "a<", ""),
		"array of arrays":       fill("TOOLS:\n  f(a: b", "[]", ""),
		"dashes":                fill("A:\n  ", "- ", ""),
		"line feeds":            fill("", "\n", ""),
		"returns":               fill("", "\r", ""),
		"sections":              fill("", "a:\n", ""),
		"comments":              fill("", "# \n", ""),
		"comments in a block":   fill("A:\n  b:\n    c: 1\n", "    # \n", "  d: 1"),
		"comments and an arrow": fill("TOOLS:\n  f()\n", "    # \n", "    -> a"),
		"open block comments":   fill("", "/*\n", ""),
		"escaped quotes":        fill("A:\n  a: \"", `\"`, ""),
		"escaped in a list":     fill("A:\n  a: [\"", `\"`, "]"),
		"escaped in a default":  fill("TOOLS:\n  f(a: string = \"", `\"`, ")"),
		"escaped apostrophes":   fill("A:\n  a: '", ` \'`, ""),
		"pipe blocks":           fill("A:\n", "  a: |\n    b\n", ""),
		"nested conditions":     fill("A:\n  WHEN: ", "(", ""),
		"a long condition":      fill("A:\n  WHEN: a", " + a", ""),
		"negations":             fill("A:\n  WHEN: ", "NOT ", "a"),
		"calls in calls":        fill("A:\n  WITH: {", "a: f(x, ", "}"),
		"half-typed calls":      fill("A:\n", "  x = f(a,\n", ""),
		"open placeholders":     fill("A:\n  a: ", "{{ ", ""),
		"placeholders":          fill("A:\n  a: \"", "{{x}} ", "\""),
		"one closes them":       fill("A:\n  a: |\n    ", "{{ ", "}}"),
		"placeholders in items": fill("A:\n  a: [", "{{ \" }}, ", "]"),
		"quoted placeholders":   fill("A:\n  a: b ", "\"{{x}} {{\" ", ""),
		"one long word":         fill("", "x", ""),
		"NUL":                   fill("", "\x00", ""),
		"no UTF-8":              fill("", "\xff", ""),
		"emoji":                 fill("", "🚀", ""),
	} {
		t.Run(name, func(t *testing.T) {
			d := Parse(source)
			checkTotal(t, d)
			checkApply(t, d, text.Edit{Span: text.Span{Start: size / 2, End: size/2 + 1}, NewText: "\n  "})
		})
	}
}

func TestProblems(t *testing.T) {
	var deep strings.Builder
	for i := range 400 {
		deep.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	for name, c := range map[string]struct {
		source string
		want   ProblemKind
	}{
		"ten megabytes of one line": {strings.Repeat("x", 10<<20), TooLarge},
		"no UTF-8":                  {"AGENT: \xff\n", NotUTF8},
		"indentation":               {deep.String(), TooDeep},
		"brackets":                  {"TOOLS:\n  f(a: " + strings.Repeat("{a:", 10_000), TooDeep},
		"dashes":                    {"A:\n  " + strings.Repeat("- ", 10_000) + "x", TooDeep},
	} {
		t.Run(name, func(t *testing.T) {
			p := Parse(c.source).Problems()
			if len(p) != 1 || p[0].Kind != c.want {
				t.Errorf("got %v, want one of kind %d", p, c.want)
			}
		})
	}
	if p := Parse("A:\n" + strings.Repeat(" ", 2) + "b:\n").Problems(); len(p) != 0 {
		t.Errorf("a plain file has %v", p)
	}
}

// TestDeepCalls parses nested calls, which must not exhaust the scanner's stack.
func TestDeepCalls(t *testing.T) {
	deep := strings.Repeat("f(", 200_000) + "1" + strings.Repeat(")", 200_000)
	if got := Parse("FLOW:\n  a:\n    SET: x = " + deep + "\n").Text(); !strings.Contains(got, deep) {
		t.Error("the text is not what was read")
	}
}
