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
