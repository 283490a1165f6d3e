package model

import (
	"fmt"
	"strings"
	"unicode"
)

// EscapeInvisible returns text from elsewhere with its invisible characters written out: those that
// would control a terminal or change the direction of the text.
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
