package analysis

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// namedToolLenses returns a lens for each tool that a call or a list of imported names of the file
// names, which runs that tool. errorNote says which errors a tool of the file has.
func namedToolLenses(w model.Workspace, f *model.File, errorNote func(model.PositionedTool) string) []Lens {
	r := runTargets{}
	var lenses []Lens
	add := func(at text.Span, title string, s model.ScopedTool) {
		if s.File == f {
			title += errorNote(s.PositionedTool)
		}
		lenses = append(lenses, Lens{Span: at, Title: title, Kind: RunLens, Tool: r.callName(s), Path: s.File.Path})
	}
	if f.Kind != model.Library {
		for i := range f.Imports {
			tools, _ := model.Imported(w, &f.Imports[i])
			brought := model.Scope{Tools: tools}
			for _, n := range f.Imports[i].Names {
				if s, ok := brought.ToolByCallName(n.UnquotedText()); ok {
					add(n.Span(), "Run "+s.Name, s)
				}
			}
		}
	}
	callable := w.Callable(f.Path)
	for c := range f.Calls() {
		if s, ok := callable.SeenFrom(f, c.ToolSpan.Start).ToolByCallName(c.Tool); ok && isRunnable(w, s) {
			add(c.ToolSpan, "Run", s)
		}
	}
	return lenses
}

// runTargets are the names by which the tools of files are run, by the files.
type runTargets map[*model.File]map[*model.ToolDecl]string

// callName returns the name by which a tool is run in the file that declares it.
func (r runTargets) callName(s model.ScopedTool) string {
	names, known := r[s.File]
	if !known {
		own := model.Scope{}
		for _, t := range s.File.Tools {
			own.Tools = append(own.Tools, model.ScopedTool{PositionedTool: t, File: s.File})
		}
		names = make(map[*model.ToolDecl]string, len(own.Tools))
		for i, name := range own.CallNames() {
			names[own.Tools[i].ToolDecl] = name
		}
		r[s.File] = names
	}
	return names[s.ToolDecl]
}
