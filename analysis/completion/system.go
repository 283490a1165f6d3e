package completion

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// completeSystemParts offers the next part of system variables with a given beginning.
func completeSystemParts(t cursor.Line, beginning string, p insertion) []Item {
	var items []Item
	for _, w := range model.SystemVariables {
		rest, ok := strings.CutPrefix(w.Name, beginning)
		next, _, more := strings.Cut(rest, ".")
		if !ok || slices.Contains(p.listed, next) {
			continue
		}
		p.listed = append(p.listed, next)
		item := newItem(t, p, Item{Label: next, Kind: VariableItem})
		if item.Detail = "system variable"; !more {
			item.Documentation = w.Doc
		}
		items = append(items, item)
	}
	return items
}
