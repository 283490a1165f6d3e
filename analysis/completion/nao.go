package completion

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// completeNaoText completes an expression, or what stands between braces. ok is false where the
// cursor is in neither.
func completeNaoText(t cursor.Line) (items []Item, ok bool) {
	decl, x, ok := model.NaoTextAt(t.File, t.Offset)
	if !ok {
		return nil, false
	}
	start := x.Inner().Start
	s := t.File.Doc.Text()[start:t.Offset]
	in := t.Within(start, cursor.NaoScope(x, decl.ToolDecl))
	if x.IsExpression() {
		return completeExpression(in, s), true
	}
	found := model.Placeholders(s, x.Key == "endpoint")
	if len(found) == 0 || found[len(found)-1].Closed {
		return completeBoundNao(t, in, s, decl.ToolDecl, x)
	}
	open := found[len(found)-1]
	inner := s[open.Inner.Start:]
	if m := pastedTyped.FindStringSubmatch(inner); m != nil && x.Key == "statement" {
		return replacing(t, t.Offset-len(m[1]), decl.PastedNames(), "}}", "parameter", ParameterItem), true
	}
	return completeNaoNames(in, decl.ToolDecl, x, inner, map[bool]string{true: "}}", false: "}"}[open.Double]), true
}

// completeNaoNames completes what is typed between braces.
func completeNaoNames(t cursor.Line, d *model.ToolDecl, x model.NaoText, inner, ends string) []Item {
	name := inner[len(strings.TrimRight(inner, model.NameBytes)):]
	from := t.Offset - len(name)
	params := func(from int) []Item {
		return completeNaoParams(t, d, x, from, unlessFollowed(t, ends, from))
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		switch space := name[:i]; {
		case space == model.FreeForm:
			return params(from + i + 1)
		case cursor.Within(t.Scope, space):
			return completeScopeFields(t, name, ends)
		default:
			return completeInNamespace(t, space, from+i+1)
		}
	}
	items := params(from)
	if ends == "}" { // of an endpoint: a parameter alone
		return items
	}
	items = append(items, completeScopeNames(t, from)...)
	for _, name := range naoNamespaces {
		space, _ := model.FindNamespace(name)
		items = append(items, Item{Label: name, Kind: NamespaceItem, Documentation: space.Doc, Edit: t.Replace(from, name+space.Mark())})
	}
	return items
}

// completeNaoParams offers the parameters that a text of a tool may name.
func completeNaoParams(t cursor.Line, d *model.ToolDecl, x model.NaoText, from int, ends string) []Item {
	if x.Own != nil {
		return closed(completePlainNames(t, x.Own, "argument of the binding", insertion{from: from}), ends)
	}
	return paramItems(d.Params, nil, func(name string) text.Edit { return t.Replace(from, name+ends) })
}

// naoNamespaces are those that a run fills in here.
var naoNamespaces = []string{"secrets", "session", "env", "config"}
