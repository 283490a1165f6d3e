package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// TestNoSlipIsTriedInVain: a file whose findings no slip of indentation can explain is read
// once, whatever its lines look like.
func TestNoSlipIsTriedInVain(t *testing.T) {
	const path, source = "/p/a.agent.abl", `AGENT: A
GOAL: "x"

TOOLS:
  find(query: string) -> {total: number}
    description: "Finds 🛫"
    type: http
    endpoint: "/items"
    method: GET

FLOW:
`
	agent := func(argument string) model.Workspace {
		var b strings.Builder
		b.WriteString(source)
		for i := range 20 {
			fmt.Fprintf(&b, "  s%d:\n    REASONING: false\n    CALL: find\n      WITH:\n        %s: word\n    THEN: s%d\n", i, argument, (i+1)%20)
		}
		return model.Workspace{}.With(path, syntax.Parse(b.String()))
	}
	allocations := func(w model.Workspace, wantFound bool) float64 {
		var cache Cache
		if found := Run(t.Context(), w, path, Options{Cache: &cache}); (countGrave(found) > 0) != wantFound {
			t.Fatalf("found %v", found)
		}
		return testing.AllocsPerRun(5, func() { Run(t.Context(), w, path, Options{Cache: &cache}) })
	}
	right, wrong := allocations(agent("query"), false), allocations(agent("place"), true)
	if most := 3 * right; wrong > most {
		t.Errorf("%.0f allocations with wrong arguments, %.0f without; budget %.0f", wrong, right, most)
	}
}
