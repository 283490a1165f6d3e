package completion

import (
	"context"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeYAMLAgent completes in an agent in YAML: keys and words by the schema of the YAML, names
// and expressions as in the ABL text that means the same.
func completeYAMLAgent(ctx context.Context, w model.Workspace, f *model.File, offset int, host cursor.Host) []Item {
	t := cursor.YAMLLine(w, f.Written(), f.WrittenOffset(offset))
	t.Ctx, t.Host = ctx, host
	if m := t.YAML.Member; m != nil && m.Colon+1 == t.Offset {
		return nil // right after the colon Enter opens a block
	}
	var items []Item
	if !isInCall(t) {
		items = append(argumentsBelowCall(t, f), completeYAML(t)...)
	}
	own := f.AgentName().Text
	items = slices.DeleteFunc(items, func(o Item) bool { return o.Kind == NameItem && o.Detail == "agent" && o.Label == own })
	for i := range items {
		items[i].Edit.Span = f.InFile(items[i].Edit.Span)
		for j := range items[i].AdditionalEdits {
			edit := &items[i].AdditionalEdits[j]
			edit.Span = f.InFile(edit.Span)
		}
	}
	if t.YAML.KeyAllowed && t.YAML.Member != nil && t.YAML.Member.Key.Span.Touches(t.Offset) {
		return items
	}
	field := t.ValueField()
	for _, item := range itemsInABL(ctx, w, f, offset, host) {
		if isOnlyInABL(item, field) {
			continue
		}
		if !slices.ContainsFunc(items, func(o Item) bool { return o.Label == item.Label }) {
			items = append(items, item)
		}
	}
	return items
}

// argumentsBelowCall offers the arguments of a call that are keys of `call_with`.
func argumentsBelowCall(t cursor.Line, f *model.File) []Item {
	path := t.YAML.Path
	if !t.YAML.KeyAllowed || hasColon(t) || len(path) < 2 {
		return nil
	}
	var called *yaml.Node
	around := path[len(path)-2].Node
	switch path[len(path)-1].Key {
	case "call_with", "callWith":
		called = around.Get("call")
	case "with":
		called = around.Get("tool")
	}
	name, _, _ := strings.Cut(called.StringValue(), "(")
	callee, ok := t.Workspace.Callable(f.Path).Tool(strings.TrimSpace(name))
	if !ok {
		return nil
	}
	var items []Item
	for i := range callee.Params {
		p := &callee.Params[i]
		if slices.Contains(t.Siblings(), p.Name) {
			continue
		}
		item := yamlKeyItem(t, p.Name, " ", "")
		item.Kind, item.Detail = ParameterItem, describe.ParamText(p)
		if lowered := cursor.LoweredParam(t.Workspace, callee, p.Name); lowered != nil {
			item.Documentation = lowered.Description
		}
		items = append(items, item)
	}
	return items
}

// isInCall reports whether the cursor is among the arguments of a call.
func isInCall(t cursor.Line) bool {
	field := t.ValueField()
	return t.YAML.ValueAllowed && field != nil && field.Ref == tool.RefTool && strings.Contains(t.File.Doc.Text()[t.Start:t.Offset], "(")
}

// isOnlyInABL reports whether agents in YAML do not have an item of the ABL text at the place of the
// field: a key, or a word of a set that is another one in YAML.
func isOnlyInABL(item Item, field *tool.Field) bool {
	switch item.Kind {
	case SectionItem, PropertyItem, SnippetItem:
		return true
	case ValueItem:
		return field != nil && field.Type != tool.Expr && len(field.Values) > 0
	}
	return false
}

// itemsInABL returns what completes the ABL text and can be inserted into the YAML.
func itemsInABL(ctx context.Context, w model.Workspace, f *model.File, offset int, host cursor.Host) []Item {
	var items []Item
	for _, item := range completeABL(ctx, w, f.Path, offset, host) {
		edit, ok := f.Agent.Map.EditInSource(item.Edit)
		if !ok || len(item.AdditionalEdits) > 0 || strings.Contains(edit.NewText, "\n") {
			continue
		}
		item.Edit = text.Edit{Span: f.InFile(edit.Span), NewText: edit.NewText}
		items = append(items, item)
	}
	return items
}
