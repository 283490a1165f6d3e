package cursor

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// YAMLLine returns the key or the value under the cursor in abl.yaml, in saved cases or in a
// foreign file. An offset outside the text is moved to its end.
func YAMLLine(w model.Workspace, f *model.File, offset int) Line {
	offset = min(max(offset, 0), len(f.Doc.Text()))
	at := f.YAMLTree().CursorAt(offset)
	return Line{Cursor: model.Cursor{File: f, Offset: offset}, Workspace: w, Start: at.Word.Start, Value: at.Word.Start, Dash: at.MissingDash, YAML: &at}
}

// SubLine returns the text from an offset on as a line of its own: an expression or a path in a
// value of a YAML file. The scope has the names that expressions see there.
func (t Line) SubLine(start int, scope []ScopeName) Line {
	t.Start, t.Value, t.Scope, t.YAML = start, start, scope, nil
	return t
}

// yamlPosition returns the schema position of a place in a YAML file. ok is false if anything may
// be there.
func (t Line) yamlPosition() (s SchemaPosition, ok bool) {
	s.ParentField = t.ValueField()
	for _, step := range t.YAML.Path {
		s.Item = step.Index >= 0
		if !s.Item {
			s.Inside = append(s.Inside, step.Key)
		}
	}
	if s.ParentField == nil {
		return s, false
	}
	s.keys, s.Items = model.KeySchemasBelow(s.ParentField, syntax.Node{}, false)
	s.keys.Fields = projectfile.FieldsOf(s.ParentField, t.YAML.Map)
	return s, true
}

// ValueField returns the schema field of the value at a place in a YAML file; nil if anything may
// be there.
func (t Line) ValueField() *tool.Field {
	return projectfile.FieldAt(model.DocumentField(t.File, t.YAML.Root), t.YAML.Path)
}

// yamlSiblings returns the keys of the map except the one that is typed.
func (t Line) yamlSiblings() []string {
	var keys []string
	for _, m := range t.YAML.Map.OwnMembers() {
		if !m.Key.Span.Touches(t.Offset) {
			keys = append(keys, m.Key.Text)
		}
	}
	return keys
}

// LineText returns the span of the line that an offset is on.
func (t Line) LineText(offset int) text.Span {
	lines := t.File.Doc.Lines()
	return lines.LineText(lines.Line(offset))
}

// CasePath returns the key of a case under which the cursor is, such as `args`, and the path below
// that key; "" outside a case. A document with the arguments of a call has nothing but `args`.
func (t Line) CasePath() (key string, rest []yaml.PathElement) {
	if model.IsArguments(t.File.Path) {
		return "args", t.YAML.Path
	}
	if path := t.YAML.Path; t.File.SavedCases != nil && len(path) >= 3 {
		return path[2].Key, path[3:]
	}
	return "", nil
}

// TestedTool returns the tool whose saved cases contain the cursor, or whose arguments the document
// has. The second result is false outside of both, and if there is no such tool.
func (t Line) TestedTool() (model.ScopedTool, bool) {
	if model.IsArguments(t.File.Path) {
		return model.CalledTool(t.Workspace, t.File.Path)
	}
	if t.File.SavedCases == nil || len(t.YAML.Path) == 0 {
		return model.ScopedTool{}, false
	}
	return TestedTool(t.Workspace, t.File.Path, t.YAML.Path[0].Key)
}

// TestedTool returns the tool that name means in cases, the path of a file of saved cases. The
// second result is false if there is none.
func TestedTool(w model.Workspace, cases, name string) (model.ScopedTool, bool) {
	_, t, ok := model.TestedTool(w, cases, name)
	return t, ok
}

// TestedTools returns the tools of the files that cases, the path of a file of saved cases, tests:
// those that they declare, then those that they import.
func TestedTools(w model.Workspace, cases string) []model.ScopedTool {
	var own, imported []model.ScopedTool
	for _, path := range model.FilesTestedBy(w, cases) {
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

// CheckedTool returns the tool whose result the expression at a place in saved cases checks; nil if
// there is no expression.
func (t Line) CheckedTool() *model.ToolDecl {
	if field := t.ValueField(); t.File.SavedCases == nil || field == nil || field.Type != tool.Expr {
		return nil
	}
	s, _ := t.TestedTool()
	if s.ToolDecl == nil {
		none := model.NewToolDecl(syntax.Node{})
		return &none
	}
	return s.ToolDecl
}

// ArgumentType returns the type at path below `args` of a case that tests s, and the parameter that
// the path begins with. Each is nil if it is unknown.
func ArgumentType(w model.Workspace, s model.ScopedTool, path []yaml.PathElement) (*tool.Type, *tool.Param) {
	at := argumentsType(s.ToolDecl)
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
		if param = LoweredParam(w, s, key); param != nil && param.Type != nil {
			at = param.Type // with the fields that `parameters:` says
		}
	}
	return at, param
}

// LoweredParam returns the parameter of s called name, as `parameters:` enriches it; nil if there
// is none.
func LoweredParam(w model.Workspace, s model.ScopedTool, name string) *tool.Param {
	named, _ := s.SchemaParams()
	for _, params := range [][]tool.Param{model.LowerTool(w, s.File.Path, s).Tool.Params, named} {
		for i := range params {
			if params[i].Name == name {
				return &params[i]
			}
		}
	}
	return nil
}
