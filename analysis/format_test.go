package analysis_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/format"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/corpus"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// formatResult is one formatted text.
type formatResult struct {
	path   string
	before model.Workspace
	found  []model.Diagnostic
	broken bool // it has errors of form
	after  string
	err    error
}

func formatSource(path, source string) formatResult {
	f := formatResult{path: path}
	f.before = f.before.With(path, syntax.Parse(source))
	f.found = check.Run(context.Background(), f.before, path, check.Options{})
	f.broken = slices.ContainsFunc(f.found, func(d model.Diagnostic) bool {
		isIndent := func(f model.Fix) bool { return f.ChangesParse && f.Title == "Indent it" }
		return d.Severity == model.Error && (d.Code == "syntax-error" || d.Code == "invalid-signature") || slices.ContainsFunc(d.Fixes, isIndent)
	})
	edits, err := format.Format(f.before.File(path).Doc, f.found)
	if err != nil {
		f.err = err
		return f
	}
	f.after, f.err = text.Apply(source, edits...)
	return f
}

// showsSlip says that a text is refused for a slip that one edit repairs: the canonical form of a
// line that was moved may look like one.
func (f formatResult) showsSlip() bool {
	mends := func(f model.Fix) bool { return f.ChangesParse }
	return f.broken && slices.ContainsFunc(f.found, func(d model.Diagnostic) bool {
		return d.Code == "syntax-error" && slices.ContainsFunc(d.Fixes, mends)
	})
}

// TestFormat runs the archives of testdata/format, pairs of NAME.abl and NAME.want. Tabs are
// written as →, carriage returns as ␍, and blanks at the end of a line as ·.
func TestFormat(t *testing.T) {
	visible := strings.NewReplacer("→", "\t", "␍", "\r", "·", " ")
	names, err := filepath.Glob("../testdata/format/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(archive.Files); i += 2 {
			in, want := archive.Files[i], archive.Files[i+1]
			t.Run(in.Name, func(t *testing.T) {
				source := visible.Replace(string(in.Data))
				f := formatSource("/"+in.Name, source)
				if f.err != nil {
					t.Fatal(f.err)
				}
				if diff := cmp.Diff(visible.Replace(string(want.Data)), f.after); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				checkFormat(t, "/"+in.Name, source, true)
			})
		}
	}
}

func TestFormatRefuses(t *testing.T) {
	tests := []struct {
		source string
		line   int
	}{
		{"TOOLS:\n  a(x: string -> string\n    type:   http\n", 1},
		{"AGENT: A\nGOAL:  \"open\nTOOLS:\n", 1},
		{"AGENT:  A\nwhat is this\n", 1},
		{"GOAL: \"a\"\nPERSONA: \"\xff\"\n", 1},
	}
	for _, tt := range tests {
		t.Run(tt.source, func(t *testing.T) {
			f := formatSource("/a.agent.abl", tt.source)
			var refused *format.FormatError
			if !errors.As(f.err, &refused) || refused.Line != tt.line {
				t.Errorf("%q: %v, want an error for line %d", tt.source, f.err, tt.line+1)
			}
		})
	}
}

// TestFormatFixtures checks the invariants on every ABL text of the repository, as it is and with
// its blanks in disorder.
func TestFormatFixtures(t *testing.T) {
	sources := ablTexts(t)
	if len(sources) < 40 {
		t.Fatalf("only %d texts", len(sources))
	}
	disorders := 3
	if testing.Short() {
		disorders = 1
	}
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		source := sources[name]
		path := "/" + filepath.Base(name)
		checkFormat(t, path, source, true)
		r := rand.New(rand.NewPCG(uint64(len(source)), 6)) // of its own, whatever other texts there are
		for range disorders {
			checkFormat(t, path, disorder(r, source), false)
		}
	}
}

