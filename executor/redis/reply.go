package redis

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"unicode/utf8"
)

// replyWriter turns the answers of a server into JSON.
type replyWriter struct {
	answers  []any
	warnings []string
}

// encodedWarning is the warning for bytes that are no text.
const encodedWarning = "the answer has bytes that are no text; they are shown in base64"

// jsonOf returns the JSON value of a reply: text, numbers, lists and maps.
func (w *replyWriter) jsonOf(reply any) any {
	switch v := reply.(type) {
	case string:
		return w.textOrBase64(v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
		return v
	case *big.Int:
		return json.Number(v.String())
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = w.jsonOf(v[i])
		}
		return out
	case map[any]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[w.textOrBase64(fmt.Sprint(key))] = w.jsonOf(value)
		}
		return out
	case error: // of one command within a transaction
		return map[string]any{"error": v.Error()}
	}
	return reply // nil, a boolean or a whole number
}

func (w *replyWriter) textOrBase64(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	if !slices.Contains(w.warnings, encodedWarning) {
		w.warnings = append(w.warnings, encodedWarning)
	}
	return base64.StdEncoding.EncodeToString([]byte(s))
}
