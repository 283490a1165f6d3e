package analysis

import "github.com/abl-lsp/abl-lsp/syntax"

// TypeDefinition is where the type of the name at an offset stands: what
// `parameters:` says of a parameter, else its type in the signature; of a tool
// the type that it returns. Other names have none.
func TypeDefinition(w Workspace, path string, offset int) []Location {
	c, ok := w.cursor(path, offset)
	if !ok {
		return nil
	}
	t, ok := targetAt(w, c)
	if !ok || t.tool.ToolDecl == nil {
		return nil
	}
	l := targetLocation(t)
	place := func(name, full syntax.Node) []Location {
		l.Span, l.Full = t.tool.At(name).Span(), t.tool.At(full).Span()
		return []Location{l}
	}
	if t.param == nil {
		returns := t.tool.Node.Child(syntax.AsReturns)
		if said, ok := t.tool.Property("returns"); ok {
			return place(said.Key, said.Node)
		}
		if returns.IsZero() {
			return nil
		}
		return place(returns, returns)
	}
	if block, ok := t.tool.Property("parameters"); ok {
		for _, p := range block.Properties() {
			if p.Name() == t.param.Name {
				return place(p.Key, p.Node)
			}
		}
	}
	written := t.param.Node.Child(syntax.AsType)
	if written.IsZero() {
		return nil
	}
	return place(written, written)
}