func ablTexts(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, folder := range append(corpus.Folders(t, ".."), "../testdata") {
		if err := filepath.WalkDir(folder, readInto(out)); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// readInto gives the function that reads the ABL texts of a folder, and of the archives in it.
func readInto(out map[string]string) fs.WalkDirFunc {
	return func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(name)
		switch filepath.Ext(name) {
		case ".abl":
			out[name] = string(raw)
		case ".txtar":
			for _, f := range txtar.Parse(raw).Files {
				if strings.HasSuffix(f.Name, ".abl") {
					out[name+"/"+f.Name] = string(f.Data)
				}
			}
		}
		return err
	}
}

// disorder changes blanks at random places of a text.
func disorder(r *rand.Rand, source string) string {
	for range 1 + r.IntN(6) {
		at := r.IntN(len(source) + 1)
		if i := strings.IndexAny(source[at:], " :,(\n"); i >= 0 {
			at += i + 1
		}
		blank := []string{" ", "  ", "\t", "\n", "\n\n\n", "\r\n", "# note\n", "\n# note\n", " \n"}[r.IntN(9)]
		source = source[:at] + blank + source[at:]
	}
	return source
}

var formatPieces = []string{
	"TOOLS:\n", "AGENT: A\n", "GOAL: |\n", "goal:\n", "FLOW:\n", "TESTS:\n", "ADD:\n", "\n", "\n\n\n", "\r\n", " ", "  ", "    ", "\t", "\n  ", "\n    ", "\n      ",
	"a(x:string)->string\n", "f(a: {b:T}[] = {c:1},\n", "g() -> {\n", "}", ")", "->", "file: \"./b.abl\"[a,b]\n", "TYPE:http\n", "key: |\n", "text\n",
	"- ", "-", "- a: b\n", "- |\n", "x = 1", "p -> q (r: s)", "[a,\n", "[ ", "]", "{ ", "{a: 1, b: [2,3]}", "# c\n", " # d", "// e\n", "/* f\n g */\n", "\"s  t\"", "'u'",
	"SET: x=1\n", "- REQUIRE  a>1   BEFORE calling b\n", "IF: a  ==b && (c)\n", "CALL: f( a,b=1 )\n", "\"{{#if x}} {{ y }}\"", "s:\n      REASONING:true\n",
	"description:\n", "k:v", "k: v", "é", "\ufeff", "\f", ", ", ": ", "hints: { Cacheable:TRUE }\n", "code: |\n        x\n\n      y\n",
}

func TestFormatRandom(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range rounds {
		var b strings.Builder
		b.WriteString([]string{"", "TOOLS:\n  t(a: string) -> string\n    ", "FLOW:\n  s:\n    "}[r.IntN(3)])
		for range r.IntN(12) {
			b.WriteString(formatPieces[r.IntN(len(formatPieces))])
		}
		checkFormat(t, "/x.abl", b.String(), false)
	}
}

func FuzzFormat(f *testing.F) {
	f.Add("TOOLS:\n  a( x:string )->string\n\ttype:   http\n")
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 1<<12 {
			t.Skip("bounded on purpose")
		}
		checkFormat(t, "/x.abl", source, false)
	})
}

// hostileTexts returns texts of n parts for which a formatter could take long.
func hostileTexts(n int) map[string]string {
	deep := &strings.Builder{}
	for i := range min(n, 190) {
		fmt.Fprintf(deep, "%s- k:\n", strings.Repeat(" ", i))
	}
	return map[string]string{
		"brackets": "A:\n  k: " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n",
		"lists":    "A:\n  k: " + strings.Repeat("[", 30) + strings.Repeat("a,", n) + strings.Repeat("]", 30) + "\n",
		"wrapped":  "TOOLS:\n  a(x: string = [" + strings.Repeat("\n     b,", n) + "\n  ]) -> string\n",
		"comments": "A:\n" + strings.Repeat("  #\n", n) + "  k: v\n",
		"blank":    "A:" + strings.Repeat(" \n", n) + "  k: v\n",
		"lines":    "A:\n" + strings.Repeat("   k:   v\n", n),
		"deep":     "A:\n" + deep.String(),
		"text":     "GOAL:\n" + strings.Repeat(" words\n", n),
	}
}

// TestFormatHostile checks the invariants, and that a text of twice the size does not take four
// times the memory.
func TestFormatHostile(t *testing.T) {
	const n = 5_000
	twice := hostileTexts(2 * n)
	for name, source := range hostileTexts(n) {
		t.Run(name, func(t *testing.T) {
			checkFormat(t, "/x.abl", source, false)
			if one, two := formatBytes(source), formatBytes(twice[name]); two > 3*one {
				t.Errorf("%d bytes are allocated for one text, %d for twice the text", one, two)
			}
		})
	}
}

