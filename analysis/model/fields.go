package model

import (
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/tool"
)

// FieldsOfAnyKind returns the properties of a kind, then those that only other kinds have, so that
// these can be explained as well.
func FieldsOfAnyKind(kind tool.Kind) []tool.Field { return fieldsOfAnyKind()[kind] }

var fieldsOfAnyKind = sync.OnceValue(func() map[tool.Kind][]tool.Field {
	all := map[tool.Kind][]tool.Field{"": withFieldsOfOtherKinds(tool.CommonFields())}
	for _, w := range tool.Kinds() {
		kind := tool.Kind(w.Name)
		all[kind] = withFieldsOfOtherKinds(ToolFields(kind))
	}
	return all
})

func withFieldsOfOtherKinds(own []tool.Field) []tool.Field {
	all := slices.Clone(own)
	for _, w := range tool.Kinds() {
		for _, f := range tool.Fields(tool.Kind(w.Name)) {
			known := func(g tool.Field) bool { return g.Name == f.Name }
			if !slices.ContainsFunc(all, known) {
				all = append(all, f)
			}
		}
	}
	return all
}
