package analysis_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/internal/listing"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestTwins compares the same agents in both dialects: what is known of them is equal apart from
// places.
func TestTwins(t *testing.T) {
	abl, yaml := twins(t, "twins_abl"), twins(t, "twins_yaml")
	if len(abl) < 10 {
		t.Fatalf("only %d agents", len(abl))
	}
	for _, name := range slices.Sorted(maps.Keys(abl)) {
		for about, ask := range map[string]func(model.Workspace, string) []string{
			"tools":       twinTools,
			"references":  twinReferences,
			"hovers":      twinHovers,
			"diagnostics": twinDiagnostics,
		} {
			t.Run(name+"/"+about, func(t *testing.T) {
				a, y := abl[name], yaml[name]
				inABL, inYAML := ask(a.workspace, a.path), ask(y.workspace, y.path)
				slices.Sort(inABL)
				slices.Sort(inYAML)
				if !slices.Equal(inABL, inYAML) {
					t.Errorf("- in ABL, + in YAML:\n%s", difference(inABL, inYAML))
				}
				if len(inABL) == 0 && about == "hovers" {
					t.Error("nothing to compare")
				}
			})
		}
	}
}

// twin is an agent in one of the dialects.
type twin struct {
	workspace model.Workspace
	path      string
}

// twins returns the agents of a project, by their name without the ending.
func twins(t *testing.T, project string) map[string]twin {
	t.Helper()
	w := projectAt(t, filepath.Join("..", "testdata", "corpus", project), "/p")
	agents := map[string]twin{}
	for _, path := range w.Paths() {
		if f := w.File(path); f.Kind == model.Agent || f.Kind == model.Supervisor {
			agents[sameName(filepath.Base(path))] = twin{w, path}
		}
	}
	return agents
}

var (
	dialectSuffix = regexp.MustCompile(`\.(agent|supervisor)\.(abl|yaml)`)
	lineNumber    = regexp.MustCompile(`#L\d+|:\d+(:\d+)?\b|\bline \d+`)
)

// sameName returns a text without what names of files say about the dialect.
func sameName(s string) string { return dialectSuffix.ReplaceAllString(s, "") }

// withoutPlaces returns a text without line numbers and the dialect's endings.
func withoutPlaces(s string) string { return lineNumber.ReplaceAllString(sameName(s), "") }

// twinTools returns the tools as `abl-lsp tools --format json` shows them.
func twinTools(w model.Workspace, path string) (out []string) {
	asIs := func(t tool.Tool) (tool.Tool, error) { return t, nil }
	for _, l := range listing.List(w, path, sameName, asIs) {
		l.Range = listing.Range{}
		raw, err := json.MarshalIndent(l, "", " ")
		out = append(out, fmt.Sprint(string(raw), err))
	}
	return out
}

// twinReferences returns each symbol that the agent names, with all places that name it: how many
// there are in each file, and what they do there.
func twinReferences(w model.Workspace, path string) (out []string) {
	seen := map[model.Symbol]bool{}
	for _, o := range (&model.Resolver{Workspace: w, File: w.File(path)}).Occurrences() {
		if seen[o.Symbol] {
			continue
		}
		seen[o.Symbol] = true
		counts := map[string]int{}
		for _, r := range analysis.References(context.Background(), w, path, o.Span.Start) {
			if !isNameOfText(w.File(r.Path), r.Span) {
				counts[fmt.Sprintf("%s %d %q", sameName(r.Path), r.Access, writtenIn(w, r))]++
			}
		}
		out = append(out, fmt.Sprint(o.Symbol.Kind, " ", o.Symbol.Name, " ", counts))
	}
	return out
}

// isNameOfText reports whether a name in ABL opens the texts of a parameter below `parameters:`. In
// YAML they stand beside the name that declares the parameter.
func isNameOfText(f *model.File, s text.Span) bool {
	return strings.HasPrefix(f.Doc.Text()[s.End:], ":\n        description:")
}

// writtenIn returns the word of a reference as its author wrote it.
func writtenIn(w model.Workspace, r model.Reference) string {
	f := w.File(r.Path)
	s := f.WrittenSpan(r.Span)
	return f.Text()[s.Start:s.End]
}

// twinHovers returns the hovers of the names in the agent, each once.
func twinHovers(w model.Workspace, path string) (out []string) {
	f := w.File(path)
	for _, o := range (&model.Resolver{Workspace: w, File: f}).Occurrences() {
		h, ok := analysis.HoverAt(w, path, f.InFile(f.WrittenSpan(o.Span)).Start)
		if !ok {
			h, ok = analysis.HoverAt(w, path, o.Span.Start)
		}
		out = append(out, fmt.Sprintf("%s %s %v: %s", o.Symbol.Kind, o.Symbol.Name, ok, withoutPlaces(h.Markdown)))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// twinDiagnostics returns the diagnostics of the agent, in the words for agents in YAML.
func twinDiagnostics(w model.Workspace, path string) (out []string) {
	for _, d := range check.Run(context.Background(), w, path, check.Options{}) {
		out = append(out, fmt.Sprint(d.Severity, " ", d.Code, " ", strings.ToLower(withoutPlaces(section.KeysInYAML(d.Message, "")))))
	}
	return out
}
