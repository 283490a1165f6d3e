package analysis

import (
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/expression"
)

// operatorWords may stand in front of a bracket and are no functions.
var operatorWords = []string{"AND", "OR", "NOT", "IN", "IS", "SET", "MATCHES", "IMPLIES", "EXISTS", "EMPTY"}

// operatorCalls are operators of which authors make functions, in capitals, with the
// operator that is meant.
var operatorCalls = map[string]string{
	"CONTAINS": "contains", "STARTSWITH": "startsWith", "STARTS_WITH": "startsWith", "ENDSWITH": "endsWith", "ENDS_WITH": "endsWith",
}

// OperatorCall is the operator that is called as if it were a function; false for any
// other name.
func OperatorCall(name string) (operator string, ok bool) {
	operator, ok = operatorCalls[name]
	return operator, ok
}

// NearFunction is the function that one is called for which there is none, "" if
// it is not one slip of the pen away. Names in small letters are free.
func NearFunction(name string) string {
	all := allFunctions()
	if rest, ok := strings.CutPrefix(name, expression.Prefix); ok {
		if near := Nearest(rest, all.prefixed); near != "" && !slices.Contains(all.prefixed, rest) {
			return expression.Prefix + near
		}
		return ""
	}
	is := func(s string) bool { return strings.EqualFold(s, name) }
	if name != strings.ToUpper(name) || slices.ContainsFunc(all.capital, is) || slices.Contains(operatorWords, name) {
		return ""
	}
	return Nearest(name, all.capital)
}

// functionNames are the names in capitals, and those after [expression.Prefix].
type functionNames struct{ capital, prefixed []string }

var allFunctions = sync.OnceValue(func() functionNames {
	var names functionNames
	for _, f := range expression.Functions() {
		names.capital = append(names.capital, f.Name)
	}
	for _, f := range prefixedFunctions() {
		names.prefixed = append(names.prefixed, strings.TrimPrefix(f.Name, expression.Prefix))
	}
	return names
})

// prefixedFunctions are the functions after [expression.Prefix], with their whole names:
// the helpers, then those that exist in capitals as well.
var prefixedFunctions = sync.OnceValue(func() []expression.Function {
	var all []expression.Function
	for _, f := range slices.Concat(expression.Helpers(), expression.Functions()) {
		if f.Prefixed {
			f.Name = expression.Prefix + strings.ToLower(f.Name)
			all = append(all, f)
		}
	}
	return all
})

// LookupFunction is the function that a call means: one of the language in any casing,
// or one after [expression.Prefix].
func LookupFunction(name string) (expression.Function, bool) {
	for _, f := range slices.Concat(prefixedFunctions(), expression.Functions()) {
		if strings.EqualFold(f.Name, name) {
			return f, true
		}
	}
	return expression.Function{}, false
}

// functionMarkdown documents a function.
func functionMarkdown(f expression.Function) string { return paragraphs(fenced(f.Signature()), f.Doc) }
