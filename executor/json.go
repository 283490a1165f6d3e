package executor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/abl-lsp/abl-lsp/tool"
)

// decode reads one JSON value; numbers keep every digit as json.Number.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the value")
	}
	return v, nil
}

// decodeAs is decode for who looks at what a type speaks of: objects and lists of which
// it says nothing more are empty. What it reads is valid.
func decodeAs(t *tool.Type, raw json.RawMessage) (any, error) {
	switch first := raw[0]; {
	case t == nil || len(t.Union) > 0:
		return decode(raw)
	case first == '{' && t.Declared:
		return decodeFields(t.Fields, raw)
	case first == '{' && (t.Name != "map" || t.Elem == nil):
		return map[string]any{}, nil
	case first == '[' && t.Name == "array" && t.Elem != nil:
		return decodeElements(t.Elem, raw)
	case first == '[':
		return []any{}, nil
	}
	return decode(raw)
}

func decodeFields(fields []tool.TypeField, raw []byte) (any, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	object := map[string]any{}
	for _, f := range fields {
		if member, ok := members[f.Name]; ok {
			value, err := decodeAs(f.Type, member)
			if err != nil {
				return nil, err
			}
			object[f.Name] = value
		}
	}
	return object, nil
}

func decodeElements(t *tool.Type, raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	list := []any{}
	var element json.RawMessage
	for d.More() {
		if err := d.Decode(&element); err != nil {
			return nil, err
		}
		value, err := decodeAs(t, element)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, nil
}

// decodeObject reads a JSON object. Nothing and null are an empty one.
func decodeObject(raw []byte) (map[string]any, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return map[string]any{}, nil
	}
	v, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("not valid JSON: %w", err)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("must be an object, not %s", describe(v))
	}
	return m, nil
}

// encode writes v without HTML escapes. What cannot be JSON is null.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// member finds a name in an ordered object.
func member(o tool.Object, name string) (int, bool) {
	for i, m := range o {
		if m.Name == name {
			return i, true
		}
	}
	return 0, false
}
