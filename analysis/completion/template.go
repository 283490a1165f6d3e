package completion

import (
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// completeInPlaceholder completes a name between braces. ok is false if the cursor is in no
// placeholder.
func completeInPlaceholder(t cursor.Line) (items []Item, ok bool) {
	s := t.Text()
	switch {
	case !t.InTools():
		return completeInText(t, s)
	case propertyName(t) == "statement":
		return completeInStatement(t, s)
	case !isTemplated(t):
		return nil, false
	}
	found := model.Placeholders(s, strings.EqualFold(t.Key, "endpoint"))
	if len(found) == 0 || found[len(found)-1].Closed {
		return nil, false
	}
	open := found[len(found)-1]
	inner := s[open.Inner.Start:]
	if items, ok := completeLookups(t, inner); ok {
		return items, true
	}
	if decl, ok := t.Tool(); ok && model.IsStep(propertyName(t)) {
		t.Scope = cursor.RunScope(decl.ToolDecl)
	}
	return completePlaceholderName(t, inner, open.Double, toolParams(t), model.NamespaceTable), true
}

// InPathParameter reports whether an offset of the file at path is in single braces of an endpoint,
// which name a parameter.
func InPathParameter(w model.Workspace, path string, offset int) bool {
	c, ok := w.Cursor(path, offset)
	if !ok {
		return false
	}
	t, ok := cursor.LineAt(w, c)
	if !ok || !t.InTools() || !strings.EqualFold(t.Key, "endpoint") {
		return false
	}
	found := model.Placeholders(t.Text(), true)
	return len(found) > 0 && !found[len(found)-1].Closed && !found[len(found)-1].Double
}

// paramsAt returns the parameters that a text of a tool may name as items that begin at an offset
// and end with what closes the placeholder.
type paramsAt func(from int, ends string) []Item

// paramsOf returns the parameters of a tool, or those of one of its bindings that has its own.
func paramsOf(t cursor.Line, d *model.ToolDecl, own []string) paramsAt {
	return func(from int, ends string) []Item {
		ends = unlessFollowed(t, ends, from)
		if own != nil {
			return withEnding(completePlainNames(t, own, "argument of the binding", insertion{from: from}), ends)
		}
		return paramItems(d.Params, nil, func(name string) text.Edit { return t.Replace(from, name+ends) })
	}
}

// toolParams returns the parameters of the tool that contains the line.
func toolParams(t cursor.Line) paramsAt {
	decl, ok := t.Tool()
	if !ok {
		return func(int, string) []Item { return nil }
	}
	return paramsOf(t, decl.ToolDecl, model.StepArgumentsOf(t.Path()))
}

// completePlaceholderName completes the text between the braces in a text of a tool: a parameter, a
// name of the scope, one of a namespace. Single braces contain a parameter only.
func completePlaceholderName(t cursor.Line, inner string, double bool, params paramsAt, spaces []model.Namespace) []Item {
	name := inner[len(strings.TrimRight(inner, model.NameBytes)):]
	from := t.Offset - len(name)
	space, _, dotted := strings.Cut(name, ".")
	switch {
	case !double:
		return params(from, "}")
	case dotted && space == model.FreeForm:
		return params(from+len(space)+1, "}}")
	case dotted && cursor.InScope(t.Scope, name):
		return completeScopeFields(t, name, "}}")
	case dotted:
		return completeInNamespace(t, space, from+len(space)+1)
	}
	items := slices.Concat(params(from, "}}"), completeScopeNames(t, from), completeNamespaces(t, from, spaces))
	if field, _ := cursor.MemberSchema(t.KeySchema(), t.Key); field != nil && field.Type == tool.NumberType {
		rankConfig(items)
	}
	return items
}

// rankConfig ranks the namespaces that limits are taken from before parameters.
func rankConfig(items []Item) {
	for i := range items {
		items[i].isLikely = items[i].Label == "config" || items[i].Label == "env"
	}
}

// completeScopeNames offers the names of the scope in a placeholder.
func completeScopeNames(t cursor.Line, from int) []Item {
	var items []Item
	for _, n := range t.Scope {
		items = append(items, Item{Label: n.Name, Kind: VariableItem, Documentation: n.Doc, Edit: t.Replace(from, n.Name+unlessFollowed(t, "}}", from))})
	}
	return items
}

// completeScopeFields offers the fields of a path of the scope, with what closes the placeholder.
func completeScopeFields(t cursor.Line, path, ends string) []Item {
	i := strings.LastIndexByte(path, '.')
	from := t.Offset - len(path) + i + 1
	return withEnding(completeFieldsOf(t, path[:i], insertion{from: from}), unlessFollowed(t, ends, from))
}

// withEnding adds what closes a placeholder to the items.
func withEnding(items []Item, ends string) []Item {
	for i := range items {
		items[i].Edit.NewText += ends
	}
	return items
}

// isTemplated reports whether the line's value may have placeholders: it belongs to a binding or to
// the shared defaults.
func isTemplated(t cursor.Line) bool {
	if t.Key == "" && !t.Pipe {
		return false
	}
	name := propertyName(t)
	return name != "parameters" && !slices.Contains(model.UntemplatedProperties, name)
}

// propertyName returns the property of the tool that the line belongs to.
func propertyName(t cursor.Line) string {
	if path := t.Path(); len(path) > 0 {
		return path[0].Name()
	}
	if f, _, ok := tool.Lookup(model.FieldsOfAnyKind(""), t.Key); ok {
		return f.Name
	}
	return t.Key
}

// completeInStatement completes the parameters of a statement, in braces or after a mark. ok is
// false anywhere else.
func completeInStatement(t cursor.Line, s string) (items []Item, ok bool) {
	if found := model.Placeholders(s, false); len(found) > 0 && !found[len(found)-1].Closed {
		inner := s[found[len(found)-1].Inner.Start:]
		if m := typedPasted.FindStringSubmatch(inner); m != nil {
			return completePastedParams(t, t.Offset-len(m[1])), true
		}
		return toolParams(t)(t.Offset-len(inner)+len(strings.TrimRight(inner, model.NameBytes)), "}}"), true
	}
	decl, ok := t.Tool()
	if !ok {
		return nil, false
	}
	source, _ := model.ABLSource(decl)
	return completeMarks(t, s, marksFor(model.SourceKinds(t.Workspace, t.File)[source.Name]), toolParams(t))
}

// typedPasted matches the name of a template parameter after its dot, as far as it is typed.
var typedPasted = lazyregexp.New(`^\s*(?:array\s+)?\.([\w-]*)$`)

// completePastedParams offers the parameters that are pasted into the statement.
func completePastedParams(t cursor.Line, from int) []Item {
	decl, ok := t.Tool()
	if !ok {
		return nil
	}
	ends := unlessFollowed(t, "}}", from)
	return pastedItems(decl.ToolDecl, nil, func(name string) text.Edit { return t.Replace(from, name+ends) })
}

func completeNamespaces(t cursor.Line, from int, spaces []model.Namespace) []Item {
	var items []Item
	for _, n := range spaces {
		items = append(items, Item{
			Label: n.Name, Kind: NamespaceItem, Documentation: n.Doc, Edit: t.Replace(from, n.Name+unlessFollowed(t, n.Separator(), from)),
		})
	}
	return items
}

// typedHelper matches a helper of templates, as far as it is typed.
var typedHelper = lazyregexp.New(`^[#/@]\w*$`)

// completeInText completes the text between the braces of a text outside tools.
func completeInText(t cursor.Line, s string) (items []Item, ok bool) {
	found := model.Placeholders(s, false)
	if len(found) == 0 || found[len(found)-1].Closed {
		return nil, false
	}
	inner := s[found[len(found)-1].Inner.Start:]
	if items, ok := completeLookups(t, inner); ok {
		return items, true
	}
	if m := typedHelper.FindString(inner); m != "" {
		return completeWords(t, model.HelperWords, ValueItem, insertion{from: t.Offset - len(m)}), true
	}
	name := inner[len(strings.TrimRight(inner, model.NameBytes)):]
	from := t.Offset - len(name)
	if space, _, dotted := strings.Cut(name, "."); dotted {
		if items := completeInNamespace(t, space, from+len(space)+1); items != nil {
			return items, true
		}
	}
	items = completeExpression(t, strings.TrimLeft(inner, "#/ "))
	rankInText(items)
	if strings.Contains(name, ".") {
		return items, true
	}
	spaces := completeNamespaces(t, from, model.NamespaceTable)
	isSpace := func(i Item) bool { return model.IsNamespace(i.Label) }
	return append(slices.DeleteFunc(items, isSpace), spaces...), true
}

// completeInNamespace offers the names after `{{secrets.` and the like.
func completeInNamespace(t cursor.Line, space string, from int) []Item {
	ends := unlessFollowed(t, "}}", from)
	p := insertion{from: from}
	var items []Item
	switch space {
	case "secrets":
		names, _ := model.SecretNames(t.Workspace, t.File.Path)
		items = completePlainNames(t, names, "secret", p)
		items = append(items, completeExported(t, model.SecretNameKind, names, "variable of the exported project", p)...)
	case "session":
		items = completeVariables(t, p, model.SessionVariable, model.SetVariable, model.ReturnedVariable)
	case "env", "config":
		names := environmentNames(t, space)
		items = completePlainNames(t, names, "variable of the environment", p)
		items = append(items, completeExported(t, model.SecretNameKind, names, "variable of the exported project", p)...)
	case "locale":
		items = completeExported(t, model.TextNameKind, nil, "text of the exported project", p)
	}
	return withEnding(items, ends)
}

// completeExported offers the names of a kind that the exported project has, except those that are
// offered already.
func completeExported(t cursor.Line, kind model.NameKind, offered []string, what string, p insertion) []Item {
	names := slices.DeleteFunc(model.PublicNamesAround(fullWorkspace(t), t.File.Path, kind), func(name string) bool { return slices.Contains(offered, name) })
	return completePlainNames(t, names, what, p)
}

// environmentNames returns the variables of abl.yaml's environments, and those that the file names
// elsewhere.
func environmentNames(t cursor.Line, space string) []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if in, _ := t.Workspace.Project(t.File.Path); in != nil && in.YAML != nil {
		for level := range model.ProjectLevels(in.YAML) {
			for _, m := range level.Get("variables").OwnMembers() {
				add(m.Key.Text)
			}
		}
	}
	named := regexp.MustCompile(placeholder.Open + space + `\.([A-Za-z_]\w*)` + placeholder.Close)
	for _, m := range named.FindAllStringSubmatch(t.File.Doc.Text(), -1) {
		add(m[1])
	}
	return names
}
