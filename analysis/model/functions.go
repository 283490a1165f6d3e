package model

import (
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/expression"
)

// NearFunction returns the function whose name is one typing slip away from an unknown one; "" for
// none. Any name in small letters is permitted, so it has none.
func NearFunction(name string) string {
	all := AllFunctions()
	if rest, ok := strings.CutPrefix(name, expression.Prefix); ok {
		if near := Nearest(rest, all.Prefixed); near != "" && !slices.Contains(all.Prefixed, rest) {
			return expression.Prefix + near
		}
		return ""
	}
	is := func(s string) bool { return strings.EqualFold(s, name) }
	if name != strings.ToUpper(name) || slices.ContainsFunc(all.Capital, is) || expression.IsOperatorWord(name) || name == "SET" {
		return ""
	}
	return Nearest(name, all.Capital)
}

// functionNames are the names in capitals, and those after [expression.Prefix].
type functionNames struct{ Capital, Prefixed []string }

// AllFunctions returns the names of all functions. They are collected once.
var AllFunctions = sync.OnceValue(func() functionNames {
	var names functionNames
	for _, f := range expression.Functions() {
		names.Capital = append(names.Capital, f.Name)
	}
	for _, f := range expression.PrefixedFunctions() {
		names.Prefixed = append(names.Prefixed, strings.TrimPrefix(f.Name, expression.Prefix))
	}
	return names
})
