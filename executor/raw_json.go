package executor

import (
	"bytes"
	"encoding/json"
)

// decodeShallow decodes valid JSON one level deep: objects and lists come back empty. raw must
// not be empty.
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

// decodeKey returns the name that key, a quoted JSON string, means.
func decodeKey(key []byte) []byte {
	if bytes.IndexByte(key, '\\') < 0 {
		return bytes.ToValidUTF8(key[1:len(key)-1], []byte("\uFFFD"))
	}
	var s string
	_ = json.Unmarshal(key, &s) // valid
	return []byte(s)
}
