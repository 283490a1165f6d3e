package executor

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// decodeObject reads a JSON object. Nothing and null are an empty one.
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

// encode writes v without HTML escapes. What cannot be JSON is null.
func encode(v any) json.RawMessage {
	raw, err := exactjson.Encode(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}
