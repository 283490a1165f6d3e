package check

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// maxTools is how many tools of one agent the platform accepts.
const maxTools = 100

// tooManyTools: an agent declares 100 tools at most, which is an error; with its imports it has no
// more than that. The finding is at the first one beyond the limit, or at the import that brings
// it.
var tooManyTools = Check{
	Code: "too-many-tools",
	File: func(out *findings, f File) {
		if f.Kind != model.Agent && f.Kind != model.Supervisor || len(f.Imports) == 0 && len(f.Tools) <= maxTools {
			return
		}
		for i := range f.Parts() {
			tooManyInPart(out, f, &f.Parts()[i])
		}
	},
}

// tooManyInPart counts the tools of one agent of the file.
func tooManyInPart(out *findings, f File, part *model.Part) {
	names := map[string]bool{}
	for _, t := range f.Tools {
		if f.PartAt(t.Offset) != part || !model.IsToolName(t.Name) {
			continue
		}
		if names[t.Name] = true; len(names) > maxTools {
			out.err(t.NameSpan(), "The agent declares more than %d tools, which the platform does not take.", maxTools)
			return
		}
	}
	var excess *model.ScopedTool
	for i := range f.Imports {
		if f.PartAt(f.Imports[i].Offset) != part {
			continue
		}
		tools, _ := model.Imported(f.Workspace, &f.Imports[i])
		for _, t := range tools {
			if names[t.Name] || !model.IsToolName(t.Name) {
				continue
			}
			if names[t.Name] = true; len(names) == maxTools+1 {
				excess = &t
			}
		}
	}
	if excess != nil {
		out.warn(importedAt(*excess), "The agent has %d tools with this one and what follows; %d are the most that the platform takes. Import by name what it needs.", len(names), maxTools)
	}
}
