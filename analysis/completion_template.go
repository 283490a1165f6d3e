package analysis

import (
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// inPlaceholder completes a name between braces. ok is false where the cursor
// is in no placeholder.
func (t typed) inPlaceholder() (items []CompletionItem, ok bool) {
	s := t.text()
	switch {
	case !t.inTools():
		return t.inText(s)
	case t.property() == "statement":
		return t.inStatement(s)
	case !t.templated():
		return nil, false
	}
	found := Placeholders(s, strings.EqualFold(t.key, "endpoint"))
	if len(found) == 0 || found[len(found)-1].Closed {
		return nil, false
	}
	open := found[len(found)-1]
	inner := s[open.Inner.Start:]
	if items, ok := t.lookups(inner); ok {
		return items, true
	}
	before := strings.TrimRight(inner, nameBytes)
	name := inner[len(before):]
	from := t.offset - len(name)
	space, _, dotted := strings.Cut(name, ".")
	if decl, ok := t.tool(); ok && isStep(t.property()) && open.Double {
		t.scope = checkScope(decl.ToolDecl)
	}
	switch {
	case !open.Double:
		return t.placeholderParams(from, "}"), true
	case dotted && within(t.scope, name):
		return t.scopeFields(name, "}}"), true
	case dotted && space == "input":
		return t.placeholderParams(from+len("input."), "}}"), true
	case dotted:
		return t.inNamespace(space, from+len(space)+1), true
	}
	return slices.Concat(t.placeholderParams(from, "}}"), t.scopeNames(from), t.namespaces(from)), true
}

// scopeNames offers the names of the scope in a placeholder.
func (t typed) scopeNames(from int) []CompletionItem {
	var items []CompletionItem
	for _, n := range t.scope {
		items = append(items, CompletionItem{Label: n.Name, Kind: VariableItem, Documentation: n.Doc, Edit: t.replace(from, n.Name+t.unless("}}", from))})
	}
	return items
}

// scopeFields offers the fields of a path of the scope, with what closes the
// placeholder.
func (t typed) scopeFields(path, ends string) []CompletionItem {
	i := strings.LastIndexByte(path, '.')
	from := t.offset - len(path) + i + 1
	return closed(t.fieldsOf(path[:i], put{from: from}), t.unless(ends, from))
}

// closed puts what closes a placeholder behind the names.
func closed(items []CompletionItem, ends string) []CompletionItem {
	for i := range items {
		items[i].Edit.NewText += ends
	}
	return items
}

// templated reports whether the line's value may hold placeholders: it belongs
// to a binding or to the shared defaults.
func (t typed) templated() bool {
	if t.key == "" && !t.pipe {
		return false
	}
	name := t.property()
	return name != "parameters" && !slices.Contains(untemplated, name)
}

// property is the property of the tool that the line belongs to.
func (t typed) property() string {
	if path := t.path(); len(path) > 0 {
		return path[0].Name()
	}
	if f, _, ok := tool.Lookup(anyFields(""), t.key); ok {
		return f.Name
	}
	return t.key
}

// inStatement completes the parameters that a statement takes, between braces or
// behind a mark. ok is false anywhere else.
func (t typed) inStatement(s string) (items []CompletionItem, ok bool) {
	if found := Placeholders(s, false); len(found) > 0 && !found[len(found)-1].Closed {
		inner := s[found[len(found)-1].Inner.Start:]
		if m := pastedTyped.FindStringSubmatch(inner); m != nil {
			return t.pastedParams(t.offset - len(m[1])), true
		}
		return t.placeholderParams(t.offset-len(inner)+len(strings.TrimRight(inner, nameBytes)), "}}"), true
	}
	return t.bound(s)
}

// pastedTyped is the name of a template parameter behind its dot, as far as it is
// typed.
var pastedTyped = regexp.MustCompile(`^\s*(?:array\s+)?\.([\w-]*)$`)

// pastedParams offers the parameters that are pasted into the statement.
func (t typed) pastedParams(from int) []CompletionItem {
	decl, ok := t.tool()
	if !ok {
		return nil
	}
	ends := t.unless("}}", from)
	return pastedItems(decl.ToolDecl, nil, func(name string) text.Edit { return t.replace(from, name+ends) })
}

// placeholderParams offers the parameters of the tool, with what closes the
// placeholder.
func (t typed) placeholderParams(from int, ends string) []CompletionItem {
	decl, ok := t.tool()
	if !ok {
		return nil
	}
	ends = t.unless(ends, from)
	if own := ownOf(t.path()); own != nil {
		return closed(t.plainNames(own, "argument of the binding", put{from: from}), ends)
	}
	return paramItems(decl.Params, nil, func(name string) text.Edit { return t.replace(from, name+ends) })
}

func (t typed) namespaces(from int) []CompletionItem {
	var items []CompletionItem
	for _, n := range namespaces {
		items = append(items, CompletionItem{
			Label: n.name, Kind: NamespaceItem, Documentation: n.doc, Edit: t.replace(from, n.name+n.mark()),
		})
	}
	return items
}

// helperTyped is a helper of templates, as far as it is typed.
var helperTyped = regexp.MustCompile(`^[#/@]\w*$`)

// inText completes what stands between the braces of a text that is no tool's.
func (t typed) inText(s string) (items []CompletionItem, ok bool) {
	found := Placeholders(s, false)
	if len(found) == 0 || found[len(found)-1].Closed {
		return nil, false
	}
	inner := s[found[len(found)-1].Inner.Start:]
	if items, ok := t.lookups(inner); ok {
		return items, true
	}
	if m := helperTyped.FindString(inner); m != "" {
		return t.words(helperWords, ValueItem, put{from: t.offset - len(m)}), true
	}
	name := inner[len(strings.TrimRight(inner, nameBytes)):]
	from := t.offset - len(name)
	if space, _, dotted := strings.Cut(name, "."); dotted {
		if items := t.inNamespace(space, from+len(space)+1); items != nil {
			return items, true
		}
	}
	items = t.expression(strings.TrimLeft(inner, "#/ "))
	if strings.Contains(name, ".") {
		return items, true
	}
	spaces := t.namespaces(from)
	isSpace := func(i CompletionItem) bool { return isNamespace(i.Label) }
	return append(slices.DeleteFunc(items, isSpace), spaces...), true
}

// inNamespace offers the names behind `{{secrets.` and the like.
func (t typed) inNamespace(space string, from int) []CompletionItem {
	ends := t.unless("}}", from)
	p := put{from: from}
	var items []CompletionItem
	switch space {
	case "secrets":
		names, _ := t.w.Secrets(t.file.Path)
		items = t.plainNames(names, "secret", p)
		items = append(items, t.exported(secretNames, names, "variable of the exported project", p)...)
	case "session":
		items = t.variables(p, SessionVariable, SetVariable)
	case "env", "config":
		names := t.environmentNames(space)
		items = t.plainNames(names, "variable of the environment", p)
		items = append(items, t.exported(secretNames, names, "variable of the exported project", p)...)
	case "locale":
		items = t.exported(textNames, nil, "text of the exported project", p)
	}
	return closed(items, ends)
}

// exported offers the names of a kind that the exported project has, but those that are
// offered already.
func (t typed) exported(kind nameKind, offered []string, what string, p put) []CompletionItem {
	names := slices.DeleteFunc(t.whole().exportedNames(t.file.Path, kind), func(name string) bool { return slices.Contains(offered, name) })
	return t.plainNames(names, what, p)
}

// environmentNames are the variables of abl.yaml's environments, and those that
// the file names elsewhere.
func (t typed) environmentNames(space string) []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if in, _ := t.w.Project(t.file.Path); in != nil && in.YAML != nil {
		for level := range levels(in.YAML) {
			for _, m := range level.Get("variables").Own() {
				add(m.Key.Text)
			}
		}
	}
	named := regexp.MustCompile(placeholder.Open + space + `\.([A-Za-z_]\w*)` + placeholder.Close)
	for _, m := range named.FindAllStringSubmatch(t.file.Doc.Text(), -1) {
		add(m[1])
	}
	return names
}
