package check

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/tool"
)

// duplicateTool: an agent declares a name once, over all of its TOOLS. The error
// is at the second. Two that each say another `version` are two versions of one tool.
var duplicateTool = Check{
	Code: "duplicate-tool",
	File: func(out *findings, f File) {
		first := make(map[string]model.PlacedTool, len(f.Tools))
		versions := map[string]bool{} // of names that are there again
		var part *model.Part
		for _, t := range f.Tools {
			if in := f.PartAt(t.Offset); in != part {
				part = in
				clear(first)
				clear(versions)
			}
			before, again := first[t.Name]
			if !again {
				first[t.Name] = t
				continue
			}
			versions[tool.JoinVersion(t.Name, before.Version())] = true
			version := tool.JoinVersion(t.Name, t.Version())
			if known := versions[version]; model.IsToolName(t.Name) && (known || !tool.AreVersions(before.Version(), t.Version())) {
				d := out.err(t.NameSpan(), "The tool `%s` is declared twice; rename one of the two.", version)
				d.Related = []model.Related{{Path: f.Path, Span: before.NameSpan(), Message: "The first one."}}
			}
			versions[version] = true
		}
	},
}
