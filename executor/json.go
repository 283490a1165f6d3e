package executor

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// decodeObject decodes raw, a JSON object. It returns an empty map for empty text and null, and an
// error for any other value.
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

// encode returns v as JSON without HTML escapes, or null if v cannot be encoded.
func encode(v any) json.RawMessage {
	raw, err := exactjson.Encode(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}
