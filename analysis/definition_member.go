package analysis

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// memberLocations returns the declaration of the member of a result under the cursor: the field in
// the type that a signature returns.
func memberLocations(w model.Workspace, c model.Cursor) []model.Location {
	source := c.File.Doc.Text()
	line := c.File.Doc.Lines().LineText(c.File.Doc.Lines().Line(c.Offset))
	at, ok := cursor.GroupAt(model.PathPattern, source, line, 0, c.Offset)
	if !ok {
		return nil
	}
	t, path, part, ok := pathAtCursor(w, c, source, at)
	if !ok {
		return nil
	}
	parts := model.PathPartPattern.FindAllString(strings.TrimPrefix(path, "session."), -1)
	if len(parts) < 2 {
		return nil
	}
	s, ok := resultOf(t, parts[0])
	if !ok {
		return nil
	}
	return fieldLocations(s, part, parts[1:])
}

// expectedMemberLocations returns the declaration of a member in the expected value of a saved
// case.
func expectedMemberLocations(w model.Workspace, path string, offset int) []model.Location {
	f := w.File(path)
	if f == nil || f.SavedCases == nil {
		return nil
	}
	t := cursor.YAMLLine(w, f, offset)
	if t.CheckedTool() == nil || !t.YAML.ValueAllowed {
		return nil
	}
	at, ok := cursor.GroupAt(model.PathPattern, f.Doc.Text(), t.LineText(t.Offset), 0, t.Offset)
	s, known := t.TestedTool()
	if !ok || !known || at.Start < t.YAML.Word.Start || s.Node.IsZero() {
		return nil
	}
	end := at.End
	if i := strings.IndexAny(f.Doc.Text()[t.Offset:at.End], ".["); i >= 0 {
		end = t.Offset + i
	}
	name := f.Doc.Text()[at.Start:end]
	parts := model.PathPartPattern.FindAllString(name, -1)
	if len(parts) < 2 || parts[0] != "value" && parts[0] != "result" {
		return nil
	}
	part := text.Span{Start: at.Start + strings.LastIndexByte(name, '.') + 1, End: end}
	return fieldLocations(s, part, parts[1:])
}

// fieldLocations returns the field at a path in the type that a tool returns.
func fieldLocations(t model.ScopedTool, from text.Span, path []string) []model.Location {
	if text, ok := t.Property("returns"); ok {
		if p, ok := model.FindProperty(text.Properties(), path...); ok {
			return []model.Location{{From: from, Path: t.File.Path, Span: t.InFile(p.Key).Span(), Full: t.InFile(p.Node).Span()}}
		}
		return nil
	}
	field := fieldNode(t.Node.Child(syntax.FieldReturns), path)
	if field.IsZero() {
		return nil
	}
	return []model.Location{{From: from, Path: t.File.Path, Span: t.InFile(field.Child(syntax.FieldName)).Span(), Full: t.InFile(field).Span()}}
}

// resultOf returns the tool whose result has that name.
func resultOf(t cursor.Line, name string) (s model.ScopedTool, ok bool) {
	if name == "result" {
		return t.ResultTool()
	}
	v, ok := t.File.Variable(name)
	if !ok || t.InTools() || v.Tool == "" {
		return s, false
	}
	return t.Workspace.Callable(t.File.Path).ToolByCallName(v.Tool)
}

// fieldNode returns the field at a path in a type; the zero Node if there is none.
func fieldNode(of syntax.Node, path []string) (field syntax.Node) {
	for _, part := range path {
		for of.Kind() == syntax.GenericType { // array<T>, object<T>, nullable<T>
			of = typeArgument(of)
		}
		switch {
		case part[0] != '[':
			field = fieldNamed(of, part)
			of = field.Child(syntax.FieldType)
		case of.Kind() == syntax.ArrayType:
			field, of = syntax.Node{}, of.Child(syntax.FieldElement)
		}
	}
	return field
}

// fieldNamed returns a field of an object type.
func fieldNamed(of syntax.Node, name string) syntax.Node {
	for c := range of.Children() {
		if c.Kind() == syntax.TypeField && c.Child(syntax.FieldName).Text() == name {
			return c
		}
	}
	return syntax.Node{}
}

// typeArgument returns the first type between the brackets of a generic one.
func typeArgument(n syntax.Node) syntax.Node {
	for c := range n.Children() {
		if c.Field() != syntax.FieldName && c.Kind() != syntax.Invalid && model.IsItem(c) {
			return c
		}
	}
	return syntax.Node{}
}
