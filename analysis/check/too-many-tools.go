package check

import "github.com/abl-lsp/abl-lsp/analysis"

// maxTools is how many tools the platform takes in one agent.
const maxTools = 100

// tooManyTools: an agent has 100 tools at most, imported ones included. The
// warning is at the first one too many, or at the import that brings it.
var tooManyTools = Check{
	Code: "too-many-tools",
	File: func(f File) []analysis.Diagnostic {
		var out findings
		if f.Kind != analysis.Agent && f.Kind != analysis.Supervisor || len(f.Imports) == 0 && len(f.Tools) <= maxTools {
			return nil
		}
		names := map[string]bool{}
		var beyond *analysis.ScopedTool
		for _, t := range f.Workspace.Scope(f.Path).Tools {
			if names[t.Name] || !analysis.IsToolName(t.Name) {
				continue
			}
			names[t.Name] = true
			if len(names) == maxTools+1 {
				beyond = &t
			}
		}
		if beyond == nil {
			return nil
		}
		at := beyond.NameSpan()
		if beyond.Import != nil {
			at = importedAt(*beyond)
		}
		out.warn(at, "The agent has %d tools with this one and what follows; %d are the most that the platform takes. Import by name what it needs.", len(names), maxTools)
		return out
	},
}
