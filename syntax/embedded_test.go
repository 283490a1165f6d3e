package syntax

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestEmbedded finds every word of the text at its position in the entry.
func TestEmbedded(t *testing.T) {
	for name, source := range map[string]string{
		"pipe block":            "a: |\n    one\n      two\n\n    # text\n",
		"blank lines":           "a: |\n\n\n    one\n   \n    two\n\n\n",
		"deeper first line":     "a: |\n      one\n  two\n",
		"Windows line ends":     "a: |\r\n  one\r\n\r\n  two😀 three\r\n",
		"a lone carriage ret":   "a: |\n  one\r  two\n",
		"tabs":                  "a: |\n\t\tone\n\t\t\ttwo\n",
		"tabs and spaces":       "a: |\n\tone\n        two\n",
		"other characters":      "a: |\n  日本 one😀 two\n  \tthree\n",
		"double quotes":         `a: "one two"`,
		"escapes":               `a: "\"one\" \\ two\d \n three\t\"four\""`,
		"single quotes":         `a: 'one \'two\' "three"'`,
		"plain":                 `a: one two # note`,
		"a map":                 `a: {one: two}`,
		"escape at the end":     `a: "one\\"`,
		"nothing":               `a: ""`,
		"text without last end": "a: |\n  one\n  two",
	} {
		t.Run(name, func(t *testing.T) {
			entry := Parse("X:\n  " + strings.ReplaceAll(source, "\n", "\n  ")).Sections()[0].Entries[0]
			value := entry.Root().Value()
			e := value.EmbeddedText()
			if e.Text != value.UnquotedText() {
				t.Fatalf("the text is %q, Plain is %q", e.Text, value.UnquotedText())
			}
			for _, word := range strings.FieldsFunc(e.Text, func(r rune) bool { return strings.ContainsRune(" \n\t\"'\\", r) }) {
				at := strings.Index(e.Text, word)
				span := e.Span(text.Span{Start: at, End: at + len(word)})
				if got := entry.Text()[span.Start:span.End]; got != word {
					t.Errorf("%q stands at %q", word, got)
				}
			}
			if e.MixedIndentation != (name == "tabs and spaces") {
				t.Errorf("MixedIndentation is %t", e.MixedIndentation)
			}
			end := len(e.Text)
			if got := e.Span(text.Span{Start: end, End: end}); got.Start > value.Span().End || got.Start < value.Span().Start {
				t.Errorf("the end is at %d, outside of %v", got.Start, value.Span())
			}
		})
	}
}
