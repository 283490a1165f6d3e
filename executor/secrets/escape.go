package secrets

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escape is a way to write characters by others.
type escape struct {
	first byte   // of every escape, or a second kind beside percent escapes
	only  string // looked for where a value has this; "": always
	// read gives what the escape at the beginning of text means, and its
	// length; 0 where there is none.
	read func(text string) (meaning string, n int)
	// isCut reports whether more text may make another escape of that one.
	isCut func(text string) bool
}

var escapes = []escape{
	{'%', "", readPercent, isCutPercent},
	{'+', " ", readForm, isCutPercent},
	{'\\', "", readBackslash, isCutBackslash},
	{'&', "", readEntity, isCutEntity},
	{'\n', "", readWrap, isCutWrap},
	{'\r', "", readWrap, isCutWrap},
}

// whole is the length of text without an escape that the end of it cuts in two.
func (e escape) whole(text string) int {
	for i := 0; i < len(text); {
		n := 0
		if text[i] == e.first || text[i] == '%' {
			if e.isCut(text[i:]) {
				return i
			}
			_, n = e.read(text[i:])
		}
		i += max(n, 1)
	}
	return len(text)
}

// decode gives what text means. It is text itself where there is no escape.
func (e escape) decode(text string) string {
	var out strings.Builder
	done := 0
	e.each(text, func(from, n int, meaning string) {
		if done == 0 {
			out.Grow(len(text))
		}
		out.WriteString(text[done:from])
		out.WriteString(meaning)
		done = from + n
	})
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// places says of each byte of what text means, and of its end, where in text it
// comes from.
func (e escape) places(text string) []int32 {
	at := make([]int32, 0, len(text)+1)
	done := 0
	copied := func(to int) {
		for ; done < to; done++ {
			at = append(at, int32(done))
		}
	}
	e.each(text, func(from, n int, meaning string) {
		copied(from)
		for range len(meaning) {
			at = append(at, int32(from))
		}
		done = from + n
	})
	copied(len(text))
	return append(at, int32(len(text)))
}

// each calls do with the place, the length and the meaning of every escape.
func (e escape) each(text string, do func(from, n int, meaning string)) {
	for i := 0; i < len(text); {
		if text[i] != e.first && text[i] != '%' {
			i++
			continue
		}
		meaning, n := e.read(text[i:])
		if n == 0 {
			i++
			continue
		}
		do(i, n, meaning)
		i += n
	}
}

// readForm reads a query, where + is a blank.
func readForm(text string) (string, int) {
	if text[0] == '+' {
		return " ", 1
	}
	return readPercent(text)
}

func readPercent(text string) (string, int) {
	if len(text) < 3 || text[0] != '%' {
		return "", 0
	}
	b, err := strconv.ParseUint(text[1:3], 16, 8)
	if err != nil {
		return "", 0
	}
	return string([]byte{byte(b)}), 3
}

func isCutPercent(text string) bool { return text[0] == '%' && len(text) < 3 }

var letters = map[byte]string{'n': "\n", 'r': "\r", 't': "\t", 'b': "\b", 'f': "\f"}

// readBackslash reads the escapes of JSON and its relatives.
func readBackslash(text string) (string, int) {
	if len(text) < 2 || text[0] != '\\' {
		return "", 0
	}
	if text[1] == 'u' {
		return readUnicode(text)
	}
	if s, ok := letters[text[1]]; ok {
		return s, 2
	}
	if text[1] < utf8.RuneSelf {
		return text[1:2], 2
	}
	return "", 0
}

// isCutBackslash knows of the two halves that a character may have.
func isCutBackslash(text string) bool {
	if text[0] != '\\' || len(text) > 1 && text[1] != 'u' {
		return false
	}
	hi, ok := unit(text)
	return len(text) < 6 || ok && utf16.IsSurrogate(hi) && len(text) < 12
}

func readUnicode(text string) (string, int) {
	hi, ok := unit(text)
	if !ok {
		return "", 0
	}
	if utf16.IsSurrogate(hi) {
		if lo, ok := unit(text[6:]); ok {
			return string(utf16.DecodeRune(hi, lo)), 12
		}
	}
	return string(hi), 6
}

// unit reads \uXXXX.
func unit(text string) (rune, bool) {
	if len(text) < 6 || text[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(n), err == nil
}

const longEntity = 12

func readEntity(text string) (string, int) {
	end := strings.IndexByte(text[:min(len(text), longEntity)], ';')
	if end < 0 || text[0] != '&' {
		return "", 0
	}
	s := html.UnescapeString(text[:end+1])
	return s, end + 1
}

func isCutEntity(text string) bool {
	isOther := func(c rune) bool { return c != '#' && !isWord(c) }
	return text[0] == '&' && len(text) < longEntity && !strings.ContainsFunc(text[1:], isOther)
}

// isWrap reports whether this is the end of a line within base64, which means nothing.
func (e escape) isWrap() bool { return e.first == '\n' || e.first == '\r' }

// readWrap takes away the end of a line within base64, as programs break it.
func readWrap(text string) (string, int) {
	end := 1
	if strings.HasPrefix(text, "\r\n") {
		end = 2
	}
	if text[end-1] == '\n' && len(text) > end && isBase64(text[end]) {
		return "", end
	}
	return "", 0
}

func isCutWrap(text string) bool { return text == "\n" || text == "\r" || text == "\r\n" }
