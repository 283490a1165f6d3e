package analysis

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// memberAt is where the member of a result under an offset is declared: the field in
// what a signature returns.
func (w Workspace) memberAt(c cursor) []Location {
	source := c.file.Doc.Text()
	line := c.file.Doc.Lines().LineText(c.file.Doc.Lines().Line(c.offset))
	at, ok := groupAt(pathNamed, source, line, 0, c.offset)
	if !ok {
		return nil
	}
	t, path, part, ok := w.pathHere(c, source, at)
	if !ok {
		return nil
	}
	parts := pathParts.FindAllString(strings.TrimPrefix(path, "session."), -1)
	if len(parts) < 2 {
		return nil
	}
	s, ok := t.resultOf(parts[0])
	if !ok {
		return nil
	}
	field := fieldNode(s.Node.Child(syntax.AsReturns), parts[1:])
	if field.IsZero() {
		return nil
	}
	return []Location{{From: part, Path: s.File.Path, Span: s.At(field.Child(syntax.AsName)).Span(), Full: s.At(field).Span()}}
}

// resultOf is the tool whose result a name is.
func (t typed) resultOf(name string) (s ScopedTool, ok bool) {
	if name == "result" {
		return t.calledHere()
	}
	v, ok := t.file.variable(name)
	if !ok || t.inTools() || v.Tool == "" {
		return s, false
	}
	return t.w.Callable(t.file.Path).Tool(v.Tool)
}

// fieldNode is the field that a path leads to in a type; the zero Node where it leads
// to none.
func fieldNode(of syntax.Node, path []string) (field syntax.Node) {
	for _, part := range path {
		for of.Kind() == syntax.GenericType { // array<T>, object<T>, nullable<T>
			of = typeArgument(of)
		}
		switch {
		case part[0] != '[':
			field = fieldNamed(of, part)
			of = field.Child(syntax.AsType)
		case of.Kind() == syntax.ArrayType:
			field, of = syntax.Node{}, of.Child(syntax.AsElement)
		}
	}
	return field
}

// fieldNamed is a field of an object type.
func fieldNamed(of syntax.Node, name string) syntax.Node {
	for c := range of.Children() {
		if c.Kind() == syntax.TypeField && c.Child(syntax.AsName).Text() == name {
			return c
		}
	}
	return syntax.Node{}
}

// typeArgument is the first type between the brackets of a generic one.
func typeArgument(n syntax.Node) syntax.Node {
	for c := range n.Children() {
		if c.Field() != syntax.AsName && c.Kind() != syntax.Invalid && isItem(c) {
			return c
		}
	}
	return syntax.Node{}
}
