package analysis

import (
	"github.com/abl-lsp/abl-lsp/syntax"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// TypeDefinition returns the place of the type of the name at an offset of the file at path: for a
// parameter its entry in `parameters:`, else its type in the signature; for a tool the type that it
// returns. It returns nothing for other names.
func TypeDefinition(w model.Workspace, path string, offset int) []model.Location {
	c, ok := w.Cursor(path, offset)
	if !ok {
		return nil
	}
	t, ok := cursor.TargetAt(w, c)
	if !ok || t.Tool.ToolDecl == nil {
		return nil
	}
	l := targetLocation(t)
	place := func(name, full syntax.Node) []model.Location {
		l.Span, l.Full = t.Tool.InFile(name).Span(), t.Tool.InFile(full).Span()
		return []model.Location{l}
	}
	if t.Param == nil {
		returns := t.Tool.Node.Child(syntax.FieldReturns)
		if text, ok := t.Tool.Property("returns"); ok {
			return place(text.Key, text.Node)
		}
		if returns.IsZero() {
			return nil
		}
		return place(returns, returns)
	}
	if block, ok := t.Tool.Property("parameters"); ok {
		for _, p := range block.Properties() {
			if p.Name() == t.Param.Name {
				return place(p.Key, p.Node)
			}
		}
	}
	written := t.Param.Node.Child(syntax.FieldType)
	if written.IsZero() {
		return nil
	}
	return place(written, written)
}
