package lsp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// jsonMark begins a string that has JSON as its content. Such strings are sent to and
// accepted from an editor with the setting exactNumbers: many editors read every number
// as a floating-point one, which has no 9007199254740993 and no 10.50, and some drop
// fields that are null. The character belongs to no script. A string that begins with it
// is marked, too.
const jsonMark = "\uE000"

// jsonTokens matches the strings, numbers, nulls and brackets of JSON. A string followed
// by a colon is a name.
var jsonTokens = lazyregexp.New(`"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|null|[{}\[\]]`)

// maxExactDigits is how many digits a whole number may have so that every editor reads it
// exactly.
const maxExactDigits = 15

// maxNesting is how deeply lists and objects may be nested. Neovim reads no message with
// more than 1000 levels.
const maxNesting = 500

// markValues replaces each value that an editor might change by a marked string. raw must
// have no line breaks outside of strings.
func markValues(raw []byte) []byte {
	nested := 0
	return jsonTokens.ReplaceAllFunc(raw, func(token []byte) []byte {
		before, after := "", ""
		switch token[0] {
		case '{', '[':
			if nested++; nested == maxNesting+1 {
				before = `"` + jsonMark
			}
		case '}', ']':
			if nested--; nested == maxNesting {
				after = `"`
			}
		default:
			switch {
			case nested > maxNesting:
				return []byte(stringEscaper.Replace(string(token)))
			case needsMark(token):
				return []byte(`"` + jsonMark + stringEscaper.Replace(string(token)) + `"`)
			}
			return token
		}
		return slices.Concat([]byte(before), token, []byte(after))
	})
}

// stringEscaper escapes JSON for use within a string of JSON.
var stringEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// needsMark reports whether an editor might change a value.
func needsMark(token []byte) bool {
	if token[0] == '"' {
		_, marked := markedText(token)
		return marked
	}
	return len(token) > maxExactDigits || bytes.ContainsAny(token, ".eE") || string(token) == "-0" || token[0] == 'n'
}

// markedText returns what follows the mark in a JSON string. ok is false for a string
// without the mark, and for any other token.
func markedText(token []byte) (written string, ok bool) {
	var text string
	if token[0] != '"' || json.Unmarshal(token, &text) != nil {
		return "", false
	}
	return strings.CutPrefix(text, jsonMark)
}

// restoreValues replaces each string that markValues made by its content.
func restoreValues(raw []byte) (plain []byte, err error) {
	plain = jsonTokens.ReplaceAllFunc(raw, func(token []byte) []byte {
		written, ok := markedText(token)
		if !ok {
			return token
		}
		if !json.Valid([]byte(written)) {
			err = jsonrpc2.Errorf(jsonrpc2.InvalidParams, "what follows U+E000 at the beginning of a text is no JSON")
		}
		return []byte(written)
	})
	return plain, err
}
