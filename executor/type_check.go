package executor

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/tool"
)

// mismatch is a value that is not of its type.
type mismatch struct {
	path string // user_scores.a, ids[2]; "" for the value itself
	want string // "a number"; "" where the value is missing
	got  any

	notAllowed bool // of the right type, but not a value that is allowed
}

func (m *mismatch) Error() string {
	msg := "is missing"
	if m.want != "" {
		msg = "must be " + m.want + ", not " + describe(m.got)
	}
	if m.path == "" {
		return msg
	}
	return m.path + ": " + msg
}

// checkType says where v, a tree with json.Number for numbers, is not of type t.
// Types of the author's own, and none, match everything.
func checkType(t *tool.Type, v any, path string) error {
	switch {
	case t == nil || v == nil && t.Nullable:
		return nil
	case len(t.Enum) > 0:
		return checkEnum(t.Enum, v, path)
	case len(t.Union) > 0:
		return checkUnion(t, v, path)
	case t.Declared:
		return checkObject(t, v, path)
	case t.Name == "array":
		return checkArray(t, v, path)
	case t.Name == "map":
		return checkMap(t, v, path)
	}
	if s, ok := simpleTypes[t.Name]; ok && !s.is(v) {
		return mismatched(path, s.want, v)
	}
	return nil
}

// simpleTypes are the types that have no parts.
var simpleTypes = map[string]struct {
	want string
	is   func(any) bool
}{
	"string":   {"a string", func(v any) bool { _, ok := v.(string); return ok }},
	"number":   {"a number", isNumber},
	"float":    {"a number", isNumber},
	"integer":  {"a whole number", isWhole},
	"boolean":  {"true or false", func(v any) bool { _, ok := v.(bool); return ok }},
	"object":   {"an object", func(v any) bool { _, ok := v.(map[string]any); return ok }},
	"date":     {"a date written YYYY-MM-DD", isTime(time.DateOnly)},
	"datetime": {"a date and time written YYYY-MM-DDThh:mm:ssZ", isTime(time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04")},
}

func isNumber(v any) bool {
	_, ok := v.(json.Number)
	return ok
}

// isWhole takes 3, 3.0 and 3e2, of any size.
func isWhole(v any) bool {
	n, ok := v.(json.Number)
	if !ok {
		return false
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(n)), "e")
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	digits := strings.TrimRight(whole+fraction, "0")
	if strings.Trim(digits, "0") == "" {
		return true
	}
	if exponent == "" {
		exponent = "0"
	}
	exp, err := strconv.Atoi(exponent)
	if err != nil { // far beyond any digits
		return !strings.HasPrefix(exponent, "-")
	}
	return len(digits) <= len(whole)+exp
}

func isTime(layouts ...string) func(any) bool {
	return func(v any) bool {
		s, ok := v.(string)
		return ok && slices.ContainsFunc(layouts, func(layout string) bool {
			_, err := time.Parse(layout, s)
			return err == nil
		})
	}
}

func checkEnum(words []string, v any, path string) error {
	if s, ok := v.(string); ok && slices.Contains(words, s) {
		return nil
	}
	return mismatched(path, "one of "+strings.Join(words, ", "), v)
}

func checkUnion(t *tool.Type, v any, path string) error {
	for _, u := range t.Union {
		if checkType(u, v, path) == nil {
			return nil
		}
	}
	return mismatched(path, wantOf(t), v)
}

// wantOf says what a union takes, in words where all of it is simple.
func wantOf(t *tool.Type) string {
	var wants []string
	for _, u := range t.Union {
		if s, ok := simpleTypes[u.Name]; ok && len(u.Enum) == 0 && !u.Declared && !u.Nullable {
			wants = append(wants, s.want)
		}
	}
	if len(wants) < len(t.Union) {
		return "of the type " + t.String()
	}
	return strings.Join(wants, " or ")
}

// checkObject takes members that no field names.
func checkObject(t *tool.Type, v any, path string) error {
	m, ok := v.(map[string]any)
	if !ok {
		return mismatched(path, "an object", v)
	}
	for _, f := range t.Fields {
		at := join(path, f.Name)
		x, given := m[f.Name]
		switch {
		case x == nil && f.Optional:
			continue
		case !given:
			return &mismatch{path: at}
		}
		if err := checkType(f.Type, x, at); err != nil {
			return err
		}
	}
	return nil
}

func checkArray(t *tool.Type, v any, path string) error {
	list, ok := v.([]any)
	if !ok {
		return mismatched(path, "an array", v)
	}
	for i, x := range list {
		if err := checkType(t.Elem, x, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func checkMap(t *tool.Type, v any, path string) error {
	m, ok := v.(map[string]any)
	if !ok {
		return mismatched(path, "an object", v)
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		if err := checkType(t.Elem, m[k], join(path, k)); err != nil {
			return err
		}
	}
	return nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func mismatched(path, want string, v any) error { return &mismatch{path: path, want: want, got: v} }

// describe names a value in a message, at most a few words of it.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case string:
		return Shorten(strconv.Quote(Shorten(v, 60)), 60)
	}
	return Shorten(fmt.Sprint(v), 60)
}

// Shorten keeps about n bytes of a text that others have written. Secrets in it are
// to be taken out before, since a part of one is not known as such.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
