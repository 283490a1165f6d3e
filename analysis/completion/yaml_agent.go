package completion

import (
	"context"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// completeYAMLAgent completes in an agent in YAML: keys and words by the schema of the YAML, names
// and expressions as in the ABL text that means the same.
func completeYAMLAgent(ctx context.Context, w model.Workspace, f *model.File, offset int, host cursor.Host) []Item {
	t := cursor.YAMLLine(w, f.Written(), f.WrittenOffset(offset))
	t.Ctx, t.Host = ctx, host
	items := completeYAML(t)
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
	for _, item := range itemsInABL(ctx, w, f, offset, host) {
		if !slices.ContainsFunc(items, func(o Item) bool { return o.Label == item.Label }) {
			items = append(items, item)
		}
	}
	return items
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
