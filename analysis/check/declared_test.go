package check

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/completion"
	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/marker"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// TestOfferedDeclarationsFit checks that the declaration which completion offers for a server's
// tool has no faults and fits the server's listing. Names that ABL cannot write are excepted.
func TestOfferedDeclarationsFit(t *testing.T) {
	const before = "TOOLS:\n  "
	seen := 0
	for _, dir := range []string{fixtures, filepath.Join(filepath.Dir(fixtures), "completion")} {
		for _, f := range marker.Load(t, dir) {
			for root := range f.Listings {
				path := filepath.Join(root, "declared.tools.abl")
				w := f.Workspace.With(path, syntax.Parse(before))
				for _, item := range completion.Complete(context.Background(), w, path, len(before), cursor.Host{}) {
					if !strings.HasPrefix(item.Detail, "tool of ") {
						continue
					}
					seen++
					declared := strings.ReplaceAll(strings.NewReplacer(`\\`, `\`, `\$`, `$`, `\}`, `}`).Replace(item.Edit.NewText), "\n", "\n  ")
					with := w.With(path, syntax.Parse(before+declared+"\n"))
					for _, d := range Run(context.Background(), with, path, Options{}) {
						if d.Severity <= model.Warning && !isOdd(item.Documentation) && !strings.Contains(d.Message, "since that was accepted") {
							t.Errorf("%s: %s: %s\n%s", f.Name, item.Label, d.Message, declared)
						}
					}
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d declarations are offered", seen)
	}
}

// isOdd reports whether a tool has a parameter that no signature can have.
func isOdd(documentation string) bool {
	return slices.ContainsFunc([]string{"$to", "wörd", "[2J"}, func(name string) bool { return strings.Contains(documentation, name) })
}
