package analysis

import (
	"slices"
	"strings"
	"sync"
)

// operatorWords may stand in front of a bracket and are no functions.
var operatorWords = []string{"AND", "OR", "NOT", "IN", "IS", "SET", "CONTAINS", "IMPLIES"}

const helperPrefix = "abl."

// NearFunction is the function that one is called for which there is none, "" if
// it is not one slip of the pen away. Names in small letters are free.
func NearFunction(name string) string {
	all := allFunctions()
	if rest, ok := strings.CutPrefix(name, helperPrefix); ok {
		if near := Nearest(rest, all.small); near != "" && !slices.Contains(all.small, rest) {
			return helperPrefix + near
		}
		return ""
	}
	is := func(s string) bool { return strings.EqualFold(s, name) }
	if name != strings.ToUpper(name) || slices.ContainsFunc(all.capital, is) || slices.Contains(operatorWords, name) {
		return ""
	}
	return Nearest(name, all.capital)
}

// functionNames are all names in either casing.
type functionNames struct{ capital, small []string }

var allFunctions = sync.OnceValue(func() functionNames {
	var names functionNames
	for _, f := range helpers {
		names.small = append(names.small, f.Name)
	}
	for _, f := range builtIns {
		names.capital = append(names.capital, f.Name)
		names.small = append(names.small, strings.ToLower(f.Name))
	}
	return names
})

// LookupFunction is the function that a call means: a built-in in any casing, or
// a helper behind `abl.`, where built-ins are written in small letters.
func LookupFunction(name string) (Function, bool) {
	tables := [][]Function{builtIns}
	rest, prefixed := strings.CutPrefix(name, helperPrefix)
	if prefixed {
		tables = append(tables, helpers)
	}
	for _, table := range tables {
		for _, f := range table {
			if strings.EqualFold(f.Name, rest) {
				if prefixed {
					f.Name = helperPrefix + strings.ToLower(f.Name)
				}
				return f, true
			}
		}
	}
	return Function{}, false
}

// markdown documents a function.
func (f Function) markdown() string { return paragraphs(fenced(f.Signature()), f.Doc) }
