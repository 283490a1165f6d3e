package syntax

import (
	"strings"
	"testing"
)

func TestBlockLines(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"pipe block":                  {"a: |\n    one\n      two\n\n    # text\n", "one\n  two\n\n# text"},
		"Windows line ends":           {"a: |\r\n  one\r\n  two\r\n", "one\ntwo"},
		"text without a bar":          {"a:\n  one\n  two: 2\n", "one\ntwo: 2"},
		"a comment on its own line":   {"a:\n  one\n  # note\n  two\n", "one\ntwo"},
		"a comment first and last":    {"a:\n  # first\n  one\n  # last\n", "one"},
		"a comment after text":        {"a:\n  one # note\n  two\n", "one\ntwo"},
		"comments, Windows line ends": {"a:\r\n  one\r\n  # note\r\n  two\r\n", "one\ntwo"},
	} {
		t.Run(name, func(t *testing.T) {
			source := "X:\n  " + strings.ReplaceAll(c.source, "\n", "\n  ")
			n := Parse(source).Sections()[0].Entries[0].Root()
			value := n.Value()
			if value.IsZero() {
				value = n.Child(FieldBlock)
			}
			if got := strings.Trim(value.BlockContent(), "\n"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
