package cursor

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// YAMLPlace is a place in abl.yaml, in saved cases or in the file of another system.
type YAMLPlace struct {
	W      model.Workspace
	F      *model.File
	Offset int
	At     yaml.Cursor
	Row    *tool.Field // of what the path leads to; nil where anything may stand
}

// YAMLPlaceAt returns the place of an offset of a YAML file. An offset outside of the text is moved to its end.
func YAMLPlaceAt(w model.Workspace, f *model.File, offset int) YAMLPlace {
	offset = min(max(offset, 0), len(f.Doc.Text()))
	p := YAMLPlace{W: w, F: f, Offset: offset, At: f.Tree().At(offset)}
	p.Row = projectfile.RowAt(model.RowOf(f, p.At.Root), p.At.Path)
	return p
}

// InCases reports whether the place is in saved cases.
func (p YAMLPlace) InCases() bool { return p.F.Saved != nil }

// Source returns the text of the file.
func (p YAMLPlace) Source() string { return p.F.Doc.Text() }

// Line is the text of the line that an offset is on.
func (p YAMLPlace) Line(offset int) text.Span {
	lines := p.F.Doc.Lines()
	return lines.LineText(lines.Line(offset))
}

// CaseTool is the tool whose cases the place is among.
func (p YAMLPlace) CaseTool() (model.ScopedTool, bool) {
	if !p.InCases() || len(p.At.Path) == 0 {
		return model.ScopedTool{}, false
	}
	return CaseTool(p.W, p.F.Path, p.At.Path[0].Key)
}

// CaseTool is the tool that a name in a file of saved cases means.
func CaseTool(w model.Workspace, cases, name string) (model.ScopedTool, bool) {
	_, t, ok := model.CasesTool(w, cases, name)
	return t, ok
}

// CaseTools are the tools of the files beside a file of saved cases: those that
// they declare, then those that they import.
func CaseTools(w model.Workspace, cases string) []model.ScopedTool {
	var own, imported []model.ScopedTool
	for _, path := range model.BesideCases(w, cases) {
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

// Below reports whether the place is below a key of a case: the keys behind it
// are returned.
func (p YAMLPlace) Below(key string) (rest []yaml.Step, ok bool) {
	if !p.InCases() || len(p.At.Path) < 3 || p.At.Path[2].Key != key {
		return nil, false
	}
	return p.At.Path[3:], true
}

// InArguments reports whether the place is below `args`.
func (p YAMLPlace) InArguments() bool { _, ok := p.Below("args"); return ok }

// InSession reports whether the place is below `session`.
func (p YAMLPlace) InSession() bool { _, ok := p.Below("session"); return ok }

// Checked is the tool whose result the expression at the place is about; nil
// where there is no expression.
func (p YAMLPlace) Checked() *model.ToolDecl {
	if !p.InCases() || p.Row == nil || p.Row.Type != tool.Expr {
		return nil
	}
	t, _ := p.CaseTool()
	if t.ToolDecl == nil {
		none := model.NewToolDecl(syntax.Node{})
		return &none
	}
	return t.ToolDecl
}

// ArgumentType is the type of what stands at the path below `args`, with the
// parameter that it belongs to.
func (p YAMLPlace) ArgumentType(t model.ScopedTool, path []yaml.Step) (*tool.Type, *tool.Param) {
	at := argumentsType(t.ToolDecl)
	var param *tool.Param
	for i, step := range path {
		key := step.Key
		if step.Index >= 0 {
			key = "[]"
		}
		at = model.MemberType(at, key)
		if i > 0 {
			continue
		}
		if param = p.Param(t, key); param != nil && param.Type != nil {
			at = param.Type // with the fields that `parameters:` says
		}
	}
	return at, param
}

// Param is a parameter of a tool as `parameters:` enriches it.
func (p YAMLPlace) Param(t model.ScopedTool, name string) *tool.Param {
	lowered := model.LowerTool(p.W, t.File.Path, t).Tool
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
