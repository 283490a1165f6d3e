package completion

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeDeclarations completes a line directly under TOOLS or ADD.
func completeDeclarations(t cursor.Line) []Item {
	var items []Item
	if t.File.Kind == model.Profile && t.Parent.IsZero() {
		return completeProfileKeys(t)
	}
	snippets := completeNewTools(t)
	items = append(items, snippets[0])
	if t.File.Kind != model.Library && t.Parent.IsZero() {
		items = append(items, toolsKeyItem(t, model.ToolsKeys[0]), newImportItem(t))
	}
	firstTool := len(t.File.Tools) == 0 || t.Offset <= t.File.Tools[0].Offset
	if t.File.Kind == model.Library && firstTool {
		items = append(items, completeFields(t, tool.SharedDefaults())...)
	}
	return slices.Concat(items, snippets[1:], completeNewServerTools(t), completePlatformTools(t))
}

// completeProfileKeys offers the keys of a profile's TOOLS.
func completeProfileKeys(t cursor.Line) []Item {
	var items []Item
	present := t.Siblings()
	for _, k := range model.ToolsKeys {
		if k.Name != "file" && !model.ContainsFold(present, k.Name) {
			items = append(items, toolsKeyItem(t, k))
		}
	}
	return items
}

func toolsKeyItem(t cursor.Line, k tool.Word) Item {
	return Item{
		Label: k.Name, Kind: PropertyItem, Documentation: k.Doc, Edit: t.Replace(t.Start, k.Name+colonAfter(t, k.Name != "ADD")),
	}
}

// completeBelow completes a line below a tool, a pair or a list item.
func completeBelow(t cursor.Line) []Item {
	decl, inTool := t.Tool()
	path := t.Path()
	if len(path) == 0 {
		if inTool && t.Parent.Kind() == syntax.Tool && !t.Dash {
			return completeToolFields(t, decl)
		}
		return nil
	}
	last := path[len(path)-1]
	switch {
	case last.Name() == "parameters" && last.ValueSchema().Open:
		return completeParameterKeys(t, decl)
	case inTool && t.InBinding():
		return completeFields(t, t.KeySchema().Fields)
	case inTool && last.Name() == "do":
		return completeFields(t, model.SectionField(model.Agent, "ON_START").Fields)
	case last.Name() == "params" && path[0].Name() == "process":
		return paramItems(decl.Params, t.Siblings(), func(name string) text.Edit { return t.Replace(t.Start, name+colonAfter(t, true)) })
	case last.Name() == "set" && len(path) == 2:
		return completeTargets(t, colonAfter(t, true))
	case last.ValueSchema().Open:
		return nil
	case t.Dash && len(last.ValueSchema().Fields) == 0:
		return completeListItems(t, last)
	}
	return completeFields(t, last.ValueSchema().Fields)
}

// completeToolFields offers the properties of a tool: if it has no kind yet, those of every kind,
// each with the kinds that have it.
func completeToolFields(t cursor.Line, decl model.PositionedTool) []Item {
	if kind := decl.Kind(); kind != "" {
		return completeFields(t, model.OwnFields(decl.ToolDecl, model.ToolFields(kind)))
	}
	fields := slices.Clone(model.OwnFields(decl.ToolDecl, model.FieldsOfAnyKind("")))
	for i := range fields {
		fields[i].Required = false // the kind is not known
	}
	items := completeFields(t, fields)
	for i := range items {
		if kinds := tool.BindingOnly(items[i].Label); len(kinds) > 0 {
			items[i].Detail = "type: " + model.JoinStrings(kinds, ", ")
		}
	}
	return items
}

