package check

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// unusedImport: an agent's import brings something: its list is not empty, no import above brings
// the same, and if the steps declare what to call, they name one of its tools. In a library the
// agent's tools decide.
var unusedImport = Check{
	Code: "unused-import",
	File: func(out *findings, f File) {
		if len(f.Imports) == 0 || f.Kind != model.Agent && f.Kind != model.Supervisor {
			return
		}
		used, known := f.usedTools()
		for n, i := range f.Imports {
			reason := ""
			switch {
			case i.Path == "" || !i.ChildOf(syntax.Text).IsZero() || f.isAbsentFile(i):
			case !i.All && len(i.Names) == 0:
				reason = "Its list of names is empty."
			case isRepeated(i, f.Imports[:n]):
				reason = "An import above brings the same."
			case known && f.isUnused(i, used):
				reason = "Nothing in the agent calls one of its tools, and no step lets the model choose."
			}
			if reason != "" {
				d := out.hint(firstLine(i.Node).Shift(i.Offset), "The import of `%s` does nothing. %s", i.Path, reason)
				d.Tags = append(d.Tags, model.Unnecessary)
				d.Fixes = append(d.Fixes, f.withoutLines("Delete the import", i.Span()))
			}
		}
	},
}

func (f File) isAbsentFile(i model.Import) bool {
	target := f.Workspace.File(i.Target)
	return target == nil || target.Doc == nil
}

// isRepeated reports whether the imports above bring everything that this one names.
func isRepeated(i model.Import, above []model.Import) bool {
	names := map[string]bool{}
	for _, a := range above {
		if a.Target != i.Target {
			continue
		}
		if a.All {
			return true
		}
		for _, n := range a.Names {
			names[n.UnquotedText()] = true
		}
	}
	for _, n := range i.Names {
		if unquoted, _ := tool.SplitVersion(n.UnquotedText()); !names[n.UnquotedText()] && !names[unquoted] {
			return false
		}
	}
	return !i.All
}

func (f File) isUnused(i model.Import, used map[string]bool) bool {
	tools, complete := model.Imported(f.Workspace, &i)
	if !complete || f.run.mayHideTool(f.Workspace, i.Target, map[string]bool{}) {
		return false
	}
	for _, t := range tools {
		if used[t.Name] || used[t.QualifiedName()] || isPlatformName(t.Name) {
			return false
		}
	}
	return len(tools) > 0
}
