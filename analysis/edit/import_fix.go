package edit

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// maxImportFixes is how many files are offered for one name.
const maxImportFixes = 3

// ImportFixes returns fixes that import a tool into the file at path, one for each library of the
// workspace that declares it. The offset is that of the tool's use: if there is no TOOLS section,
// one is added before that section.
func ImportFixes(w model.Workspace, path, name string, offset int) []model.Fix {
	f := w.File(path)
	var fixes []model.Fix
	for _, p := range model.PathsDeclaring(w, model.ToolNameKind, name) {
		if p == path {
			continue
		}
		written := model.Relative(path, p)
		if written == "" {
			continue
		}
		at, s := ImportEdit(f, p, written, name, offset)
		fixes = append(fixes, model.ReplaceFix("Import `"+name+"` from `"+written+"`", at, s))
		if len(fixes) == maxImportFixes {
			break
		}
	}
	for i := range fixes {
		fixes[i].Best = len(fixes) == 1
	}
	return fixes
}
