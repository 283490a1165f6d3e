package analysis

import (
	"context"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// References returns all places of the workspace that name the symbol of the word at an offset of
// the file at path, its declarations included; sorted by path and place. A cancelled context makes
// them incomplete.
func References(ctx context.Context, w model.Workspace, path string, offset int) []model.Reference {
	u, ok := cursor.AnyOccurrenceAt(w, path, offset)
	if !ok {
		return nil
	}
	return writtenOnce(w, model.SortedReferences(append(model.ReferencesTo(ctx, w, path, u.Symbol), model.NumberReferences(w, u.Symbol)...)), placeOf)
}

// Highlights returns those of [References] that are in the file at path itself.
func Highlights(w model.Workspace, path string, offset int) []model.Reference {
	u, ok := cursor.AnyOccurrenceAt(w, path, offset)
	if !ok {
		return nil
	}
	all := model.ReferencesIn(w, w.File(path), u.Symbol)
	if u.Symbol.Path == path {
		all = append(all, model.NumberReferences(w, u.Symbol)...)
	}
	return writtenOnce(w, model.SortedReferences(all), placeOf)
}
