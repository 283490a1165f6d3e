package expression

import (
	"slices"

	"github.com/expr-lang/expr/vm/runtime"
)

// equal reports whether two values are the same. Numbers are compared by value, also inside lists
// and objects; values of different kinds are never equal.
func equal(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for name, v := range x {
			if w, has := y[name]; !has || !equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		if y, ok := b.([]any); ok {
			return slices.EqualFunc(x, y, equal)
		}
	}
	return runtime.Equal(a, b)
}
