package analysis

import (
	"strings"
	"testing"
)

func TestFlow(t *testing.T) {
	for _, tt := range []struct {
		text     string
		word     string // under the cursor
		brackets string // that are open
		key      string // of the innermost
		words    string // of the innermost
	}{
		{text: "ab", word: "ab"},
		{text: "  ab", word: "ab"},
		{text: `"ab`, word: "ab"},
		{text: "[a, b", word: "b", brackets: "[", words: "a"},
		{text: `["a, b", c`, word: "c", brackets: "[", words: "a, b"},
		{text: "[a, b] c", word: "c"},
		{text: "[a,\n  b", word: "b", brackets: "[", words: "a"},
		{text: "{a: 1, b", word: "b", brackets: "{", words: "a"},
		{text: "{a: {b: x", word: "x", brackets: "{{", key: "b", words: "b"},
		{text: "[{a: [x], ", brackets: "[{", words: "a"},
		{text: "don't", word: "don't"},
		{text: "]}", word: "]}"},
	} {
		f := flowOf(tt.text)
		var brackets []byte
		for _, l := range f.levels[1:] {
			brackets = append(brackets, l.bracket)
		}
		top := f.top()
		if tt.text[f.from:] != tt.word || string(brackets) != tt.brackets || top.key != tt.key || strings.Join(top.words, ", ") != tt.words {
			t.Errorf("%q: %+v", tt.text, f)
		}
	}
}
