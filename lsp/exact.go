package lsp

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"go.lsp.dev/jsonrpc2"
)

// exactMark begins a text that stands for JSON, in what an editor that asks for
// exactNumbers sends and gets: many read every number as a floating-point one, which
// has no 9007199254740993 and no 10.50. The character is of no script.
const exactMark = "\uE000"

// jsonTokens are the texts and the numbers of JSON.
var jsonTokens = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`)

// maxExact is how many digits a whole number has that every editor reads as it is.
const maxExact = 15

// markNumbers makes a text of each number that an editor might not read as it is.
func markNumbers(raw []byte) []byte {
	return jsonTokens.ReplaceAllFunc(raw, func(token []byte) []byte {
		if token[0] == '"' || len(token) <= maxExact && !bytes.ContainsAny(token, ".eE") && string(token) != "-0" {
			return token
		}
		return []byte(`"` + exactMark + string(token) + `"`)
	})
}

// unmark puts the JSON in the place of each text that stands for it.
func unmark(raw []byte) (plain []byte, err error) {
	plain = jsonTokens.ReplaceAllFunc(raw, func(token []byte) []byte {
		var text string
		if token[0] != '"' || json.Unmarshal(token, &text) != nil {
			return token
		}
		written, marked := strings.CutPrefix(text, exactMark)
		if !marked {
			return token
		}
		if !json.Valid([]byte(written)) {
			err = jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s is no JSON", written)
		}
		return []byte(written)
	})
	return plain, err
}
