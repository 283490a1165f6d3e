package script

import (
	"strings"
)

// isStringPrefix reports whether the letters s, directly before a quote, belong to the string.
func isStringPrefix(s string) bool {
	switch strings.ToLower(s) {
	case "r", "u", "b", "br", "rb", "f", "fr", "rf", "t", "tr", "rt":
		return true
	}
	return false
}

// readString reads a string, with the letters before it. Its quote is at the given
// offset.
func (r *lineReader) readString(quote int) {
	end := r.stringEnd(quote)
	if end < 0 {
		stop := len(r.src)
		if i := strings.IndexByte(r.src[quote:], '\n'); i >= 0 {
			stop = quote + i
		}
		r.setFault(r.at, stop, "The string is not closed.")
		r.at = len(r.src)
		return
	}
	r.pushToken(end, token{})
}

// maxFormat is the length up to which the fields of a format string are read.
const maxFormat = 4 << 10

// stringEnd returns the offset after a string whose quote is at the given offset, -1
// if it is not closed. A format string whose fields cannot be read ends at the first
// quote, as in older versions of the language.
func (r *lineReader) stringEnd(quote int) int {
	s := pythonString{src: r.src, delimiter: delimiterAt(r.src, quote)}
	if strings.ContainsAny(r.src[r.at:quote], "fFtT") {
		f := s
		f.format = true
		f.src = r.src[:min(len(r.src), quote+maxFormat)]
		if end := f.findEnd(quote + len(s.delimiter)); end >= 0 {
			return end
		}
	}
	return s.findEnd(quote + len(s.delimiter))
}

// delimiterAt returns the one or three quotes that a string begins with.
func delimiterAt(src string, quote int) string {
	one := src[quote : quote+1]
	if three := strings.Repeat(one, 3); strings.HasPrefix(src[quote:], three) {
		return three
	}
	return one
}

// pythonString finds the end of a string.
type pythonString struct {
	src       string
	delimiter string
	format    bool // braces hold expressions
	depth     int  // strings around it
}

// findEnd returns the offset after the closing quote, -1 if there is none.
func (s pythonString) findEnd(at int) int {
	for at < len(s.src) {
		switch c := s.src[at]; {
		case c == '\\':
			at += 2
		case strings.HasPrefix(s.src[at:], s.delimiter):
			return at + len(s.delimiter)
		case c == '\n' && len(s.delimiter) == 1:
			return -1
		case s.format && c == '{' && strings.HasPrefix(s.src[at:], "{{"):
			at += 2
		case s.format && c == '{':
			if at = s.fieldEnd(at + 1); at < 0 {
				return -1
			}
		default:
			at++
		}
	}
	return -1
}

// fieldEnd returns the offset after the brace that closes an expression in a format
// string, -1 if there is none. Strings in it may have the same quotes as the string
// around it.
func (s pythonString) fieldEnd(at int) int {
	nested := 0
	for at < len(s.src) && s.depth < maxFormats {
		switch c := s.src[at]; {
		case c == '\n' && len(s.delimiter) == 1:
			return -1
		case c == '"' || c == '\'':
			if at = s.innerStringEnd(at); at < 0 {
				return -1
			}
			continue
		case strings.IndexByte("([{", c) >= 0:
			nested++
		case c == '}' && nested == 0:
			return at + 1
		case strings.IndexByte(")]}", c) >= 0:
			nested--
		case c == ':' && nested == 0:
			return s.formatSpecEnd(at + 1)
		}
		at++
	}
	return -1
}

// maxFormats is the depth up to which strings in the fields of strings are read.
const maxFormats = 10

// innerStringEnd returns the offset after a string in a field.
func (s pythonString) innerStringEnd(quote int) int {
	start := quote
	for start > 0 && isWordByte(s.src[start-1]) {
		start--
	}
	prefix := s.src[start:quote]
	return pythonString{
		src:       s.src,
		delimiter: delimiterAt(s.src, quote),
		format:    isStringPrefix(prefix) && strings.ContainsAny(prefix, "fFtT"),
		depth:     s.depth + 1,
	}.findEnd(quote + len(delimiterAt(s.src, quote)))
}

// formatSpecEnd returns the offset after the brace that closes a field. It begins at the field's
// format.
func (s pythonString) formatSpecEnd(at int) int {
	for at < len(s.src) {
		switch c := s.src[at]; {
		case c == '}':
			return at + 1
		case c == '{':
			if at = s.fieldEnd(at + 1); at < 0 {
				return -1
			}
			continue
		case c == '\n' && len(s.delimiter) == 1, strings.HasPrefix(s.src[at:], s.delimiter):
			return -1
		}
		at++
	}
	return -1
}
