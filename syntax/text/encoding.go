package text

import "unicode/utf8"

// Encoding is the unit that a column is counted in.
type Encoding uint8

// The encodings that the Language Server Protocol knows.
const (
	UTF8 Encoding = iota
	UTF16
	UTF32
)

// String returns the encoding's usual name: "utf-8", "utf-16" or "utf-32".
func (e Encoding) String() string {
	switch e {
	case UTF16:
		return "utf-16"
	case UTF32:
		return "utf-32"
	}
	return "utf-8"
}

// Len returns the number of the encoding's units in s.
func (e Encoding) Len(s string) int {
	if e == UTF8 {
		return len(s)
	}
	n := 0
	for i := 0; i < len(s); {
		bytes, units := e.next(s[i:])
		i += bytes
		n += units
	}
	return n
}

// offset returns the number of bytes in the first n units of s. A unit in the
// middle of a character counts as the character's beginning, one beyond s as
// its end.
func (e Encoding) offset(s string, n int) int {
	if e == UTF8 {
		return runeStart(s, min(n, len(s)))
	}
	i := 0
	for i < len(s) {
		bytes, units := e.next(s[i:])
		if n < units {
			break
		}
		i += bytes
		n -= units
	}
	return i
}

// next returns the size of the first character of s in bytes and in units,
// which are not bytes.
func (e Encoding) next(s string) (bytes, units int) {
	if s[0] < utf8.RuneSelf {
		return 1, 1
	}
	r, bytes := utf8.DecodeRuneInString(s)
	if e == UTF16 && r > 0xFFFF {
		return bytes, 2
	}
	return bytes, 1
}

// runeStart returns the beginning of the character that offset is inside of,
// and offset itself where it is between characters.
func runeStart(s string, offset int) int {
	for i := offset - 1; i >= max(0, offset-utf8.UTFMax+1); i-- {
		if utf8.RuneStart(s[i]) {
			if _, n := utf8.DecodeRuneInString(s[i:]); i+n > offset {
				return i
			}
			break
		}
	}
	return offset
}
