package expression

import (
	"strconv"
	"strings"
)

// Path finds the value in tree to which path leads: first under the whole path as one name, then
// member by member. The second result is false if there is none.
func Path(tree map[string]any, path string) (any, bool) {
	if v, ok := tree[path]; ok {
		return v, true
	}
	var at any = tree
	isSign := func(r rune) bool { return r == '.' || r == '[' || r == ']' } // a.b[0].c
	for step := range strings.FieldsFuncSeq(path, isSign) {
		switch c := at.(type) {
		case map[string]any:
			v, ok := c[step]
			if !ok {
				return nil, false
			}
			at = v
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(c) {
				return nil, false
			}
			at = c[i]
		default:
			return nil, false
		}
	}
	return at, true
}
