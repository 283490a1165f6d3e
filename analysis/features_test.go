package analysis

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/completion"
	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// fragments are the parts of random texts: forms that a feature looks at, complete and unfinished.
var fragments = []string{
	"TOOLS:\n", "AGENT: A\n", "FLOW:\n", "GOAL: |\n  x\n", "CONSTRAINTS:\n", "ADD:", "HIDE: [", "  ", "    ", "\n", "\n  ", "\n    ", "\n      ",
	"\r\n  ", "\t", "file: ", `"./b.tools.abl" `, "[a, ", "[", "]", "{", "}", "{{", "}}", "(", ")", ",", ":", ": ", "->", " -> ",
	"a(x: string, y: number = 1) -> string", "b(", "x: ", "type: http", "method:", "meth", "endpoint: \"/{x}\"", "endpoint: \"/{",
	"parameters:", "hints:", "confirmation:", "immutable_params: [x, ", "headers:", "X: \"{{secrets.", "body_template: |\n", "code: |\n",
	"request_variants:", "- ", "-", "CALL: a", "WITH:", "AVAILABLE_TOOLS: [", "BEFORE calling a", "- REQUIRE x ", "ON: tool:a:after",
	"RESULT_SECRETS:", "p -> k (consumers: [a, ", "param_mapping:", "circuit_breaker: {thr", "# c", `"`, "'", "é", "日本", "🚀", "\xff", "\x00",
	"MEMORY:\n  session:\n    - v\n", "  s:\n    REASONING: false\n    ", "SET: x = v.", "result.", "AS: r\n", "ON_RESULT:\n", "- IF: v AND ",
	"THEN: HANDOFF ", "CALL: a(x = ADD(1, ", "TEMPLATE(", "GATHER:\n", "{{v.", "ON: tool:", "HANDOFF:\n  - TO: ", "WHEN: \"v ", "steps: [", "CALL: c",
	"|", "base_url: x", "auth: bea", "\ufeff", "<", ">", "=", "?",
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(2) == 0 {
		b.WriteString("TOOLS:\n  a(x: string) -> string\n    ")
	}
	for range r.IntN(14) {
		b.WriteString(fragments[r.IntN(len(fragments))])
	}
	return b.String()
}

func TestFeaturesRandom(t *testing.T) {
	rounds := 600
	if testing.Short() {
		rounds = 100
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range rounds {
		checkFeatures(t, randomText(r))
	}
}

func FuzzFeatures(f *testing.F) {
	f.Add("TOOLS:\n  a(x: string) -> string\n    type: http\n    endpoint: \"/{x\n")
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 1<<10 {
			t.Skip("bounded on purpose")
		}
		checkFeatures(t, source)
	})
}

// checkFeatures calls every feature at every offset and beyond: none panics, and all spans are
// inside the text.
func checkFeatures(t *testing.T, source string) {
	t.Helper()
	library := "TOOLS:\n  a(x: string) -> string\n  c() -> string\n"
	for _, path := range []string{"/p/a.agent.abl", "/p/a.tools.abl", "/p/a.behavior_profile.abl"} {
		w := model.Workspace{}.With("/p/b.tools.abl", syntax.Parse(library)).With(path, syntax.Parse(source))
		sizes := map[string]int{path: len(source), "/p/b.tools.abl": len(library)}
		inside := func(what, path string, s text.Span) {
			if s.Start < 0 || s.End < s.Start || s.End > sizes[path] {
				t.Fatalf("%s: span %v leaves the text\n%q", what, s, source)
			}
		}
		for at := -1; at <= len(source)+1; at++ {
			name := fmt.Sprintf("%s at %d", path, at)
			checkCursor(t, w, path, at, name, inside)
		}
		checkSymbols(t, DocumentSymbols(w, path), text.Span{End: len(source)}, source)
		for _, l := range CodeLenses(w, path, nil) {
			inside("lens", path, l.Span)
		}
	}
}

func checkCursor(t *testing.T, w model.Workspace, path string, at int, name string, inside func(what, path string, s text.Span)) {
	t.Helper()
	source := w.File(path).Text()
	offset := min(max(at, 0), len(source))
	if h, ok := HoverAt(w, path, at); ok {
		inside("hover "+name, path, h.Span)
		if !h.Span.Touches(offset) || h.Markdown == "" {
			t.Fatalf("%s: hover %+v is elsewhere, or empty\n%q", name, h, source)
		}
	}
	for _, l := range Definition(w, path, at) {
		inside("definition "+name, path, l.From)
		inside("definition "+name, l.Path, l.Span)
		inside("definition "+name, l.Path, l.Full)
		if !l.From.Touches(offset) || l.Span.Start < l.Full.Start || l.Span.End > l.Full.End {
			t.Fatalf("%s: definition %+v\n%q", name, l, source)
		}
	}
	if s, ok := SignatureHelp(w, path, at); ok {
		for _, p := range s.Params {
			if p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(s.Label) {
				t.Fatalf("%s: signature %+v\n%q", name, s, source)
			}
		}
	}
	list := func(string) []model.DirEntry {
		return []model.DirEntry{{Name: "b.tools.abl", IsDir: false}, {Name: "sub", IsDir: true}}
	}
	for _, i := range completion.Complete(t.Context(), w, path, at, cursor.Host{List: list}) {
		inside("completion "+name, path, i.Edit.Span)
		if _, err := text.Apply(source, append(i.AdditionalEdits, i.Edit)...); err != nil {
			t.Fatalf("%s: item %+v: %v\n%q", name, i, err, source)
		}
		line := w.File(path).Doc.Lines().LineText(w.File(path).Doc.Lines().Line(i.Edit.Start))
		if !i.Edit.Touches(min(offset, line.End)) || i.Edit.End > line.End || i.Label == "" {
			t.Fatalf("%s: item %+v does not touch the cursor on its line\n%q", name, i, source)
		}
	}
}

func checkSymbols(t *testing.T, symbols []Symbol, in text.Span, source string) {
	t.Helper()
	for _, s := range symbols {
		if s.Name == "" || s.Span.Start < in.Start || s.Span.End > in.End || s.NameSpan.Start < s.Span.Start || s.NameSpan.End > s.Span.End {
			t.Fatalf("symbol %+v does not fit into %v\n%q", s, in, source)
		}
		checkSymbols(t, s.Children, s.Span, source)
	}
}
