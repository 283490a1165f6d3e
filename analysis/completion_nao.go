package analysis

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// naoText completes an expression, or what stands between braces. ok is false where the
// cursor is in neither.
func (t yamlTyped) naoText() (items []CompletionItem, ok bool) {
	decl, x, ok := t.f.naoTextAt(t.offset)
	if !ok {
		return nil, false
	}
	start := x.Inner().Start
	s := t.source()[start:t.offset]
	in := typed{cursor: cursor{file: t.f, offset: t.offset}, w: t.w, ctx: t.ctx, start: start, scope: x.scope(decl.ToolDecl)}
	if x.IsExpression() {
		return in.expression(s), true
	}
	found := Placeholders(s, x.Key == "endpoint")
	if len(found) == 0 || found[len(found)-1].Closed {
		return t.boundNao(s, in, decl.ToolDecl, x)
	}
	open := found[len(found)-1]
	inner := s[open.Inner.Start:]
	if m := pastedTyped.FindStringSubmatch(inner); m != nil && x.Key == "statement" {
		return t.placed(t.offset-len(m[1]), decl.pasted(), "}}", "parameter", ParameterItem), true
	}
	return in.naoNames(decl.ToolDecl, x, inner, map[bool]string{true: "}}", false: "}"}[open.Double]), true
}

// naoNames completes what is typed between braces.
func (t typed) naoNames(d *ToolDecl, x NaoText, inner, ends string) []CompletionItem {
	name := inner[len(strings.TrimRight(inner, nameBytes)):]
	from := t.offset - len(name)
	params := func(from int) []CompletionItem { return t.naoParams(d, x, from, t.unless(ends, from)) }
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		switch space := name[:i]; {
		case space == FreeForm:
			return params(from + i + 1)
		case within(t.scope, space):
			return t.scopeFields(name, ends)
		default:
			return t.inNamespace(space, from+i+1)
		}
	}
	items := params(from)
	if ends == "}" { // of an endpoint: a parameter alone
		return items
	}
	items = append(items, t.scopeNames(from)...)
	for _, name := range naoNamespaces {
		space, _ := namespaceOf(name)
		items = append(items, CompletionItem{Label: name, Kind: NamespaceItem, Documentation: space.doc, Edit: t.replace(from, name+space.mark())})
	}
	return items
}

// naoParams offers the parameters that a text of a tool may name.
func (t typed) naoParams(d *ToolDecl, x NaoText, from int, ends string) []CompletionItem {
	if x.Own != nil {
		return closed(t.plainNames(x.Own, "argument of the binding", put{from: from}), ends)
	}
	return paramItems(d.Params, nil, func(name string) text.Edit { return t.replace(from, name+ends) })
}

// naoNamespaces are those that a run fills in here.
var naoNamespaces = []string{"secrets", "session", "env", "config"}
