package dialect_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/dialect/abl"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// TestImportedIsSound checks that tools which are imported from a file without errors have no
// errors in ABL, whatever the file contains.
func TestImportedIsSound(t *testing.T) {
	sound := 0
	for seed := range uint64(100) {
		for system := range ownForms {
			g := generator{Rand: rand.New(rand.NewPCG(seed, 2)), system: system}
			name, source := g.file()
			f := dialect.Read(name, source)
			if slices.ContainsFunc(f.Faults, func(fault foreign.Fault) bool { return fault.Severity == foreign.Error }) {
				continue
			}
			sound++
			library := abl.Library(abl.Entries(f.Tools))
			w := model.Workspace{}.With("/x.tools.abl", syntax.Parse(library))
			for _, d := range check.Run(t.Context(), w, "/x.tools.abl", check.Options{}) {
				if d.Severity == model.Error {
					t.Errorf("%s: %s: %s\n%s\nof\n%s", system, d.Code, d.Message, library, source)
				}
			}
			if t.Failed() {
				return
			}
		}
	}
	if sound < 100 {
		t.Errorf("only %d files had no errors", sound)
	}
}
