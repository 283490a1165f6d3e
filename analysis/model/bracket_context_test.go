package model

import (
	"strings"
	"testing"
)

func TestBrackets(t *testing.T) {
	for _, tt := range []struct {
		text  string
		word  string // under the cursor
		open  string // brackets
		key   string // of the innermost
		words string // of the innermost
	}{
		{text: "ab", word: "ab"},
		{text: "  ab", word: "ab"},
		{text: `"ab`, word: "ab"},
		{text: "[a, b", word: "b", open: "[", words: "a"},
		{text: `["a, b", c`, word: "c", open: "[", words: "a, b"},
		{text: "[a, b] c", word: "c"},
		{text: "[a,\n  b", word: "b", open: "[", words: "a"},
		{text: "{a: 1, b", word: "b", open: "{", words: "a"},
		{text: "{a: {b: x", word: "x", open: "{{", key: "b", words: "b"},
		{text: "[{a: [x], ", open: "[{", words: "a"},
		{text: "don't", word: "don't"},
		{text: "]}", word: "]}"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			f := BracketContextOf(tt.text)
			var open []byte
			for _, l := range f.Levels[1:] {
				open = append(open, l.Bracket)
			}
			top := f.Innermost()
			if tt.text[f.From:] != tt.word || string(open) != tt.open || top.Key != tt.key || strings.Join(top.Words, ", ") != tt.words {
				t.Errorf("%q: %+v", tt.text, f)
			}
		})
	}
}
