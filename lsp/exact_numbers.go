package lsp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// jsonMark begins a text that stands for JSON, in what an editor that asks for
// exactNumbers sends and gets: many read every number as a floating-point one, which
// has no 9007199254740993 and no 10.50, and some have no field that is null. The character
// is of no script; a text that begins with it is JSON behind a mark, too.
const jsonMark = "\uE000"

// jsonTokens are the texts, the numbers, the nulls and the brackets of JSON. A text with a
// colon is a name.
var jsonTokens = lazyregexp.New(`"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|null|[{}\[\]]`)

// maxExactDigits is how many digits a whole number has that every editor reads as it is.
const maxExactDigits = 15

// maxNesting is how many lists and objects may be in each other: Neovim reads no message
// with more than 1000.
const maxNesting = 500

// markValues replaces each value that an editor might read as another one by a text. The JSON
// must have no line breaks outside of its texts.
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

// stringEscaper writes JSON within a text of JSON.
var stringEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func needsMark(token []byte) bool {
	if token[0] == '"' {
		_, marked := markedText(token)
		return marked
	}
	return len(token) > maxExactDigits || bytes.ContainsAny(token, ".eE") || string(token) == "-0" || token[0] == 'n'
}

// markedText is what follows the mark in a text, which is no name.
func markedText(token []byte) (written string, ok bool) {
	var text string
	if token[0] != '"' || json.Unmarshal(token, &text) != nil {
		return "", false
	}
	return strings.CutPrefix(text, jsonMark)
}

// restoreValues replaces each text that markValues made by its JSON.
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
