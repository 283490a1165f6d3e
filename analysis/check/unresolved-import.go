package check

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// unresolvedImport: the path of an import leads to a file that can be read and that has tools of
// its own or imported ones.
var unresolvedImport = Check{
	Code: "unresolved-import",
	File: func(out *findings, f File) {
		known := sync.OnceValue(f.libraries)
		for _, i := range f.Imports {
			if reason := f.unresolved(i); reason != "" {
				d := out.err(i.PathNode().Span(), "Nothing can be imported from `%s`: %s", i.Path, reason)
				d.Fixes = append(otherPathFixes(i, known()), newLibraryFixes(f, i)...)
			}
		}
	},
}

// unresolved returns the reason why an import brings nothing; "" if it brings something, or if that
// is unknown.
func (f File) unresolved(i model.Import) string {
	if i.Path == "" {
		return ""
	}
	if !model.IsImportable(i.Path) {
		return "its name does not end in `.abl`, nor as a tool file of another system does (`.yaml`, `.json`, `.ts`, `.js`)."
	}
	target := f.Workspace.File(i.Target)
	if target == nil || i.Target == f.Path {
		return ""
	}
	if target.Doc == nil {
		return absenceReasons[target.Absent]
	}
	if target.Doc.TooLarge() {
		return "the file is too large to be read."
	}
	tools, complete := model.Exports(f.Workspace, i.Target)
	if len(tools) == 0 && complete {
		return "the file has no tools" + model.WantedTools(i.Target) + "."
	}
	return ""
}

// libraries returns the paths of the workspace's libraries, relative to this file.
func (f File) libraries() []string {
	var paths []string
	for _, path := range f.Workspace.Paths() {
		if f.Workspace.Summary(path).Kind == model.Library && path != f.Path {
			paths = append(paths, model.Relative(f.Path, path))
		}
	}
	return paths
}

// otherPathFixes offers the library of the workspace whose path is one typing slip away, and those
// of the same name in other folders.
func otherPathFixes(i model.Import, known []string) []model.Fix {
	written, unquoted := i.Path, !strings.HasPrefix(i.Path, "./") && !strings.HasPrefix(i.Path, "../")
	if unquoted {
		written = "./" + written
	}
	var fixes []model.Fix
	offer := func(path string, best bool) {
		if unquoted {
			path = strings.TrimPrefix(path, "./")
		}
		fix := model.ReplaceFix("Change to `"+path+"`", i.PathNode().Span(), `"`+path+`"`)
		fix.Best = best
		fixes = append(fixes, fix)
	}
	near := model.Nearest(written, known)
	if near != "" {
		offer(near, true)
	}
	for _, path := range known {
		if len(fixes) < maxPaths && path != written && path != near && filepath.Base(path) == filepath.Base(i.Path) {
			offer(path, false) // it may be quite another one
		}
	}
	return fixes
}

const maxPaths = 3 // that are offered for one

// newLibraryFixes offers to create the file, with the tools that the import names.
func newLibraryFixes(f File, i model.Import) []model.Fix {
	target := f.Workspace.File(i.Target)
	isNew := target != nil && target.Absent == model.NotFound
	if !isNew || !isLibrary(i.Path) || strings.Contains(i.Path, "://") || !filepath.IsAbs(i.Target) {
		return nil
	}
	names := []string{"example"}
	if len(i.Names) > 0 {
		names = nil
	}
	for _, n := range i.Names {
		if model.IsToolName(n.UnquotedText()) && !slices.Contains(names, n.UnquotedText()) {
			names = append(names, n.UnquotedText())
		}
	}
	source := "TOOLS:\n"
	for _, name := range names {
		source += "  " + name + "() -> object\n"
	}
	edit := model.FileEdit{Path: i.Target, Edit: text.Edit{NewText: source}}
	return []model.Fix{{Title: "Create the file `" + i.Path + "`", Edits: []model.FileEdit{edit}}}
}

var absenceReasons = map[model.Absence]string{
	model.NotFound:   "there is no such file.",
	model.IsFolder:   "this is a folder; name a file in it.",
	model.Unreadable: "the file cannot be read.",
	model.Forbidden:  "the file lies outside of the workspace, which is not trusted.",
}
