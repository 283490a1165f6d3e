package literal

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// readText reads a string. A template with a substitution is computed.
func (r *reader) readText() foreign.Node {
	start, quote := r.at, r.source[r.at]
	r.at++
	var b strings.Builder
	kind := foreign.String
	for r.at < len(r.source) {
		switch c := r.source[r.at]; {
		case c == quote && kind == foreign.Computed:
			r.at++
			return r.newNode(kind, start, "")
		case c == quote:
			r.at++
			return r.newNode(kind, start, b.String())
		case c == '\\':
			b.WriteString(r.readEscape())
		case c == '\n' && quote != '`':
			r.addProblem(start, "This string is not closed.")
			return r.newNode(kind, start, b.String())
		case quote == '`' && strings.HasPrefix(r.rest(), "${") && r.templateDepth < maxDepth:
			kind = foreign.Computed
			r.at += 2
			r.templateDepth++
			r.skipExpression()
			r.templateDepth--
		default:
			b.WriteByte(c)
			r.at++
		}
	}
	r.addProblem(start, "This string is not closed.")
	return r.newNode(kind, start, b.String())
}

// escapes are the escapes of one letter.
var escapes = map[byte]string{
	'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v", '0': "\x00", '\n': "",
}

// readEscape reads a backslash and its escape.
func (r *reader) readEscape() string {
	rest := r.rest()
	if len(rest) < 2 {
		r.at = len(r.source)
		return ""
	}
	if rest[1] == 'u' || rest[1] == 'x' && !r.strict {
		if s, n := unicodeEscape(rest); n > 0 {
			r.at += n
			return s
		}
	}
	if s, known := escapes[rest[1]]; known {
		r.at += 2
		return s
	}
	if r.strict && strings.IndexByte(`"\/`, rest[1]) < 0 {
		r.addProblem(r.at, "JSON has no such escape.")
	}
	_, n := utf8.DecodeRuneInString(rest[1:])
	r.at += 1 + n
	return rest[1 : 1+n]
}

var hexEscape = lazyregexp.New(`^\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2}))`)

// unicodeEscape returns the character of a hexadecimal escape, or of a pair of them, and its
// length.
func unicodeEscape(s string) (char string, n int) {
	r, n := unicodeCodePoint(s)
	if n > 0 && utf16.IsSurrogate(r) {
		low, more := unicodeCodePoint(s[n:])
		if both := utf16.DecodeRune(r, low); more > 0 && both != utf8.RuneError {
			return string(both), n + more
		}
		r = utf8.RuneError
	}
	return string(r), n
}

func unicodeCodePoint(s string) (r rune, n int) {
	m := hexEscape.FindStringSubmatch(s)
	if m == nil {
		return 0, 0
	}
	v, err := strconv.ParseUint(m[1]+m[2]+m[3], 16, 32)
	if err != nil || v > utf8.MaxRune {
		v = utf8.RuneError
	}
	return rune(v), len(m[0])
}

var numberText = lazyregexp.New(`^-?(?:0[xXoObB][0-9A-Fa-f]+|[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)`)

// readNumber reads a number. If JSON would write it otherwise, it keeps its value.
func (r *reader) readNumber() foreign.Node {
	start := r.at
	written := numberText.FindString(r.rest())
	if written == "" {
		return r.readComputed()
	}
	r.at += len(written)
	if isWordByte(r.peek()) && r.peek() != 'n' {
		r.at = start
		return r.readComputed()
	}
	if json.Valid([]byte(written)) {
		return r.newNode(foreign.Number, start, written)
	}
	if r.strict {
		r.addProblem(start, "JSON writes no number so.")
	}
	return r.newNode(foreign.Number, start, plainNumber(written))
}

func plainNumber(written string) string {
	if v, err := strconv.ParseInt(written, 0, 64); err == nil {
		return strconv.FormatInt(v, 10)
	}
	plain := strings.ReplaceAll(strings.TrimSuffix(written, "."), "_", "")
	if json.Valid([]byte(plain)) {
		return plain
	}
	v, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		return "0"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// readWord reads true, false, null, or a computed value.
func (r *reader) readWord() foreign.Node {
	start := r.at
	switch word := r.readIdentifier(); word {
	case "true", "false":
		return r.newNode(foreign.Bool, start, word)
	case "null", "undefined":
		return r.newNode(foreign.Null, start, "")
	}
	r.at = start
	return r.readName()
}

func (r *reader) readIdentifier() string {
	start := r.at
	for r.at < len(r.source) && isWordByte(r.source[r.at]) {
		r.at++
	}
	return r.source[start:r.at]
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}
