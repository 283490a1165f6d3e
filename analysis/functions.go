package analysis

import (
	"slices"
	"strings"
	"sync"
)

// builtIns are the functions that expressions may call, by what they are about.
// Behind `abl.`, in guardrails, they are written in small letters.
var builtIns = [][]string{
	{"ADD", "SUB", "MUL", "DIV", "ROUND", "ABS", "MIN", "MAX"},
	{"UPPER", "LOWER", "TRIM", "SUBSTRING", "REPLACE", "SPLIT", "JOIN", "PAD_START", "PAD_END", "REPEAT", "REGEX_REPLACE", "REGEX_EXTRACT"},
	{"MATCH_SCORE", "MATCHES", "MATCH_RESULT"},
	{"MASK", "FORMAT_CURRENCY", "FORMAT_DATE", "ORDINAL"},
	{"IS_ARRAY", "IS_NUMBER", "IS_STRING", "TO_NUMBER", "TO_STRING"},
	{"LENGTH", "ARRAY_FIND", "ARRAY_FIND_INDEX"},
	{"OBJECT_KEYS", "OBJECT_VALUES", "OBJECT_MERGE"},
	{"COALESCE", "FIRST_NON_EMPTY", "IF", "NOW", "UNIQUE_ID"},
}

// helpers stand behind `abl.`.
var helpers = []string{
	"contains_pii", "detect_pii", "redact_pii", "matches_pattern", "not_matches_pattern", "word_count",
	"sentence_count", "contains_url", "contains_email", "contains_code", "pii_equal",
}

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
	names := functionNames{capital: slices.Concat(builtIns...), small: slices.Clone(helpers)}
	for _, name := range names.capital {
		names.small = append(names.small, strings.ToLower(name))
	}
	return names
})
