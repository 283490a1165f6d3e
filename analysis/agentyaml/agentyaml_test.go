package agentyaml

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	})
}
