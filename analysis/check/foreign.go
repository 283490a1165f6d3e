package check

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
)

// foreignFaults is what its reader says of a file of another system: the same
// codes for the same mistakes, by that system's rules.
func foreignFaults(w analysis.Workspace, f *analysis.File) []analysis.Diagnostic {
	var found []analysis.Diagnostic
	for _, name := range w.MissingBeside(f.Path) {
		found = append(found, analysis.Diagnostic{
			Span: name.Span, Severity: analysis.Warning, Code: "undefined-tool",
			Message: "No file beside this one has the Tool `" + name.Text + "`.",
		})
	}
	for _, fault := range f.Foreign.Faults {
		found = append(found, analysis.Diagnostic{
			Span: fault.Span, Severity: severities[fault.Severity], Code: fault.Code, Message: fault.Message,
		})
	}
	slices.SortStableFunc(found, byPosition)
	return found
}

var severities = map[foreign.Severity]analysis.Severity{
	foreign.Error: analysis.Error, foreign.Warning: analysis.Warning, foreign.Information: analysis.Information,
}
