// Package javascript converts values to JavaScript and back.
//
// Integers of any size keep all their digits. For a value that is not JSON, the error names its
// place.
package javascript

import (
	_ "embed" // values.js
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Values is a JavaScript expression: the functions that drivers use to convert values.
//
//go:embed values.js
var Values string

// maxExact is the largest integer up to which a JavaScript number holds every integer.
const maxExact = 1<<53 - 1

// BigIntegersAsText returns value, a JSON tree that is at path, with a string for each integer
// that a JavaScript number would change. It adds the paths of these integers to paths, for the
// function big of values.js. It does not change value.
func BigIntegersAsText(value any, path []any, paths *[][]any) any {
	switch v := value.(type) {
	case json.Number:
		if isBig(v) {
			*paths = append(*paths, slices.Clone(path))
			return string(v)
		}
	case []any:
		out := make([]any, len(v))
		for i, part := range v {
			out[i] = BigIntegersAsText(part, append(path, i), paths)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, part := range v {
			out[name] = BigIntegersAsText(part, append(path, name), paths)
		}
		return out
	}
	return value
}

// isBig reports whether a number is written as an integer beyond maxExact.
func isBig(n json.Number) bool {
	if strings.ContainsAny(string(n), ".eE") {
		return false
	}
	i, err := strconv.ParseInt(string(n), 10, 64)
	return err != nil || i > maxExact || i < -maxExact
}
