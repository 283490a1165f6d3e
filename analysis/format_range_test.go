package analysis_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/format"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// formatRange formats the text from one part to another.
func formatRange(source, from, to string) string {
	doc := syntax.Parse(source)
	start := strings.Index(source, from)
	end := start + strings.Index(source[start:], to) + len(to)
	edits, err := format.FormatRanges(doc, nil, text.Span{Start: start, End: end})
	if err != nil {
		return err.Error()
	}
	formatted, err := text.Apply(source, edits...)
	if err != nil {
		return err.Error()
	}
	return formatted
}

func TestFormatRanges(t *testing.T) {
	const tool = "a(x:string) -> string\n    type:http\n    hints:  {cacheable:true}\n"
	for name, tt := range map[string]struct{ source, from, to, want string }{
		"a line, no other": {
			"TOOLS:\n  " + tool, "type", "http",
			"TOOLS:\n  " + strings.Replace(tool, "type:http", "type: http", 1),
		},
		"up to the next line's beginning": {
			"TOOLS:\n  " + tool, "type", "http\n",
			"TOOLS:\n  " + strings.Replace(tool, "type:http", "type: http", 1),
		},
		"a line's indentation": {
			"TOOLS:\n  a() -> string\n      type:   http\n", "  type", "http",
			"TOOLS:\n  a() -> string\n    type: http\n",
		},
		"not the indentation that would make a tool of a property": {
			"TOOLS:\n    a() -> string\n        type:   http\n    b() -> string\n", "  a()", "http",
			"TOOLS:\n    a() -> string\n        type: http\n    b() -> string\n",
		},
		"the casing of a key whose indentation stays": {
			"TOOLS:\n    a() -> string\n        TYPE:   HTTP\n    b() -> string\n", "  a()", "HTTP",
			"TOOLS:\n    a() -> string\n        type: http\n    b() -> string\n",
		},
		"blanks at the end and lines too many": {
			"GOAL: \"a\"  \n\n\n\nVERSION: \"1.0\"  \n", "GOAL", "\n\n\n\n",
			"GOAL: \"a\"\n\nVERSION: \"1.0\"  \n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, formatRange(tt.source, tt.from, tt.to)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}

func TestFormatRangesRefuses(t *testing.T) {
	w := model.Workspace{}.With("/a.tools.abl", syntax.Parse("TOOLS:\n  a(x: -> string\n"))
	found := check.Run(context.Background(), w, "/a.tools.abl", check.Options{})
	var refused *format.FormatError
	if _, err := format.FormatRanges(w.File("/a.tools.abl").Doc, found, text.Span{}); !errors.As(err, &refused) {
		t.Errorf("got %v", err)
	}
}

// TestFormatEditsAreSmall checks that edits touch little: an editor keeps its cursor and its marks
// only outside edits.
func TestFormatEditsAreSmall(t *testing.T) {
	const source = "TOOLS:\n  run() -> string\n    code: |\n       x\n\n       y\n    TYPE: sandbox  \r\n\r\n\r\n\r\n    hints:   {cacheable: true}\n"
	edits, err := format.Format(syntax.Parse(source), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range edits {
		got = append(got, source[e.Start:e.End]+"→"+e.NewText)
	}
	want := []string{" →", " →", "TYPE→type", "  →", "\r\n\r\n→", "  →"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFormatRangesAnywhere checks that formatting any range of any text of the repository keeps the
// meaning, and does not change the result of formatting the whole text.
func TestFormatRangesAnywhere(t *testing.T) {
	sources, changed, ranges := ablTexts(t), 0, 3
	if testing.Short() {
		ranges = 1
	}
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		r := rand.New(rand.NewPCG(uint64(len(sources[name])), 12)) // of its own, whatever other texts there are
		for range ranges {
			source := disorder(r, sources[name])
			if checkFormatRange(t, source, r.IntN(len(source)+1), r.IntN(len(source)+1)) {
				changed++
			}
		}
	}
	if changed < 50 {
		t.Errorf("only %d ranges changed anything", changed)
	}
}

func checkFormatRange(t *testing.T, source string, from, to int) (changed bool) {
	t.Helper()
	const path = "/x.abl"
	whole := formatSource(path, source)
	if whole.err != nil || whole.before.File(path).IsYAMLAgent() {
		return false
	}
	doc := whole.before.File(path).Doc
	span := text.Span{Start: min(from, to), End: max(from, to)}
	edits, err := format.FormatRanges(doc, nil, span)
	if err != nil {
		t.Fatalf("%q, %v: %v", source, span, err)
	}
	first, last := doc.Lines().Line(span.Start), doc.Lines().Line(span.End)
	for _, e := range edits {
		if doc.Lines().Line(e.Start) < first || doc.Lines().Line(max(e.Start, e.End-1)) > last {
			t.Errorf("%q, %v: %v is outside", source, span, e)
		}
	}
	part, err := text.Apply(source, edits...)
	if err != nil {
		t.Fatal(err)
	}
	after := formatSource(path, part)
	if after.showsSlip() {
		return false
	}
	if after.err != nil || after.after != whole.after {
		t.Fatalf("%q, %v: %v\n%q\n%q\n%q", source, span, after.err, part, after.after, whole.after)
	}
	w := model.Workspace{}.With(path, syntax.Parse(part))
	if a, b := lowered(whole.before, path), lowered(w, path); !reflect.DeepEqual(a, b) {
		t.Fatalf("other tools: %q, %v\n%q\n%+v\n%+v", source, span, part, a, b)
	}
	return part != source
}
