package analysis

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeDeclarations completes a line directly under TOOLS or ADD.
func completeDeclarations(t typed) []CompletionItem {
	var items []CompletionItem
	if t.file.Kind == Profile && t.above.IsZero() {
		return completeProfileKeys(t)
	}
	snippets := completeNewTools(t)
	items = append(items, snippets[0])
	if t.file.Kind != Library && t.above.IsZero() {
		items = append(items, toolsKeyItem(t, toolsKeys[0]), newImportItem(t))
	}
	firstTool := len(t.file.Tools) == 0 || t.offset <= t.file.Tools[0].Offset
	if t.file.Kind == Library && firstTool {
		items = append(items, completeFields(t, tool.SharedDefaults())...)
	}
	return slices.Concat(items, snippets[1:], completeNewServerTools(t), completePlatformTools(t))
}

// completeProfileKeys are what a profile's TOOLS holds.
func completeProfileKeys(t typed) []CompletionItem {
	var items []CompletionItem
	present := t.siblings()
	for _, k := range toolsKeys {
		if k.Name != "file" && !contains(present, k.Name) {
			items = append(items, toolsKeyItem(t, k))
		}
	}
	return items
}

func toolsKeyItem(t typed, k tool.Word) CompletionItem {
	return CompletionItem{
		Label: k.Name, Kind: PropertyItem, Documentation: k.Doc, Edit: t.replace(t.start, k.Name+colonAfter(t, k.Name != "ADD")),
	}
}

// completeBelow completes a line below a tool, a pair or a list item.
func completeBelow(t typed) []CompletionItem {
	decl, inTool := t.tool()
	path := t.path()
	if len(path) == 0 {
		if inTool && t.above.Kind() == syntax.Tool && !t.dash {
			return completeToolFields(t, decl)
		}
		return nil
	}
	last := path[len(path)-1]
	switch {
	case last.Name() == "parameters" && last.below.open:
		return completeParameterKeys(t, decl)
	case inTool && t.inBinding():
		return completeFields(t, t.bindingRows())
	case inTool && last.Name() == "do":
		return completeFields(t, SectionRow(Agent, "ON_START").Fields)
	case last.Name() == "params" && path[0].Name() == "process":
		return paramItems(decl.Params, t.siblings(), func(name string) text.Edit { return t.replace(t.start, name+colonAfter(t, true)) })
	case last.Name() == "set" && len(path) == 2:
		return completeTargets(t, colonAfter(t, true))
	case last.below.open:
		return nil
	case t.dash && len(last.below.fields) == 0:
		return completeListItems(t, last)
	}
	return completeFields(t, last.below.fields)
}

// completeToolFields offers the properties of a tool: where it has no kind yet, those of
// every kind, each with the kinds that have it.
func completeToolFields(t typed, decl PlacedTool) []CompletionItem {
	if kind := decl.Kind(); kind != "" {
		return completeFields(t, ownFields(decl.ToolDecl, ToolFields(kind)))
	}
	fields := slices.Clone(ownFields(decl.ToolDecl, anyFields("")))
	for i := range fields {
		fields[i].Required = false // of which kind, nobody knows
	}
	items := completeFields(t, fields)
	for i := range items {
		if kinds := tool.BindingOnly(items[i].Label); len(kinds) > 0 {
			items[i].Detail = "type: " + joined(kinds, ", ")
		}
	}
	return items
}

// completeFields offers the properties that the block does not have yet: first those
// that it must have, last what is no published ABL.
func completeFields(t typed, fields []tool.Field) []CompletionItem {
	var required, items, again []CompletionItem
	present := t.siblings()
	byEdition := func(a, b tool.Field) int { return int(a.Edition) - int(b.Edition) }
	for _, f := range slices.SortedStableFunc(slices.Values(fields), byEdition) {
		has := func(key string) bool {
			_, _, ok := tool.Lookup([]tool.Field{f}, key)
			return ok
		}
		switch {
		case f.Undocumented || f.Elsewhere != "":
		case slices.ContainsFunc(present, has):
			if f.Repeats {
				again = append(again, fieldItem(t, f))
			}
		case f.Required:
			required = append(required, fieldItem(t, f))
		default:
			items = append(items, fieldItem(t, f))
		}
	}
	return slices.Concat(required, items, again)
}

func fieldItem(t typed, f tool.Field) CompletionItem {
	return CompletionItem{
		Label: f.Name, Kind: PropertyItem, Detail: f.Type.String(), Documentation: fieldMarkdown(f),
		Edit: t.replace(t.start, f.Name+textAfterKey(t, f)), SnippetText: fieldSnippet(t, f),
	}
}

// textAfterKey is what follows a key: its value's beginning, where that is sure.
func textAfterKey(t typed, f tool.Field) string {
	switch f.Type {
	case tool.Block, tool.BlockList, tool.MapType:
		return colonAfter(t, false)
	case tool.CodeType:
		if colon := colonAfter(t, true); colon != "" {
			return colon + "|"
		}
		return ""
	}
	return colonAfter(t, true)
}

// completeParameterKeys offers the tool's parameters under `parameters:`.
func completeParameterKeys(t typed, decl PlacedTool) []CompletionItem {
	return paramItems(decl.Params, t.siblings(), func(name string) text.Edit {
		return t.replace(t.start, name+colonAfter(t, false))
	})
}

// paramItems are the parameters that are not named yet.
func paramItems(params []ParamDecl, named []string, edit func(name string) text.Edit) []CompletionItem {
	var items []CompletionItem
	for i := range params {
		if p := &params[i]; p.Name != "" && !slices.Contains(named, p.Name) {
			items = append(items, CompletionItem{
				Label: p.Name, Kind: ParameterItem, Detail: p.Type.String(),
				Documentation: "Parameter `" + paramText(p) + "`", Edit: edit(p.Name),
			})
		}
	}
	return items
}

// argumentItems are the arguments that a call may give, and does not yet.
func argumentItems(d *ToolDecl, given []string, edit func(name string) text.Edit) []CompletionItem {
	items := append(paramItems(d.Params, given, edit), pastedItems(d, given, edit)...)
	for i := range items {
		items[i].Documentation = paragraphs(items[i].Documentation, platformLimits(d, items[i].Label))
	}
	named, _ := d.SchemaParams()
	for _, p := range named {
		if !slices.Contains(given, p.Name) {
			items = append(items, CompletionItem{Label: p.Name, Kind: ParameterItem, Detail: p.Type.String(), Documentation: p.Description, Edit: edit(p.Name)})
		}
	}
	return items
}

// pastedItems are the parameters pasted into a statement that are not named yet.
func pastedItems(d *ToolDecl, named []string, edit func(name string) text.Edit) []CompletionItem {
	var items []CompletionItem
	for _, name := range d.Pasted() {
		if !slices.Contains(named, name) {
			items = append(items, CompletionItem{Label: name, Kind: ParameterItem, Detail: "template parameter", Edit: edit(name)})
		}
	}
	return items
}
