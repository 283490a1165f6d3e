package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// unknownImportName: a name in the brackets of an import is a tool of the file. It is an error if
// that file has no syntax errors; a warning if one of these may hide the tool. If a file that it
// imports cannot be read, nothing is reported.
var unknownImportName = Check{
	Code: "unknown-import-name",
	File: func(out *findings, f File) {
		for _, i := range f.Imports {
			if len(i.Names) > 0 && i.Path != "" {
				f.unknownNames(out, i)
			}
		}
	},
}

func (f File) unknownNames(out *findings, i model.Import) {
	tools, complete := model.Exports(f.Workspace, i.Target)
	if !complete || len(tools) == 0 {
		return // nothing can be known, or nothing is there at all
	}
	known := make(map[string]bool, len(tools))
	for _, t := range tools {
		known[t.Name] = true
	}
	scope := model.Scope{Tools: tools}
	names := scope.CallNames()
	severity := model.Error
	if f.run.mayHideTool(f.Workspace, i.Target, map[string]bool{}) {
		severity = model.Warning
	}
	for k, n := range i.Names {
		name := strings.TrimSpace(n.UnquotedText())
		if name == "" || known[name] {
			continue
		}
		if _, ok := scope.ToolByCallName(name); ok { // of a version, or of a service
			continue
		}
		if len(*out) == maxFindings {
			return
		}
		near := model.NearestTool(name, names, slices.Values(tools))
		advice := "see what it declares."
		if near != "" {
			advice = "did you mean `" + near + "`?"
		}
		d := out.add(severity, n.Span(), "`%s` has no tool `%s`; %s", i.Path, name, advice)
		if near != "" && i.NameOf(near, "") < 0 {
			d.Fixes = append(d.Fixes, model.ReplaceFix("Change to `"+near+"`", i.NameSpan(k), near))
		}
		d.Fixes = append(d.Fixes, f.withoutName(i, k))
	}
}

// withoutName returns the fix that deletes a name from the list of an import, and the import with
// its only name.
func (f File) withoutName(i model.Import, k int) model.Fix {
	fix := f.withoutLines("Delete the import", i.Span())
	if len(i.Names) > 1 {
		fix = model.ReplaceFix("Delete `"+i.Names[k].UnquotedText()+"`", edit.WithoutName(i, k), "")
	}
	fix.Best = false
	return fix
}

// mayHideTool reports whether a line in the file, or in one that it imports, cannot be read, so
// that it may declare a tool.
func (r *run) mayHideTool(w model.Workspace, path string, seen map[string]bool) bool {
	h := w.Handle(path)
	if h == nil || h.Absent != model.Present || seen[path] {
		return false
	}
	seen[path] = true
	return r.isBroken(h) || slices.ContainsFunc(h.Imported(), func(imported string) bool { return r.mayHideTool(w, imported, seen) })
}
