package completion

import (
	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// completeNaoText completes an expression, or the text between braces. ok is false if the cursor is
// in neither.
func completeNaoText(t cursor.Line) (items []Item, ok bool) {
	decl, x, ok := model.NaoTextAt(t.File, t.Offset)
	if !ok {
		return nil, false
	}
	start := x.TextSpan().Start
	s := t.File.Doc.Text()[start:t.Offset]
	in := t.SubLine(start, cursor.NaoScope(x, decl.ToolDecl))
	if x.IsExpression() {
		return completeExpression(in, s), true
	}
	params := paramsOf(in, decl.ToolDecl, x.Own)
	found := model.Placeholders(s, x.Key == "endpoint")
	if len(found) == 0 || found[len(found)-1].Closed {
		if x.Key != "statement" {
			return nil, false
		}
		return completeMarks(in, s, marksFor(model.SourceKinds(t.Workspace, t.File)[siblingWord(t, "source")]), params)
	}
	open := found[len(found)-1]
	inner := s[open.Inner.Start:]
	if m := typedPasted.FindStringSubmatch(inner); m != nil && x.Key == "statement" {
		return replacementItems(t, t.Offset-len(m[1]), decl.PastedNames(), "}}", "parameter", ParameterItem), true
	}
	return completePlaceholderName(in, inner, open.Double, params, naoNamespaces()), true
}

// naoNamespaces returns the namespaces that a run of a Nao tool knows.
func naoNamespaces() []model.Namespace {
	var spaces []model.Namespace
	for _, name := range []string{"secrets", "session", "env", "config"} {
		space, _ := model.FindNamespace(name)
		spaces = append(spaces, space)
	}
	return spaces
}
