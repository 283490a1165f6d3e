package check

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// importCollision: an imported tool does not have the name of another one. The file's own tool
// wins, then the first import. Two tools of one file are no collision: they are the same
// declaration, reached in two ways, or a mistake of that file.
var importCollision = Check{
	Code: "import-collision",
	File: func(out *findings, f File) {
		if len(f.Imports) == 0 {
			return
		}
		first := map[string]model.ScopedTool{}
		for _, t := range f.Workspace.Scope(f.Path).Tools {
			before, taken := first[nameInScope(t)]
			switch {
			case !taken:
				first[nameInScope(t)] = t
			case t.Import == nil || before.File.Path == t.File.Path:
			case before.Import == nil:
				d := out.warn(importedAt(t), "The imported tool `%s` has the name of one declared here, which wins; rename or leave out one of the two.", nameInScope(t))
				d.Related = declaredAt(before, t)
				d.Fixes = f.withoutTool(t)
			default:
				d := out.warn(importedAt(t), "The tool `%s` is imported from `%s` already, which wins; leave out one of the two.", nameInScope(t), before.Import.Path)
				d.Related = declaredAt(before, t)
				d.Fixes = f.withoutTool(t)
			}
		}
	},
}

// nameInScope returns the name of a tool in the scope: the one in the bracket list of its import,
// else its qualified name.
func nameInScope(t model.ScopedTool) string {
	if t.Import != nil {
		if k := t.Import.NameOfTool(t); k >= 0 {
			return syntax.Unquote(t.Import.Names[k].Text())
		}
	}
	return t.QualifiedName()
}

// importedAt returns the span of the name in the bracket list, or that of the path if all is
// imported.
func importedAt(t model.ScopedTool) text.Span {
	if k := t.Import.NameOfTool(t); k >= 0 {
		return t.Import.Names[k].Span()
	}
	return t.Import.PathNode().Span()
}

// withoutTool returns the fix that removes the unused tool from its import, if that names it.
func (f File) withoutTool(t model.ScopedTool) []model.Fix {
	k := t.Import.NameOfTool(t)
	if k < 0 {
		return nil
	}
	fix := f.withoutName(*t.Import, k)
	fix.Best = true
	return []model.Fix{fix}
}

func declaredAt(winner, loser model.ScopedTool) []model.Related {
	return []model.Related{
		{Path: winner.File.Path, Span: winner.NameSpan(), Message: "This one wins."},
		{Path: loser.File.Path, Span: loser.NameSpan(), Message: "This one is not used."},
	}
}
