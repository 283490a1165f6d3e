package model

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible is text that others have written, with all of it to be seen: what would
// steer the terminal that it is shown in, or turn the text around, is written out.
func Visible(s string) string {
	if strings.IndexFunc(s, steers) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if steers(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// steers reports whether a character does something other than show itself.
func steers(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}
