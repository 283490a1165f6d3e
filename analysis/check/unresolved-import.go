package check

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
)

// unresolvedImport: the path of an import leads to a file that can be read and
// that has tools, be they its own or imported in turn.
var unresolvedImport = Check{
	Code: "unresolved-import",
	File: func(f File) []analysis.Diagnostic {
		var out findings
		for _, i := range f.Imports {
			if reason := f.unresolved(i); reason != "" {
				out.err(i.PathNode().Span(), "Nothing can be imported from `%s`: %s", i.Path, reason)
			}
		}
		return out
	},
}

// foreign are the ends of names that other tool files may have.
var foreign = []string{".yaml", ".yml", ".json", ".ts", ".js", ".mjs"}

// unresolved says why an import brings nothing; "" where it does, or where
// nobody can tell.
func (f File) unresolved(i analysis.Import) string {
	if i.Path == "" || slices.Contains(foreign, strings.ToLower(filepath.Ext(i.Path))) {
		return ""
	}
	if !analysis.Importable(i.Path) {
		return "its name does not end in `.abl`."
	}
	target := f.Workspace.File(i.Target)
	if target == nil || i.Target == f.Path {
		return ""
	}
	if target.Doc == nil {
		return absences[target.Absent]
	}
	tools, whole := f.Workspace.Exports(i.Target)
	if len(tools) == 0 && whole {
		return "the file has no tools."
	}
	return ""
}

var absences = map[analysis.Absence]string{
	analysis.NotFound:   "there is no such file.",
	analysis.IsFolder:   "this is a folder; name a file in it.",
	analysis.Unreadable: "the file cannot be read.",
	analysis.Forbidden:  "the file lies outside of the workspace, which is not trusted.",
}
