package executor

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// decodeObject decodes a JSON object. Empty text and null give an empty map.
func decodeObject(raw []byte) (map[string]any, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return map[string]any{}, nil
	}
	v, err := exactjson.Decode[any](raw)
	if err != nil {
		return nil, fmt.Errorf("not valid JSON: %w", err)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("must be an object, not %s", describeValue(v))
	}
	return m, nil
}

// encode returns v as JSON without HTML escapes. It is null if v cannot be encoded.
func encode(v any) json.RawMessage {
	raw, err := exactjson.Encode(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}
