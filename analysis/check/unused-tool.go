package check

import "github.com/abl-lsp/abl-lsp/analysis/model"

// unusedTool: in an agent whose steps all declare what to call, each declared tool is named
// somewhere: called, guarded, hidden, or given a secret. If the model chooses, it may use any tool.
var unusedTool = Check{
	Code: "unused-tool",
	File: func(out *findings, f File) {
		if len(f.Tools) == 0 {
			return
		}
		used, known := f.usedTools()
		if !known {
			return
		}
		for _, t := range f.Tools {
			if used[t.Name] || used[t.QualifiedName()] || isPlatformName(t.Name) || !model.IsToolName(t.Name) {
				continue
			}
			d := out.hint(t.NameSpan(), "Nothing in the agent calls `%s`, and no step lets the model choose.", t.Name)
			d.Tags = append(d.Tags, model.Unnecessary)
			fix := f.withoutLines("Delete `"+t.Name+"`", t.Span())
			fix.Best = false
			d.Fixes = append(d.Fixes, fix)
		}
	},
}
