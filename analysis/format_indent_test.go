package analysis_test

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/format"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestIndent checks texts that end where Enter was pressed; want is how many spaces follow, with
// three for a level, which no other rule has.
func TestIndent(t *testing.T) {
	for source, want := range map[string]int{
		"":                                      0,
		"AGENT: A":                              0,
		"GOAL:":                                 3,
		"TOOLS:\n\n  # note":                    3,
		"TOOLS:\n  # note":                      3,
		"TOOLS:\n  ping() -> string":            5,
		"TOOLS:\n  ping() -> string  # note: x": 5,
		"TOOLS:\n  ping() -> string\n    type: http":          4,
		"TOOLS:\n  f(a: string,":                              4,
		"TOOLS:\n  f(a: string,\n    b: string,":              4,
		"TOOLS:\n  f(":                                        5,
		"TOOLS:\n  f(\n    a: string\n  ) -> string":          5,
		"TOOLS:\n  f() -> {":                                  5,
		"TOOLS:\n  f()\n    -> {":                             7,
		"TOOLS:\n  f()\n    -> {\n      a: string\n    }":     5,
		"TOOLS:\n  f(a: string = \"(\") -> string":            5,
		"TOOLS:\n  f() -> string\n    hints:  # c":            7,
		"TOOLS:\n  f() -> string\n    code: |":                7,
		"TOOLS:\n  f() -> string\n    code: |\n      if x:":   6,
		"TOOLS:\n  f() -> string\n    code: |\n      # x\n\n": 6,
		"TOOLS:\n  f() -> string\n    body: {\"a\": 1}":       4,
		"TOOLS:\n  f() -> string\n    provides: [":            7,
		"TOOLS:\n  file: \"./x.tools.abl\" [a]":               2,
		"GOAL: |\n  one\n    two:":                            4,
		"MESSAGES:\n  hi: \"a: b:\"":                          2,
		"FLOW:\n  start:":                                     5,
		"FLOW:\n  start:\n    ON_INPUT:\n      - IF: x > 3":   8,
		"FLOW:\n  start:\n    ON_INPUT:\n      - ELSE:":       11,
		"FLOW:\n  start:\n    ON_INPUT:\n      -   IF: x > 3": 10,
		"CONSTRAINTS:\n  a:\n    - REQUIRE x > 3":             6,
		"LIMITATIONS:\n  - one":                               2,
		"LIMITATIONS:\n  - \"a: b\"":                          2,
		"FLOW:\n\tstart:\n\t\tREASONING: false":               2,
	} {
		t.Run(source, func(t *testing.T) {
			for name, end := range map[string]string{
				"nothing follows":          "",
				"a tab follows":            "\t",
				"a line of blanks follows": " \n  ",
				"a section follows":        "\nVERSION: \"1.0\"\n",
			} {
				t.Run(name, func(t *testing.T) {
					enter, rest, _ := strings.Cut(end, "\n")
					if rest != "" {
						rest = "\n" + rest
					}
					typed := source + "\n" + enter
					if got := indented(t, typed+rest, len(typed)); strings.ReplaceAll(got, "\t", " ") != strings.Repeat(" ", want) {
						t.Errorf("%q: got %q, want %d blanks", typed+rest, got, want)
					}
				})
			}
		})
	}
}

// indented returns the text of the line of an offset after it was indented.
func indented(t *testing.T, source string, offset int) string {
	t.Helper()
	const path = "/x.agent.abl"
	w := model.Workspace{}.With(path, syntax.Parse(source))
	lines := w.File(path).Doc.Lines()
	line := lines.LineText(lines.Line(offset))
	edit, ok := format.Indent(w, path, offset, "   ")
	if !ok {
		return source[line.Start:line.End]
	}
	if edit.Span != line {
		t.Errorf("%q: %v is more than the line", source, edit)
	}
	if _, err := text.Apply(source, edit); err != nil {
		t.Error(err)
	}
	return edit.NewText
}

// TestIndentOfCode checks that the editor's indentation of code stays below a line that opens
// something.
func TestIndentOfCode(t *testing.T) {
	const source = "TOOLS:\n  f() -> string\n    code: |\n      if (x) {\n"
	for name, deeper := range map[string]string{
		"two blanks": "        ",
		"one blank":  "       ",
		"tabs":       "\t\t",
	} {
		t.Run(name, func(t *testing.T) {
			if got := indented(t, source+deeper+"\n      }\n", len(source)); got != deeper {
				t.Errorf("%q became %q", deeper, got)
			}
		})
	}
	if got := indented(t, source+"    \n      }\n", len(source)); got != "      " {
		t.Errorf("got %q for a line that would end the code", got)
	}
}

func TestIndentLeavesTextAlone(t *testing.T) {
	const source = "TOOLS:\n  a() -> string\nx\n"
	w := model.Workspace{}.With("/a.abl", syntax.Parse(source)).With("/a.agent.yaml", syntax.Parse(source))
	if edit, ok := format.Indent(w, "/a.abl", len(source)-1, "  "); ok {
		t.Errorf("got %v in a line that is not blank", edit)
	}
	if edit, ok := format.Indent(w, "/a.agent.yaml", len(source), "  "); ok {
		t.Errorf("got %v in another language", edit)
	}
}