// formatBytes returns how much memory formatting a text allocates.
func formatBytes(source string) uint64 {
	f := formatSource("/x.abl", source)
	doc := f.before.File(f.path).Doc
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _ = format.Format(doc, f.found)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// checkFormat checks the invariants of any text; if must is set, a text without errors of form is
// formatted.
func checkFormat(t *testing.T, path, source string, must bool) {
	t.Helper()
	f := formatSource(path, source)
	if f.before.File(path).IsYAMLAgent() {
		return // YAML is not formatted
	}
	var refused *format.FormatError
	switch {
	case f.err != nil && !errors.As(f.err, &refused):
		t.Fatalf("%q: %v", source, f.err)
	case f.broken && f.err == nil:
		t.Fatalf("%q has errors and is not refused", source)
	case f.err != nil:
		if must && !f.broken {
			t.Errorf("%s: %v\n%s", path, f.err, source)
		}
		return
	}
	again := formatSource(path, f.after)
	if !must && again.showsSlip() {
		return
	}
	if again.err != nil || again.after != f.after {
		t.Fatalf("not idempotent: %v (-once +twice):\n%s\n%q", again.err, cmp.Diff(f.after, again.after), source)
	}
	if a, b := reported(f.found), reported(again.found); !slices.Equal(a, b) {
		t.Fatalf("other diagnostics (-before +after):\n%s\n%q\n%q", cmp.Diff(a, b), source, f.after)
	}
	one, two := f.before.File(path).Doc, again.before.File(path).Doc
	if a, b := contentOf(one), contentOf(two); !slices.Equal(a, b) {
		t.Fatalf("not the same (-before +after):\n%s\n%q\n%q", cmp.Diff(a, b), source, f.after)
	}
	if a, b := lowered(f.before, path), lowered(again.before, path); !reflect.DeepEqual(a, b) {
		t.Fatalf("other tools: %q\n%q\n%+v\n%+v", source, f.after, a, b)
	}
}

// reported returns the codes of all diagnostics except those of style, which formatting repairs.
func reported(found []model.Diagnostic) []string {
	var codes []string
	for _, d := range found {
		if d.Code == "platform-loss" { // depends on the layout
			continue
		}
		if !slices.Contains([]string{"section-case", "section-indent", "deprecated-spelling"}, d.Code) {
			codes = append(codes, d.Code)
		}
	}
	slices.Sort(codes)
	return codes
}

// contentOf returns the content of a document: kinds, values and comments, without their casing.
func contentOf(doc *syntax.Document) []string {
	var out, comments []string
	for _, s := range doc.Sections() {
		out = append(out, s.Name())
		for _, e := range append([]syntax.PositionedEntry{s.Head}, s.Entries...) {
			for n := range e.Root().Preorder() {
				switch v := n.Value(); {
				case n.Kind() == syntax.Comment:
					comments = append(comments, strings.TrimRight(n.Text(), " \t\f\v"))
				case v.Kind() == syntax.Expression, v.Kind() == syntax.Mapping, n.Kind() == syntax.NamedArgument: // of several lines, which are moved
					plain := insideBrackets.ReplaceAllString(strings.Join(strings.Fields(v.UnquotedText()), " "), "$1$2")
					out = append(out, n.Kind().String()+" "+key(n)+": "+plain)
				case v.Kind() == syntax.List || v.Kind() == syntax.Map || v.Kind() == syntax.Assignment:
					out = append(out, n.Kind().String()+" "+key(n))
				default:
					out = append(out, n.Kind().String()+" "+key(n)+": "+strings.ToLower(v.UnquotedText()))
				}
			}
		}
	}
	out = slices.DeleteFunc(out, func(s string) bool { return s == "" || strings.HasPrefix(s, "comment") })
	slices.Sort(comments)
	return append(out, comments...)
}

// insideBrackets matches the blanks that may be inside brackets.
var insideBrackets = regexp.MustCompile(`([([{]) | ([)\]}])`)

func key(n syntax.Node) string { return strings.ToLower(strings.Join(strings.Fields(n.Key()), " ")) }

func lowered(w model.Workspace, path string) []any {
	var out []any
	for _, l := range model.LowerAll(w, path) {
		l.Tool.Origin.Line = 0
		if code, ok := l.Tool.Spec.(*tool.Sandbox); ok {
			code.Lines = nil // blank lines that went moved them
		}
		out = append(out, l.Tool, len(l.Diagnostics))
	}
	return out
}
