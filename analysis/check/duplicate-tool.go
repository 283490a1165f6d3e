package check

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/tool"
)

// duplicateTool: an agent declares a name once, over all of its TOOLS. The error is at the second
// one. Two tools that declare different versions are two versions of one tool.
var duplicateTool = Check{
	Code: "duplicate-tool",
	File: func(out *findings, f File) {
		first := make(map[string]int32, len(f.Tools)) // indices of tools
		versions := map[string]bool{}                 // of names that are there again
		var part *model.Part
		for i, t := range f.Tools {
			if in := f.PartAt(t.Offset); in != part {
				part = in
				clear(first)
				clear(versions)
			}
			of, again := first[t.Name]
			if !again {
				first[t.Name] = int32(i)
				continue
			}
			before := f.Tools[of]
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
