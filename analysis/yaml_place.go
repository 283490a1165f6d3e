package analysis

import (
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// yamlPlace is a place in abl.yaml, in saved cases or in the file of another system.
type yamlPlace struct {
	w      Workspace
	f      *File
	offset int
	at     yaml.Cursor
	row    *tool.Field // of what the path leads to; nil where anything may stand
}

func yamlPlaceAt(w Workspace, f *File, offset int) yamlPlace {
	offset = min(max(offset, 0), len(f.Doc.Text()))
	p := yamlPlace{w: w, f: f, offset: offset, at: f.Tree().At(offset)}
	p.row = projectfile.RowAt(rowOf(f, p.at.Root), p.at.Path)
	return p
}

// inCases reports whether the place is in saved cases.
func (p yamlPlace) inCases() bool { return p.f.saved != nil }

func (p yamlPlace) source() string { return p.f.Doc.Text() }

// line is the text of the line that an offset is on.
func (p yamlPlace) line(offset int) text.Span {
	lines := p.f.Doc.Lines()
	return lines.LineText(lines.Line(offset))
}

// caseTool is the tool whose cases the place is among.
func (p yamlPlace) caseTool() (ScopedTool, bool) {
	if !p.inCases() || len(p.at.Path) == 0 {
		return ScopedTool{}, false
	}
	return caseTool(p.w, p.f.Path, p.at.Path[0].Key)
}

// caseTool is the tool that a name in a file of saved cases means.
func caseTool(w Workspace, cases, name string) (ScopedTool, bool) {
	_, t, ok := CasesTool(w, cases, name)
	return t, ok
}

// caseTools are the tools of the files beside a file of saved cases: those that
// they declare, then those that they import.
func caseTools(w Workspace, cases string) []ScopedTool {
	var own, imported []ScopedTool
	for _, path := range besideCases(w, cases) {
		for _, t := range w.Scope(path).Tools {
			if t.File.Path == path {
				own = append(own, t)
			} else {
				imported = append(imported, t)
			}
		}
	}
	return append(own, imported...)
}

// below reports whether the place is below a key of a case: the keys behind it
// are returned.
func (p yamlPlace) below(key string) (rest []yaml.Step, ok bool) {
	if !p.inCases() || len(p.at.Path) < 3 || p.at.Path[2].Key != key {
		return nil, false
	}
	return p.at.Path[3:], true
}

func (p yamlPlace) inArguments() bool { _, ok := p.below("args"); return ok }

func (p yamlPlace) inSession() bool { _, ok := p.below("session"); return ok }

// checked is the tool whose result the expression at the place is about; nil
// where there is no expression.
func (p yamlPlace) checked() *ToolDecl {
	if !p.inCases() || p.row == nil || p.row.Type != tool.Expr {
		return nil
	}
	t, _ := p.caseTool()
	if t.ToolDecl == nil {
		none := newToolDecl(syntax.Node{})
		return &none
	}
	return t.ToolDecl
}

// argumentType is the type of what stands at the path below `args`, with the
// parameter that it belongs to.
func (p yamlPlace) argumentType(t ScopedTool, path []yaml.Step) (*tool.Type, *tool.Param) {
	at := argumentsType(t.ToolDecl)
	var param *tool.Param
	for i, step := range path {
		key := step.Key
		if step.Index >= 0 {
			key = "[]"
		}
		at = memberType(at, key)
		if i > 0 {
			continue
		}
		if param = p.param(t, key); param != nil && param.Type != nil {
			at = param.Type // with the fields that `parameters:` says
		}
	}
	return at, param
}

// param is a parameter of a tool as `parameters:` enriches it.
func (p yamlPlace) param(t ScopedTool, name string) *tool.Param {
	lowered := lowerTool(p.w, t.File.Path, t).Tool
	for i := range lowered.Params {
		if lowered.Params[i].Name == name {
			return &lowered.Params[i]
		}
	}
	named, _ := t.SchemaParams()
	for i := range named {
		if named[i].Name == name {
			return &named[i]
		}
	}
	return nil
}
