// Package javascript carries values into JavaScript and out of it.
//
// It promises that integers arrive digit for digit, whatever their size, and that a
// value which is no JSON says where.
package javascript

import (
	_ "embed" // values.js
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Values is an expression: what drivers in JavaScript know of values.
//
//go:embed values.js
var Values string

// maxExact is up to where a JavaScript number holds every integer.
const maxExact = 1<<53 - 1

// BigIntegersAsText is a JSON tree with strings in place of the integers that a JavaScript
// number would change. It adds their paths to those that big of values.js takes.
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
