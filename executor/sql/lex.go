package sql

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// tokenKind is the kind of a token.
type tokenKind int

const (
	blank   tokenKind = iota // space, or a comment
	quoted                   // a string, or a quoted name
	word                     // a name or a keyword
	filled                   // {{…}}
	numeral                  // digits
	mark                     // a placeholder of the database: ?, $1, :name
	sign                     // any other character
)

// token is a piece of a statement.
type token struct {
	shape tokenKind
	text  string
}

// lex splits a statement into tokens, which together are its whole text. An unclosed quote or
// comment extends to the end.
func (d *dialect) lex(s string) []token {
	var out []token
	escapes := false // backslashes escape in the last string; only space has followed it
	for s != "" {
		t := d.readToken(s)
		if t.shape == quoted && t.text[0] == '\'' {
			escapes = d.dollarQuotes && (escapes || len(out) > 0 && isEscapeWord(out[len(out)-1]))
			if escapes {
				t.text = s[:quotedEnd(s, true)]
			}
		} else if t.shape != blank {
			escapes = false
		}
		out = append(out, t)
		s = s[len(t.text):]
	}
	return out
}

// isEscapeWord reports whether backslashes escape in a string that follows this token.
func isEscapeWord(t token) bool { return t.shape == word && strings.EqualFold(t.text, "e") }

func (d *dialect) readToken(s string) token {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case strings.HasPrefix(s, "{{"):
		if end := strings.Index(s, "}}"); end > 0 {
			return token{filled, s[:end+2]}
		}
	case unicode.IsSpace(r):
		return token{blank, s[:size]}
	case d.commentLength(s) > 0:
		return token{blank, s[:d.commentLength(s)]}
	case s[0] == '\'':
		return token{quoted, s[:quotedEnd(s, d.escapesIn(s[0]))]}
	case strings.IndexByte(d.quotes, s[0]) >= 0:
		return token{quoted, s[:quotedEnd(s, d.escapesIn(s[0]))]}
	case s[0] >= '0' && s[0] <= '9':
		return token{numeral, digits.FindString(s)}
	case isNameStart(r):
		return token{word, name.FindString(s)}
	}
	if n := d.dollarQuotedEnd(s); n > 0 {
		return token{quoted, s[:n]}
	}
	if n := d.markEnd(s); n > 0 {
		return token{mark, s[:n]}
	}
	return token{sign, s[:size]}
}

// escapesIn reports whether a backslash escapes within these quotes.
func (d *dialect) escapesIn(quote byte) bool {
	return d.backslash && (quote == '\'' || quote == '"' && !d.ansiQuotes)
}

var (
	digits     = lazyregexp.New(`^[0-9]+`)
	name       = lazyregexp.New(`^[\pL_\x{80}-\x{10ffff}][\pL\pN_$\x{80}-\x{10ffff}]*`)
	dollarTag  = lazyregexp.New(`^\$([\pL_\x{80}-\x{10ffff}][\pL\pN_\x{80}-\x{10ffff}]*)?\$`)
	dollarMark = lazyregexp.New(`^\$[0-9]+`)
	namedMark  = lazyregexp.New(`^(\?[0-9]*|[:@$#]([\w$\x{80}-\x{10ffff}]|::)+(\([^\s)]*\)?)?)`)
)

func isNameStart(r rune) bool { return r == '_' || unicode.IsLetter(r) || r >= utf8.RuneSelf }

// commentLength returns the length of the comment that a text begins with. It is 0 if there is none.
func (d *dialect) commentLength(s string) int {
	switch {
	case strings.HasPrefix(s, "/*"):
		return d.blockEnd(s)
	case strings.HasPrefix(s, "--") && (!d.hashComments || len(s) == 2 || s[2] <= ' '), d.hashComments && s[0] == '#':
		if end := strings.IndexAny(s, d.lineEnds()); end >= 0 {
			return end + 1
		}
		return len(s)
	}
	return 0
}

// lineEnds returns the characters that end a one-line comment.
func (d *dialect) lineEnds() string {
	if d.dollarQuotes {
		return "\r\n"
	}
	return "\n"
}

func (d *dialect) blockEnd(s string) int {
	depth := 0
	for i := 0; i < len(s)-1; i++ {
		switch {
		case s[i] == '*' && s[i+1] == '/':
			if depth--; depth == 0 {
				return i + 2
			}
			i++
		case s[i] == '/' && s[i+1] == '*':
			if d.nestedComments || depth == 0 {
				depth++
			}
			i++
		}
	}
	return len(s)
}

// quotedEnd returns the length of the quoted text that s begins with. A doubled quote means the
// quote itself.
func quotedEnd(s string, backslash bool) int {
	stop := s[0]
	if stop == '[' {
		stop = ']'
	}
	for i := 1; i < len(s); i++ {
		switch {
		case backslash && s[i] == '\\':
			i++
		case s[i] != stop:
		case stop != ']' && i+1 < len(s) && s[i+1] == stop:
			i++
		default:
			return i + 1
		}
	}
	return len(s)
}

func (d *dialect) dollarQuotedEnd(s string) int {
	if !d.dollarQuotes {
		return 0
	}
	tag := dollarTag.FindString(s)
	if tag == "" {
		return 0
	}
	if end := strings.Index(s[len(tag):], tag); end >= 0 {
		return end + 2*len(tag)
	}
	return len(s)
}

// markEnd returns the length of the database's own placeholder that s begins with. It is 0 if there
// is none.
func (d *dialect) markEnd(s string) int {
	switch {
	case d.dollarQuotes:
		return len(dollarMark.FindString(s))
	case d.namedMarks:
		return len(namedMark.FindString(s))
	case d.questionMarks && s[0] == '?':
		return 1
	}
	return 0
}
