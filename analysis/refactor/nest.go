package refactor

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// nestKeys moves the keys of a tool that were once flat in it into their blocks. It is offered on
// the signature, and on such a key.
func nestKeys(s selection) []Refactoring {
	t, ok := s.file.ToolAround(s.Start)
	if !ok || t.IsForeign() || !edit.IsCompleteSignature(t) {
		return nil
	}
	props := t.PropertiesOfAnyKind()
	here := t.SignatureSpan().Touches(s.Start)
	var homes []string
	var edits []text.Edit
	for home, flat := range edit.FlatKeys(props) {
		fix, ok := edit.Nest(props, home)
		if !ok {
			continue
		}
		homes = append(homes, "`"+home+":`")
		for _, p := range flat {
			here = here || t.InFile(p.Node).Span().Touches(s.Start)
		}
		for _, e := range fix.Edits {
			edits = append(edits, text.Edit{Span: e.Shift(t.Offset), NewText: e.NewText})
		}
	}
	if !here || len(homes) == 0 {
		return nil
	}
	slices.Sort(homes)
	return []Refactoring{{Title: "Move flat keys below " + strings.Join(homes, " and "), edits: ownFileEdits(edits...)}}
}
