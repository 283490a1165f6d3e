package lsp

import (
	"bytes"
	"encoding/json"
	"strings"

	"go.lsp.dev/jsonrpc2"
)

// jsonMark begins a string that has JSON as its content. Such strings are sent to and
// accepted from an editor with the setting exactNumbers: many editors read every number
// as a floating-point one, which has no 9007199254740993 and no 10.50, and some drop
// fields that are null. The character belongs to no script. A string that begins with it
// is marked, too.
const jsonMark = "\uE000"

// escapedMark is jsonMark as it may also be written in JSON, in small letters.
const escapedMark = `\ue000`

// maxExactDigits is how many digits a whole number may have so that every editor reads it
// exactly.
const maxExactDigits = 15

// maxNesting is how deeply lists and objects may be nested. Neovim reads no message with
// more than 1000 levels.
const maxNesting = 500

// markValues replaces each value that an editor might change by a marked string. raw must
// have no line breaks outside of strings. It takes time in proportion to the length of raw,
// and returns raw itself if there is no such value.
func markValues(raw []byte) []byte {
	e := jsonEditor{raw: raw}
	nested := 0
	for i := 0; i < len(raw); {
		start := i
		i++
		switch c := raw[start]; c {
		case '"':
			if i = stringEnd(raw, start); isMarked(raw[start:i]) && !isName(raw, i) {
				e.mark(start, i)
			}
		case '{', '[':
			if nested == maxNesting {
				i = valueEnd(raw, start)
				e.mark(start, i)
			} else {
				nested++
			}
		case '}', ']':
			nested--
		case 'n':
			i = start + len("null")
			e.mark(start, i)
		default:
			if i = numberEnd(raw, start); i == start {
				i++ // a comma, a colon, or a letter of true and false
			} else if !isExact(raw[start:i]) {
				e.mark(start, i)
			}
		}
	}
	return e.result()
}

// numberEnd returns the end of the number that begins at an offset; the offset if there is
// no number.
func numberEnd(raw []byte, at int) int {
	if c := raw[at]; c != '-' && (c < '0' || c > '9') {
		return at
	}
	for at < len(raw) && strings.IndexByte("+-.eE0123456789", raw[at]) >= 0 {
		at++
	}
	return at
}

// isExact reports whether every editor reads exactly this number.
func isExact(number []byte) bool {
	return len(number) <= maxExactDigits && !bytes.ContainsAny(number, ".eE") && string(number) != "-0"
}

// isMarked reports whether a JSON string begins with the mark.
func isMarked(token []byte) bool {
	return prefixLength(token, jsonMark, escapedMark) > 0
}

// mark replaces the value between two offsets by a marked string.
func (e *jsonEditor) mark(start, end int) {
	if e.out == nil {
		e.out = make([]byte, 0, len(e.raw)+len(e.raw)/4)
	}
	e.copyTo(start)
	e.out = append(e.out, `"`+jsonMark...)
	for _, c := range e.raw[start:end] {
		if c == '"' || c == '\\' {
			e.out = append(e.out, '\\')
		}
		e.out = append(e.out, c)
	}
	e.out = append(e.out, '"')
	e.copied = end
}

// restoreValues replaces each string that markValues made by its content.
func restoreValues(raw []byte) (plain []byte, err error) {
	e := jsonEditor{raw: raw}
	for i := 0; i < len(raw); {
		start := i
		if i++; raw[start] != '"' {
			continue
		}
		if i = stringEnd(raw, start); !isMarked(raw[start:i]) || isName(raw, i) {
			continue
		}
		var text string
		if json.Unmarshal(raw[start:i], &text) != nil {
			continue // the argument is no JSON
		}
		written := strings.TrimPrefix(text, jsonMark)
		if !json.Valid([]byte(written)) {
			err = jsonrpc2.Errorf(jsonrpc2.InvalidParams, "what follows U+E000 at the beginning of a text is no JSON")
		}
		e.copyTo(start)
		e.out = append(e.out, written...)
		e.copied = i
	}
	return e.result(), err
}

// jsonEditor copies JSON and replaces parts of it.
type jsonEditor struct {
	raw    []byte
	out    []byte
	copied int // how much of raw is in out, or replaced there
}

// copyTo copies raw up to an offset.
func (e *jsonEditor) copyTo(end int) {
	e.out = append(e.out, e.raw[e.copied:end]...)
	e.copied = end
}

// result returns the JSON with its replaced parts; raw itself if nothing was replaced.
func (e *jsonEditor) result() []byte {
	if e.copied == 0 {
		return e.raw
	}
	return append(e.out, e.raw[e.copied:]...)
}
