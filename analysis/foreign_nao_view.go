package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// naoTextAt is the text of a tool of Nao's that names parameters at an offset, with the
// tool.
func (f *File) naoTextAt(offset int) (t PlacedTool, x NaoText, ok bool) {
	t, ok = f.foreignAround(offset)
	if !ok {
		return t, x, false
	}
	for _, x := range f.NaoTexts(t, naoKeys...) {
		if inner := x.Inner(); inner.Touches(offset) && (x.Key == "statement" || !slices.Contains(untemplated, x.Key)) {
			return t, x, true
		}
	}
	return t, x, false
}

// hoverNao tells of what the run has under a name in a text of Nao's that is no
// parameter: its arguments, its result, a namespace.
func (w Workspace) hoverNao(f *File, offset int) (Hover, bool) {
	t, x, ok := f.naoTextAt(offset)
	if !ok {
		return Hover{}, false
	}
	s, at := x.source(f)
	in := typed{cursor: cursor{file: f, offset: offset}, w: w, scope: x.scope(t.ToolDecl)}
	for _, n := range x.names(s) {
		for _, part := range n.Parts {
			if !part.Shift(at).Touches(offset) {
				continue
			}
			path := s[n.Head().Start:part.End]
			said := in.describeScoped(path)
			if space, ok := namespaceOf(path); said == "" && ok {
				said = paragraphs("**"+path+"**", space.doc)
			}
			return Hover{part.Shift(at), said}, said != ""
		}
	}
	return Hover{}, false
}

// scope is what the names of the text may mean beside parameters.
func (x NaoText) scope(d *ToolDecl) []scopeName {
	if x.IsExpression() {
		return stepScope(d, x.Step, x.Key)
	}
	scope := []scopeName{{Word: inputWord(d), of: inputType(d)}}
	if isStep(x.Step) {
		scope = append(scope, checkScope(d)...)
	}
	return scope
}

// naoNamespaces are those that a run fills in here.
var naoNamespaces = []string{"secrets", "session", "env", "config"}

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
