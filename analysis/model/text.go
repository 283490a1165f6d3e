package model

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// isName reports whether a byte may be in a name.
func isName(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// WordAt returns the name that holds the offset or ends at it; it is empty if there is none.
func WordAt(s string, offset int) text.Span {
	span := text.Span{Start: offset, End: offset}
	for span.Start > 0 && isName(s[span.Start-1]) {
		span.Start--
	}
	for span.End < len(s) && isName(s[span.End]) {
		span.End++
	}
	return span
}

// NameBytes are the bytes of names, dotted ones included.
const NameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

// Width returns the number of columns of a text: a tab ends at the next multiple of four, a
// byte-order mark has none.
func Width(s string) int {
	n := 0
	for _, r := range s {
		switch r {
		case '\t':
			n += 4 - n%4
		case '\ufeff':
		default:
			n++
		}
	}
	return n
}

// Breaks are the characters that end lines.
const Breaks = "\r\n"

// LineEndsIn returns the line ends of a text one after the other, the first `most` of them.
func LineEndsIn(s string, most int) string {
	var b strings.Builder
	for i := 0; i < len(s) && most > 0; i++ {
		if s[i] != '\r' && s[i] != '\n' {
			continue
		}
		if strings.HasPrefix(s[i:], "\r\n") {
			i++
			b.WriteByte('\r')
		}
		b.WriteByte(s[i])
		most--
	}
	return b.String()
}

// JoinStrings is strings.Join for items of any string type.
func JoinStrings[T ~string](items []T, sep string) string {
	var b strings.Builder
	for i, item := range items {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(string(item))
	}
	return b.String()
}

// PathPattern matches a path of variables: names, indices and members.
var PathPattern = lazyregexp.New(`[A-Za-z_]\w*(?:\[[^\]\s]*\])*(?:\.\w+(?:\[[^\]\s]*\])*)*`)

// PathPartPattern matches the parts of a path of variables one by one: names, and indices in
// brackets.
var PathPartPattern = lazyregexp.New(`\w+|\[[^\]]*\]`)

// IndentStep is the width of one level of indentation.
const IndentStep = 2
