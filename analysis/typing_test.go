package analysis_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/completion"
	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestTyping types the demo's files, once as new files, and once into the middle of the existing
// text, and calls every feature at each character. An editor must be able to show and to apply what
// it gets.
func TestTyping(t *testing.T) {
	for _, name := range []string{"agents/trip_planner.agent.abl", "tools/weather.tools.abl"} {
		raw, err := os.ReadFile(filepath.Join("..", "testdata", "demo", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		source := string(raw)
		for style, source := range map[string]string{
			"":      source,
			" CRLF": strings.ReplaceAll(source, "\n", "\r\n"),
			" tabs": strings.ReplaceAll(source, "  ", "\t"),
			" wide": strings.ReplaceAll(source, "\"", "\"😀東"),
		} {
			t.Run(name+style, func(t *testing.T) {
				path := "/demo/" + name
				step := 1 + len(source)/300 // some places of a long text: each takes two parses
				for i := range source {
					if i%step != 0 || strings.HasPrefix(source[i:], "\n") && strings.HasSuffix(source[:i], "\r") {
						continue // no cursor stands inside a line's end
					}
					askEverythingAt(t, path, source[:i], i)
					end := i + strings.IndexByte(source[i:]+"\n", '\n')
					askEverythingAt(t, path, source[:i]+source[end:], i)
					if t.Failed() {
						return
					}
				}
			})
		}
	}
}

// askEverythingAt calls every feature at an offset, at which the cursor may be.
func askEverythingAt(t *testing.T, path, source string, at int) {
	t.Helper()
	w := model.Workspace{}.With(path, syntax.Parse(source))
	folder := func(string) []model.DirEntry { return []model.DirEntry{{Name: "weather.tools.abl"}} }
	for _, item := range completion.Complete(t.Context(), w, path, at, cursor.Host{List: folder}) {
		if wrong := wrongItem(source, at, item); wrong != "" {
			t.Errorf("%q: %s: %s", source[max(0, at-60):at]+"‸"+source[at:min(len(source), at+20)], item.Label, wrong)
		}
	}
	if h, ok := analysis.HoverAt(w, path, at); ok && (!h.Span.Touches(at) || h.Markdown == "") {
		t.Errorf("%q: hover %+v", source[:at], h)
	}
	for _, l := range analysis.Definition(w, path, at) {
		if !l.From.Touches(at) || l.Path == path && !contains(l.Full, l.Span) {
			t.Errorf("%q: definition %+v", source[:at], l)
		}
	}
	for _, l := range analysis.CodeLenses(w, path, nil) {
		if l.Title == "" || l.Kind != analysis.ImportLens && l.Tool == "" {
			t.Errorf("%q: lens %+v", source[:at], l)
		}
	}
	if wrong := wrongSymbol(text.Span{End: len(source)}, analysis.DocumentSymbols(w, path)); wrong != "" {
		t.Errorf("%q: %s", source[:at], wrong)
	}
}

func contains(outer, inner text.Span) bool {
	return outer.Start <= inner.Start && inner.End <= outer.End
}

// wrongItem says what an editor could not handle: an edit that leaves the cursor's line or does not
// touch it, or one that the typed text would hide.
func wrongItem(source string, at int, item completion.Item) string {
	span := item.Edit.Span
	switch {
	case !span.Touches(at) || span.End > len(source):
		return fmt.Sprintf("edit %v, the cursor at %d", span, at)
	case strings.ContainsAny(source[span.Start:span.End], "\r\n"):
		return fmt.Sprintf("replaces %q", source[span.Start:span.End])
	case !item.Snippet && strings.Contains(item.Edit.NewText, "\n"):
		return fmt.Sprintf("puts %q", item.Edit.NewText)
	}
	return ""
}

// wrongSymbol says which rule of the protocol for an outline is broken.
func wrongSymbol(within text.Span, symbols []analysis.Symbol) string {
	for _, s := range symbols {
		if s.Name == "" || !contains(within, s.Span) || !contains(s.Span, s.NameSpan) {
			return fmt.Sprintf("symbol %+v in %v", s, within)
		}
		if wrong := wrongSymbol(s.Span, s.Children); wrong != "" {
			return wrong
		}
	}
	return ""
}