// completeFields offers the properties that the block does not have yet: first the required ones,
// last those that are not published ABL.
func completeFields(t cursor.Line, fields []tool.Field) []Item {
	var required, items, again []Item
	present := t.Siblings()
	if t.YAML == nil { // other systems know no editions of the language
		byEdition := func(a, b tool.Field) int { return int(a.Edition) - int(b.Edition) }
		fields = slices.SortedStableFunc(slices.Values(fields), byEdition)
	}
	by := "auth" // what authenticates a tool
	if t.YAML != nil {
		by = t.ValueField().By
	}
	for _, f := range fields {
		has := func(key string) bool {
			_, _, ok := tool.Lookup([]tool.Field{f}, key)
			return ok && (t.YAML == nil || key == f.Name || slices.Contains(f.Synonyms, key))
		}
		switch {
		case f.Undocumented || f.Elsewhere != "":
		case slices.ContainsFunc(present, has):
			if f.Repeats {
				again = append(again, fieldItem(t, f, by))
			}
		case f.Required:
			required = append(required, fieldItem(t, f, by))
		default:
			items = append(items, fieldItem(t, f, by))
		}
	}
	items = slices.Concat(required, items, again)
	if t.YAML == nil && !t.InTools() {
		rankKeys(items, len(required))
	}
	return items
}

// rankKeys ranks the first items, which are required, by their order, then the usual keys.
func rankKeys(items []Item, required int) {
	for i := range items {
		rank := usualRank(usualKeys, items[i].Label)
		switch {
		case i < required:
			items[i].rank = i + 1
		case rank > 0:
			items[i].rank = required + rank
		}
	}
}

// fieldItem returns the item for a key with the beginning of its value, in the file's form. by is
// the key whose word decides which fields are used.
func fieldItem(t cursor.Line, f tool.Field, by string) Item {
	item := Item{Label: f.Name, Kind: PropertyItem}
	if t.YAML != nil {
		item = yamlFieldItem(t, f)
	} else {
		item.Edit, item.SnippetText = t.Replace(t.Start, f.Name+textAfterKey(t, f)), fieldSnippet(t, f)
	}
	item.Detail, item.Documentation = f.Type.String(), describe.FieldMarkdown(f, by)
	return item
}

// textAfterKey returns the text after an inserted key: the beginning of its value, if that is
// certain.
func textAfterKey(t cursor.Line, f tool.Field) string {
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
func completeParameterKeys(t cursor.Line, decl model.PositionedTool) []Item {
	return paramItems(decl.Params, t.Siblings(), func(name string) text.Edit {
		return t.Replace(t.Start, name+colonAfter(t, false))
	})
}

// paramItems returns the parameters that are not named yet.
func paramItems(params []model.ParamDecl, named []string, edit func(name string) text.Edit) []Item {
	var items []Item
	for i := range params {
		if p := &params[i]; p.Name != "" && !slices.Contains(named, p.Name) {
			items = append(items, Item{
				Label: p.Name, Kind: ParameterItem, Detail: p.Type.String(),
				Documentation: "Parameter `" + describe.ParamText(p) + "`", Edit: edit(p.Name),
			})
		}
	}
	return items
}

// argumentItems returns the arguments that a call may give, and does not give yet.
func argumentItems(d *model.ToolDecl, given []string, edit func(name string) text.Edit) []Item {
	items := append(paramItems(d.Params, given, edit), pastedItems(d, given, edit)...)
	for i := range items {
		items[i].Documentation = describe.Paragraphs(items[i].Documentation, describe.PlatformLimits(d, items[i].Label))
	}
	named, _ := d.SchemaParams()
	for _, p := range named {
		if !slices.Contains(given, p.Name) {
			items = append(items, Item{Label: p.Name, Kind: ParameterItem, Detail: p.Type.String(), Documentation: p.Description, Edit: edit(p.Name)})
		}
	}
	return items
}

// pastedItems returns the parameters pasted into a statement that are not named yet.
func pastedItems(d *model.ToolDecl, named []string, edit func(name string) text.Edit) []Item {
	var items []Item
	for _, name := range d.PastedParams() {
		if !slices.Contains(named, name) {
			items = append(items, Item{Label: name, Kind: ParameterItem, Detail: "template parameter", Edit: edit(name)})
		}
	}
	return items
}
