package check

import (
	"context"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/benchtext"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// TestAllocations bounds the allocations of the first check of a file of a thousand tools. The
// bound is a tenth above the measured value.
func TestAllocations(t *testing.T) {
	const path, budget = "/a.tools.abl", 250_000
	source := benchtext.Library(10000)
	check := func() {
		w := model.Workspace{}.With(path, syntax.Parse(source))
		Run(context.Background(), w, path, Options{})
	}
	if got := testing.AllocsPerRun(2, check); got > budget {
		t.Errorf("%v allocations, want at most %v", got, budget)
	}
}
