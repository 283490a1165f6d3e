package analysis

import (
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// ToolDecl is the declaration of one tool, as written. It does not know where
// its entry stands, and is kept as long as the entry reads the same.
type ToolDecl struct {
	Node    syntax.Node // of kind Tool
	Name    string
	Params  []ParamDecl
	Returns *tool.Type // nil where none is written, or it is not whole
}

// ParamDecl is one parameter of a signature.
type ParamDecl struct {
	Node     syntax.Node // of kind Parameter
	Name     string      // "" where it is not whole
	Type     *tool.Type  // nil where none is written, or it is not whole
	Optional bool        // by `?` or a default
}

// NameNode is the tool's name in its signature.
func (d *ToolDecl) NameNode() syntax.Node { return d.Node.Child(syntax.AsName) }

// Param is the parameter of that name, nil where there is none.
func (d *ToolDecl) Param(name string) *ParamDecl {
	for i := range d.Params {
		if d.Params[i].Name == name {
			return &d.Params[i]
		}
	}
	return nil
}

// NameNode is the parameter's name in the signature.
func (p *ParamDecl) NameNode() syntax.Node { return p.Node.Child(syntax.AsName) }

// PlacedTool is a declaration with its place in a file.
type PlacedTool struct {
	*ToolDecl
	Offset int // of its entry
}

// At is a node of the declaration, placed.
func (t PlacedTool) At(n syntax.Node) PlacedNode { return PlacedNode{n, t.Offset} }

// Span is the whole declaration, in the file.
func (t PlacedTool) Span() text.Span { return t.Node.Span().Shift(t.Offset) }

// NameSpan is the tool's name, in the file.
func (t PlacedTool) NameSpan() text.Span { return t.NameNode().Span().Shift(t.Offset) }

// newToolDecls reads an entry: one tool, or those below an ADD.
func newToolDecls(root syntax.Node) []ToolDecl {
	if root.Kind() == syntax.Tool {
		return []ToolDecl{newToolDecl(root)}
	}
	var decls []ToolDecl
	for n := range root.Entries() {
		if n.Kind() == syntax.Tool {
			decls = append(decls, newToolDecl(n))
		}
	}
	return decls
}

func newToolDecl(n syntax.Node) ToolDecl {
	d := ToolDecl{Node: n, Name: n.Child(syntax.AsName).Text()}
	for c := range n.Child(syntax.AsParameters).Children() {
		if c.Kind() == syntax.Parameter {
			d.Params = append(d.Params, newParamDecl(c))
		}
	}
	d.Returns = TypeOf(n.Child(syntax.AsReturns))
	return d
}

func newParamDecl(n syntax.Node) ParamDecl {
	return ParamDecl{
		Node:     n,
		Name:     n.Child(syntax.AsName).Text(),
		Type:     TypeOf(n.Child(syntax.AsType)),
		Optional: !n.ChildOf(syntax.Question).IsZero() || !n.ChildOf(syntax.Equals).IsZero(),
	}
}
