package cursor

import (
	"context"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// TypeOf returns the type of a path, nil if none is declared.
func (t Line) TypeOf(path string) *tool.Type {
	parts := model.PathPartPattern.FindAllString(path, -1)
	if len(parts) == 0 {
		return nil
	}
	at := t.typeOfName(parts[0])
	for _, part := range parts[1:] {
		at = model.MemberType(at, part)
	}
	return at
}

func (t Line) typeOfName(name string) *tool.Type {
	if t.Scope != nil {
		return t.scopeType(name)
	}
	switch name {
	case "result":
		if called, ok := t.ResultTool(); ok {
			return called.Returns
		}
		return nil
	case "error":
		return &errorType
	}
	if t.InTools() {
		if decl, ok := t.Tool(); ok {
			if param := decl.Param(name); param != nil {
				return param.Type
			}
		}
	}
	if v, ok := t.File.Variable(name); ok {
		return t.TypeOfVariable(v)
	}
	return nil
}

// TypeOfVariable returns the type of the result or the path from which a variable gets its value.
func (t Line) TypeOfVariable(v model.Variable) *tool.Type {
	if v.Tool != "" {
		if s, ok := t.Workspace.Callable(t.File.Path).ToolByCallName(v.Tool); ok {
			return s.Returns
		}
	}
	at, ok := LineAt(t.Workspace, t.File.Cursor(v.Span.Start))
	if v.From == "" || !ok || t.typeDepth >= maxTypeDepth || placeholder.RootName(v.From) == v.Name {
		return nil
	}
	at.typeDepth = t.typeDepth + 1
	return at.TypeOf(strings.TrimPrefix(v.From, "session."))
}

// maxTypeDepth is how many variables are followed for a type: they may get their values from each
// other.
const maxTypeDepth = 8

// ResultTool returns the tool whose result `result` means at the line: the tool that contains the
// line, or the one that the nearest CALL around the line names. ok is false if there is none.
func (t Line) ResultTool() (s model.ScopedTool, ok bool) {
	if t.InTools() {
		decl, ok := t.Tool()
		return model.ScopedTool{PositionedTool: decl, File: t.File}, ok
	}
	name := ""
	for _, n := range slices.Backward(t.enclosingLines()) {
		if name == "" {
			name = calledIn(keyedNodes(n))
		}
	}
	if name == "" && t.Section != nil {
		var before []syntax.Node
		for _, e := range t.Section.Entries {
			if e.Offset < t.Start {
				before = append(before, e.Root())
			}
		}
		name = calledIn(before)
	}
	return t.Workspace.Callable(t.File.Path).ToolByCallName(name)
}

func keyedNodes(n syntax.Node) []syntax.Node {
	return slices.Collect(model.KeyedNodes(n, false))
}

// calledIn returns the tool of the last CALL among lines.
func calledIn(lines []syntax.Node) string {
	for _, n := range slices.Backward(lines) {
		if strings.EqualFold(n.Key(), "CALL") {
			return model.NewCall(n).Tool
		}
	}
	return ""
}

// KeySchema returns the schema of the keys next to the line.
func (t Line) KeySchema() model.KeySchema {
	s, _ := t.SchemaPosition()
	if t.Dash {
		return s.Items
	}
	return s.keys
}

// bindingFields returns the fields of the binding in a step: its type, and those of that type.
func (t Line) bindingFields() []tool.Field {
	kind := tool.Kind("")
	for c := range t.Parent.BlockChildren() {
		if strings.EqualFold(c.Key(), "type") {
			kind = tool.Kind(model.UnquotedWord(c.Value()).Text)
		}
	}
	return tool.StepFields(t.Path()[0].Name(), kind)
}

// InBinding reports whether the line is directly below a `verify` or `revert`
// that is a binding of its own.
func (t Line) InBinding() bool {
	path := t.Path()
	return t.InTools() && len(path) == 1 && (path[0].Name() == "verify" || path[0].Name() == "revert")
}

// MemberSchema returns the field of key in a map with the schema r, and the schema of the keys
// below that one. f is nil if r does not list the key.
func MemberSchema(r model.KeySchema, key string) (f *tool.Field, below model.KeySchema) {
	field, _ := tool.Find(r.Fields, key)
	switch {
	case field == nil && r.Open && r.Each != nil:
		return nil, model.KeySchema{Fields: r.Each.Fields, Open: r.Each.Open, Each: r.Each.Each}
	case field == nil:
		return nil, model.KeySchema{}
	}
	return field, model.KeySchema{Fields: field.Fields, Open: field.Open || field.Type == tool.MapType, Each: field.Each}
}

// InTools reports whether the line is in a TOOLS section.
func (t Line) InTools() bool { return InTools(t.Cursor) && t.Column > 0 }

// Host gives access to files outside the workspace. Each of its functions may be nil.
type Host struct {
	List model.Lister // the folders that paths lead into
	Read model.Reader // the files in them

	// FullWorkspace is the workspace with the files that no editor has open. It is asked
	// for only where names of other files may be; the zero Workspace for none.
	FullWorkspace func(context.Context) model.Workspace
}
