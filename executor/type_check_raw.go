package executor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// checkRawType is check for valid JSON without blanks around it. It makes no tree of it: a
// list may have millions of elements.
func checkRawType(t *tool.Type, raw []byte) error {
	first := raw[0]
	switch {
	case t == nil || first == 'n' && t.Nullable:
		return nil
	case len(t.Enum) > 0:
	case len(t.Union) > 0:
		return checkRawUnion(t, raw)
	case first == '{' && t.Declared:
		return checkRawObject(t.Fields, raw)
	case t.Declared:
	case first == '[' && t.Name == "array" && t.Elem != nil:
		return checkRawArray(t.Elem, raw)
	case first == '{' && t.Name == "map" && t.Elem != nil:
		return checkRawMap(t.Elem, raw)
	}
	v, err := decodeShallow(raw)
	if err != nil {
		return err
	}
	return checkType(t, v, "")
}

func checkRawUnion(t *tool.Type, raw []byte) error {
	for _, u := range t.Union {
		if checkRawType(u, raw) == nil {
			return nil
		}
	}
	v, err := decodeShallow(raw)
	if err != nil {
		return err
	}
	return mismatched("", wantOf(t), v)
}

func checkRawArray(elem *tool.Type, raw []byte) error {
	i := 0
	for _, element := range rawParts(raw) {
		if err := checkRawType(elem, element); err != nil {
			return addPath(fmt.Sprintf("[%d]", i), err)
		}
		i++
	}
	return nil
}

func checkRawObject(fields []tool.TypeField, raw []byte) error {
	values := make([][]byte, len(fields))
	for key, value := range rawParts(raw) {
		name := nameIn(key)
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
		if err := checkRawType(f.Type, values[i]); err != nil {
			return addPath(f.Name, err)
		}
	}
	return nil
}

// checkRawMap names the first member of those that are wrong, as they are sorted.
func checkRawMap(elem *tool.Type, raw []byte) error {
	values := map[string][]byte{}
	for key, value := range rawParts(raw) {
		values[string(nameIn(key))] = value
	}
	var wrong []string
	for name, value := range values {
		if checkRawType(elem, value) != nil {
			wrong = append(wrong, name)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	first := slices.Min(wrong)
	return addPath(first, checkRawType(elem, values[first]))
}

// addPath puts the place of a part before the place of the fault within it.
func addPath(part string, err error) error {
	if m, ok := errors.AsType[*mismatch](err); ok {
		if m.path != "" && m.path[0] != '[' {
			part += "."
		}
		m.path = part + m.path
	}
	return err
}

// decodeShallow is decode for valid JSON, with nothing in its objects and lists.
func decodeShallow(raw []byte) (any, error) {
	switch raw[0] {
	case '{':
		return map[string]any{}, nil
	case '[':
		return []any{}, nil
	case '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	case 'n':
		return nil, nil
	case 't', 'f':
		return raw[0] == 't', nil
	}
	return json.Number(raw), nil
}

// nameIn is what the key of a member says.
func nameIn(key []byte) []byte {
	if bytes.IndexByte(key, '\\') < 0 {
		return bytes.ToValidUTF8(key[1:len(key)-1], []byte("\uFFFD"))
	}
	var s string
	_ = json.Unmarshal(key, &s) // valid
	return []byte(s)
}

// rawParts are the members of an object, and the elements of a list, which have no key. What
// it reads is valid.
func rawParts(raw []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		inObject, rest := raw[0] == '{', skipBlanks(raw[1:])
		for rest[0] != ']' && rest[0] != '}' {
			var key []byte
			if inObject {
				n := valueEnd(rest)
				key, rest = rest[:n], skipBlanks(rest[n:])
				rest = skipBlanks(rest[1:]) // the colon
			}
			n := valueEnd(rest)
			if !yield(key, rest[:n]) {
				return
			}
			if rest = skipBlanks(rest[n:]); rest[0] == ',' {
				rest = skipBlanks(rest[1:])
			}
		}
	}
}

func skipBlanks(raw []byte) []byte {
	for raw[0] == ' ' || raw[0] == '\n' || raw[0] == '\t' || raw[0] == '\r' {
		raw = raw[1:]
	}
	return raw
}

// valueEnd is the length of the value that valid JSON begins with.
func valueEnd(raw []byte) int {
	depth := 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i += stringEnd(raw[i:]) - 1
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // of what the value is in
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return i
			}
		}
	}
	return len(raw)
}

// stringEnd is the length of the string that valid JSON begins with.
func stringEnd(raw []byte) int {
	for i := 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}
