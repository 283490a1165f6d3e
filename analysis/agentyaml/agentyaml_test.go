package agentyaml

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// FuzzGenerate: for any text, the pieces are in order, inside both texts, and equal where they say
// so.
func FuzzGenerate(f *testing.F) {
	files, err := filepath.Glob("../../testdata/corpus/*/agents/*.agent.yaml")
	if err != nil || len(files) < 30 {
		f.Fatal(len(files), err)
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(source))
		for i := range 20 { // half-typed
			f.Add(string(source[:len(source)*i/20]))
		}
	}
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 1<<14 {
			t.Skip("bounded on purpose")
		}
		agent := Generate(yaml.Parse(source), nil)
		abl, pieces := agent.ABL, agent.Pieces
		end := 0
		for _, p := range pieces {
			g, s := p.Generated.Span(), p.Source.Span()
			if g.Start < end || g.End < g.Start || g.End > len(abl) || s.Start < 0 || s.End < s.Start || s.End > len(source) {
				t.Fatalf("piece %v after %d, of %d and %d bytes\n%s\nof\n%s", p, end, len(abl), len(source), abl, source)
			}
			if p.Exact && !strings.EqualFold(abl[g.Start:g.End], source[s.Start:s.End]) {
				t.Fatalf("%q is not %q\n%s\nof\n%s", abl[g.Start:g.End], source[s.Start:s.End], abl, source)
			}
			end = g.End
		}
		checkNextVersions(t, source, agent)
	})
}

// checkNextVersions checks that the next version of an agent is the same as a fresh one, whatever the
// edit is.
func checkNextVersions(t *testing.T, source string, agent *Agent) {
	t.Helper()
	for i, typed := range []string{"x", "\n", " # c\n", "  - name: a\n", ""} {
		at := len(source) * (i + 1) / 6
		next := source[:at] + typed + source[min(len(source), at+i%3):]
		got, want := Generate(yaml.Reparse(agent.source, text.NewLines(next)), agent), Generate(yaml.Parse(next), nil)
		if got.ABL != want.ABL || !slices.Equal(got.Pieces, want.Pieces) {
			t.Fatalf("after %q at %d of\n%s\nit is\n%s\nand fresh\n%s", typed, at, source, got.ABL, want.ABL)
		}
	}
}

// TestUnitsAreCopied types a letter into a step, into a tool, and into a comment: the other units are
// copied. Besides that one, the first unit is written again, and the one before it, whose end is found
// by a look at the next line.
func TestUnitsAreCopied(t *testing.T) {
	source := "agent: A\ngoal: g\ntools:\n"
	for i := range 9 {
		source += fmt.Sprintf("  # the tool %d\n  - name: tool_%d\n    description: d\n", i, i)
	}
	source += "flow:\n  steps:\n"
	for i := range 9 {
		source += fmt.Sprintf("    # the step %d\n    step_%d:\n      call: tool_%d # call %d\n      then: COMPLETE\n", i, i, i, i)
	}
	before := Generate(yaml.Parse(source), nil)
	for _, word := range []string{"tool_4\n    d", "call: tool_4", "the tool 4", "the step 4", "call 4"} {
		t.Run(word, func(t *testing.T) {
			at := strings.Index(source, word)
			next := source[:at] + "x" + source[at:]
			after := Generate(yaml.Reparse(before.source, text.NewLines(next)), before)
			if want := Generate(yaml.Parse(next), nil); after.ABL != want.ABL || !slices.Equal(after.Pieces, want.Pieces) {
				t.Errorf("%s\nand fresh\n%s", after.ABL, want.ABL)
			}
			written := 0
			for i := range after.Units {
				if after.Units[i].Sound != before.Units[i].Sound {
					written++
				}
			}
			if len(before.Units) != 20 || written > 3 {
				t.Errorf("%d of %d units are written again", written, len(before.Units))
			}
		})
	}
}
