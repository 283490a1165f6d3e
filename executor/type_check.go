package executor

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// mismatch is the error for a value that is not of its type.
type mismatch struct {
	path string // user_scores.a, ids[2]; "" for the value itself
	want string // "a number"; "" where the value is missing
	got  any

	notAllowed bool // of the right type, but not an allowed value
}

func (m *mismatch) Error() string {
	msg := "is missing"
	if m.want != "" {
		msg = "must be " + m.want + ", not " + describeValue(m.got)
	}
	if m.path == "" {
		return msg
	}
	return m.path + ": " + msg
}

// checkValue is checkType for a decoded value. path names the value in the error.
func checkValue(t *tool.Type, v any, path string) error {
	if t == nil {
		return nil
	}
	switch v.(type) {
	case string, bool, json.Number:
		if len(t.Enum) > 0 || len(t.Union) == 0 {
			return addPath(path, checkWithoutParts(t, v))
		}
	}
	return addPath(path, checkType(t, encode(v)))
}

// checkType returns an error that says where a value is not of type t. A nil t accepts every
// value, and so does a name that is neither built in nor declared. raw is valid JSON without white
// space around it. checkType does not decode raw as a whole, since a list may have millions of
// elements.
func checkType(t *tool.Type, raw []byte) error {
	first := raw[0]
	switch {
	case t == nil || first == 'n' && t.Nullable:
		return nil
	case len(t.Enum) > 0:
	case len(t.Union) > 0:
		return checkUnion(t, raw)
	case first == '{' && t.Declared:
		return checkObject(t.Fields, raw)
	case t.Declared:
	case first == '[' && t.Name == "array" && t.Elem != nil:
		return checkArray(t.Elem, raw)
	case first == '{' && t.Name == "map" && t.Elem != nil:
		return checkMap(t.Elem, raw)
	}
	v, err := decodeShallow(raw)
	if err != nil {
		return err
	}
	return checkWithoutParts(t, v)
}

// checkWithoutParts is checkType for a decoded value whose parts do not matter.
func checkWithoutParts(t *tool.Type, v any) error {
	simple, ok := simpleTypes[t.Name]
	want, holds := simple.want, !ok || simple.is(v)
	switch {
	case len(t.Enum) > 0:
		word, isText := v.(string)
		want, holds = "one of "+strings.Join(t.Enum, ", "), isText && slices.Contains(t.Enum, word)
	case t.Declared || t.Name == "map":
		want, holds = "an object", hasGoType[map[string]any](v)
	case t.Name == "array":
		want, holds = "an array", hasGoType[[]any](v)
	}
	if holds {
		return nil
	}
	return &mismatch{want: want, got: v}
}

func checkUnion(t *tool.Type, raw []byte) error {
	for _, u := range t.Union {
		if checkType(u, raw) == nil {
			return nil
		}
	}
	v, err := decodeShallow(raw)
	if err != nil {
		return err
	}
	return &mismatch{want: describeExpected(t), got: v}
}

func checkArray(elem *tool.Type, raw []byte) error {
	i := 0
	for _, element := range exactjson.Parts(raw) {
		if err := checkType(elem, element); err != nil {
			return addPath(fmt.Sprintf("[%d]", i), err)
		}
		i++
	}
	return nil
}

func checkObject(fields []tool.TypeField, raw []byte) error {
	values := make([][]byte, len(fields))
	for key, value := range exactjson.Parts(raw) {
		name := decodeKey(key)
		for i := range fields {
			if string(name) == fields[i].Name {
				values[i] = value
			}
		}
	}
	for i, f := range fields {
		switch {
		case f.Optional && (values[i] == nil || values[i][0] == 'n'):
			continue
		case values[i] == nil:
			return &mismatch{path: f.Name}
		}
		if err := checkType(f.Type, values[i]); err != nil {
			return addPath(f.Name, err)
		}
	}
	return nil
}

// checkMap checks the members of an object. The error is that of the first wrong member, by
// sorted name.
func checkMap(elem *tool.Type, raw []byte) error {
	values := map[string][]byte{}
	for key, value := range exactjson.Parts(raw) {
		values[string(decodeKey(key))] = value
	}
	var wrong []string
	for name, value := range values {
		if checkType(elem, value) != nil {
			wrong = append(wrong, name)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	first := slices.Min(wrong)
	return addPath(first, checkType(elem, values[first]))
}

// addPath adds the name of a part to the beginning of the path of a [*mismatch]. It changes and
// returns err.
func addPath(part string, err error) error {
	if m, ok := errors.AsType[*mismatch](err); ok {
		if m.path != "" && m.path[0] != '[' {
			part += "."
		}
		m.path = part + m.path
	}
	return err
}

// simpleTypes are the types whose values have no typed parts.
var simpleTypes = map[string]struct {
	want string
	is   func(any) bool
}{
	"string":   {"a string", hasGoType[string]},
	"number":   {"a number", hasGoType[json.Number]},
	"float":    {"a number", hasGoType[json.Number]},
	"integer":  {"a whole number", isWholeNumber},
	"boolean":  {"true or false", hasGoType[bool]},
	"object":   {"an object", hasGoType[map[string]any]},
	"date":     {"a date written YYYY-MM-DD", isTime(time.DateOnly)},
	"datetime": {"a date and time written YYYY-MM-DDThh:mm:ssZ", isTime(time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04")},
}

func hasGoType[T any](v any) bool {
	_, ok := v.(T)
	return ok
}

// isWholeNumber reports whether v is a number that is an integer: 3, 3.0 or 3e2, of any size.
func isWholeNumber(v any) bool {
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
	exponent = cmp.Or(exponent, "0")
	exp, err := strconv.Atoi(exponent)
	if err != nil { // an exponent too large for an int
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

// describeExpected describes what a union accepts, in words if all its types are simple.
func describeExpected(t *tool.Type) string {
	var expected []string
	for _, u := range t.Union {
		if s, ok := simpleTypes[u.Name]; ok && len(u.Enum) == 0 && !u.Declared && !u.Nullable {
			expected = append(expected, s.want)
		}
	}
	if len(expected) < len(t.Union) {
		return "of the type " + t.String()
	}
	return strings.Join(expected, " or ")
}

// describeValue returns a short description of a value for messages.
func describeValue(v any) string {
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

// Shorten returns about the first n bytes of a text, followed by … if the text is longer.
// Secrets must be removed first, since a part of a secret is not recognised.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
