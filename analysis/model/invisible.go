package model

import (
	"fmt"
	"strings"
	"unicode"
)

// EscapeInvisible is text that others have written, with all of it to be seen: what would
// steer the terminal that it is shown in, or turn the text around, is written out.
func EscapeInvisible(s string) string {
	if strings.IndexFunc(s, isInvisible) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isInvisible(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isInvisible reports whether a character does something other than show itself.
func isInvisible(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}
