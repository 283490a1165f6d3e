package secrets

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escape is a way to encode characters.
type escape struct {
	first byte   // the first byte of every escape; % also begins one
	only  string // only decoded if a secret contains this; "": always
	// read returns the meaning of the escape at the beginning of text, and its length; 0 if
	// there is no escape.
	read func(text string) (meaning string, n int)
	// isCut reports whether more text could turn the beginning of text into another escape.
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

// completeLength returns the length of text without an escape that is cut off at its end.
func (e escape) completeLength(text string) int {
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

// decode returns text with its escapes decoded. It is text itself if there are none.
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

// offsets returns, for each byte of the decoded text and for its end, the index in text that it
// comes from.
func (e escape) offsets(text string) []int32 {
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

// each calls do with the index, the length and the meaning of every escape.
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

// readForm reads an escape of a query, in which + is a space.
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

// isCutBackslash also handles characters that are written as two \u escapes.
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

// unit returns the value of \uXXXX at the beginning of text.
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

// isWrap reports whether this escape is a line break within base64, which has no meaning.
func (e escape) isWrap() bool { return e.first == '\n' || e.first == '\r' }

// readWrap decodes a line break within base64, as programs insert it, to nothing.
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
