package expression

import (
	"cmp"
	"slices"

	"github.com/expr-lang/expr/vm/runtime"
)

// sortKeys sorts what the functions keys and toPairs of expr-lang give.
func sortKeys(p ...any) (any, error) {
	switch list := p[0].(type) {
	case []any:
		slices.SortFunc(list, compareKeys)
	case [][2]any:
		sortPairs(list)
	}
	return p[0], nil
}

// pairValues returns the values of pairs, in the order of their keys.
func pairValues(p ...any) (any, error) {
	pairs, ok := p[0].([][2]any)
	if !ok {
		return p[0], nil
	}
	sortPairs(pairs)
	values := make([]any, len(pairs))
	for i, pair := range pairs {
		values[i] = pair[1]
	}
	return values, nil
}

func sortPairs(pairs [][2]any) {
	slices.SortFunc(pairs, func(a, b [2]any) int { return compareKeys(a[0], b[0]) })
}

// compareKeys orders numbers by their value, before all other keys, and these as texts.
func compareKeys(a, b any) int {
	left, right := isNumber(a), isNumber(b)
	switch {
	case left != right && left:
		return -1
	case left != right:
		return 1
	case left && runtime.Less(a, b):
		return -1
	case left && runtime.Less(b, a):
		return 1
	}
	return cmp.Compare(toText(a), toText(b))
}
