package check

import "github.com/abl-lsp/abl-lsp/analysis"

// duplicateTool: a file declares a name once, over all of its TOOLS. The error
// is at the second.
var duplicateTool = Check{
	Code: "duplicate-tool",
	File: func(f File) []analysis.Diagnostic {
		var out findings
		first := make(map[string]analysis.PlacedTool, len(f.Tools))
		for _, t := range f.Tools {
			before, again := first[t.Name]
			switch {
			case !again:
				first[t.Name] = t
			case analysis.IsToolName(t.Name):
				d := out.err(t.NameSpan(), "The tool `%s` is declared twice; rename one of the two.", t.Name)
				d.Related = []analysis.Related{{Path: f.Path, Span: before.NameSpan(), Message: "The first one."}}
			}
		}
		return out
	},
}
