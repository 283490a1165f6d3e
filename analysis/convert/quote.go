package convert

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

var (
	// otherType matches texts that some reader of YAML takes for something else than a text: a number, a
	// date, a boolean of YAML 1.1, nothing.
	otherType = lazyregexp.New(`^(?i:y|n|yes|no|on|off|true|false|null|~|<<|=|[-+]?\.inf|\.nan|[-+]?[0-9.][0-9_.]*(e[-+]?[0-9]+)?|0[xo][0-9a-f_]+|[-+]?\d+(:[0-5]?\d)+(\.\d*)?|\d{4}-\d\d?-\d\d?([t ].*)?)$`)

	// sameNumber matches numbers that are the same text after they have been read.
	sameNumber = lazyregexp.New(`^-?(0|[1-9]\d{0,14})(\.\d{0,10}[1-9])?$`)

	// numeral matches numbers that every reader of both dialects reads alike.
	numeral = lazyregexp.New(`^-?(0|[1-9]\d*)(\.\d+)?$`)

	// safeEscapes matches the inside of a string whose escapes mean the same in ABL and in YAML.
	safeEscapes = lazyregexp.New(`^([^\\\x00-\x08\x0b-\x1f\x7f]|\\["\\ntr])*$`)

	// quotedBefore matches a text that begins with a sign that only texts in quotes may begin with.
	quotedBefore = lazyregexp.New("^(?:[,\\[\\]{}#&*!|>'\"%@`]|[-?:](?:[ \t]|$)|---|\\.\\.\\.)")
)

// plainOrQuoted writes a text without quotes if YAML reads it as the same text. flow says that it
// is between brackets.
func plainOrQuoted(s string, flow bool) string {
	switch {
	case s == "" || s != strings.TrimSpace(s) || otherType.MatchString(s) || quotedBefore.MatchString(s),
		strings.Contains(s, ": ") || strings.Contains(s, "\t") || strings.HasSuffix(s, ":") || strings.Contains(s, " #"),
		flow && strings.ContainsAny(s, ",[]{}"), strings.ContainsFunc(s, isUnprintable):
		return quoted(s)
	}
	return s
}

func isUnprintable(r rune) bool {
	return r < ' ' && r != '\t' || r == 0x7f || 0x80 <= r && r <= 0x9f || r == 0x2028 || r == 0x2029 || r == 0xfeff
}

// quoted writes a text in quotes, in single ones if that needs fewer escapes.
func quoted(s string) string {
	if strings.ContainsAny(s, `"\`) && !strings.Contains(s, "'") && !strings.ContainsFunc(s, isUnprintable) {
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case isUnprintable(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// requoted writes a string of ABL. It stays as it is if YAML reads the same text.
func requoted(raw string) string {
	inner := raw[1 : len(raw)-1]
	if raw[0] == '"' && safeEscapes.MatchString(inner) || raw[0] == '\'' && !strings.ContainsAny(inner, `\'`) {
		return raw
	}
	return quoted(syntax.Unquote(raw))
}

// numberInYAML writes a number of ABL so that every reader of YAML takes it for the same number. ok is
// false if ABL reads none.
func numberInYAML(s string) (written string, ok bool) {
	n, ok := tool.Number(s).Float()
	switch {
	case !ok || numeral.MatchString(s):
		return s, ok
	case math.Abs(n) < 1e15:
		return strconv.FormatFloat(n, 'f', -1, 64), true
	}
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(n, 'e', -1, 64), "e")
	if !strings.Contains(digits, ".") {
		digits += ".0" // YAML 1.1 wants it before an exponent
	}
	return digits + "e" + exponent, true
}

// requotedOr writes the text of a value that may be a string.
func requotedOr(s string) string {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return requoted(s)
	}
	return plainOrQuoted(s, false)
}
