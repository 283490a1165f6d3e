package check

import (
	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// maxTools is how many tools the platform takes in one agent.
const maxTools = 100

// tooManyTools: an agent declares 100 tools at most, which is an error; with its
// imports it has no more than that. The finding is at the first one too many, or at the
// import that brings it.
var tooManyTools = Check{
	Code: "too-many-tools",
	File: func(f File) []analysis.Diagnostic {
		var out findings
		if f.Kind != analysis.Agent && f.Kind != analysis.Supervisor || len(f.Imports) == 0 && len(f.Tools) <= maxTools {
			return nil
		}
		if at, ok := declaredBeyond(f); ok {
			out.err(at, "The agent declares more than %d tools, which the platform does not take.", maxTools)
			return out
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

// declaredBeyond is the first declaration too many of an agent.
func declaredBeyond(f File) (at text.Span, ok bool) {
	var part *analysis.Part
	names := map[string]bool{}
	for _, t := range f.Tools {
		if in := f.PartAt(t.Offset); in != part {
			part = in
			clear(names)
		}
		if analysis.IsToolName(t.Name) {
			names[t.Name] = true
		}
		if len(names) > maxTools {
			return t.NameSpan(), true
		}
	}
	return at, false
}
