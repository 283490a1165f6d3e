package syntax

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/benchtext"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestAllocations keeps two numbers within a budget: the objects that a document of 10,000
// lines consists of, and the objects that one typed letter allocates. The budget is a sixth
// more than was measured when it was set. The numbers are the same on a busy machine.
func TestAllocations(t *testing.T) {
	source := benchtext.Library(10000)
	document := Parse(source)
	at := strings.Index(source[len(source)/2:], "Finds") + len(source)/2
	letter := text.Edit{Span: text.Span{Start: at, End: at}, NewText: "x"}
	for name, test := range map[string]struct {
		budget float64
		do     func()
	}{
		"parse": {2350, func() { Parse(source) }},
		"apply": {53, func() { document.Apply(letter) }},
	} {
		t.Run(name, func(t *testing.T) {
			if got := testing.AllocsPerRun(5, test.do); got > test.budget {
				t.Errorf("%v allocations, want at most %v", got, test.budget)
			}
		})
	}
}
