package model

import (
	"iter"
	"strings"
)

// Nearest returns the known name that is one typing slip away from name: one letter too many,
// missing, wrong, or swapped with its neighbour, in any casing; or a name that differs in casing
// only. It is "" if there is none. Names of one or two letters match only in another casing, or a
// name of three.
func Nearest(name string, known []string) string {
	lower := strings.ToLower(name)
	for _, k := range known {
		if k != name && strings.EqualFold(k, name) {
			return k
		}
		// One letter is up to four bytes.
		few := len(name) - len(k)
		if max(len(name), len(k)) > 2 && -4 <= few && few <= 4 && oneEdit([]rune(lower), []rune(strings.ToLower(k))) {
			return k
		}
	}
	return ""
}

// NearestTool returns the name of the tool that an unknown name probably means: the nearest name,
// or that of a tool whose qualified name it is.
func NearestTool(name string, known []string, tools iter.Seq[ScopedTool]) string {
	if near := Nearest(name, known); near != "" {
		return near
	}
	for t := range tools {
		if t.QualifiedName() == name {
			return t.Name
		}
	}
	return ""
}

// DidYouMean returns the end of a message about a name: a question with the nearest known name, or
// otherwise if there is none.
func DidYouMean(name string, known []string, otherwise string) string {
	if near := Nearest(name, known); near != "" {
		return "did you mean `" + near + "`?"
	}
	return otherwise
}

// oneEdit reports whether exactly one edit turns a into b.
func oneEdit(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	switch {
	case len(b)-len(a) == 1:
		return string(a) == string(b[1:])
	case len(a) != len(b) || len(a) == 0:
		return false
	case string(a[1:]) == string(b[1:]):
		return true
	}
	return len(a) > 1 && a[0] == b[1] && a[1] == b[0] && string(a[2:]) == string(b[2:])
}
