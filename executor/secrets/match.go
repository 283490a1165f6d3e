package secrets

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// secret is one value and how it may look.
type secret struct {
	mark  string
	value string
	hexes []string
	cores []string // of which every base64 of a text with the value contains one
}

func newSecret(mark, value string) secret {
	if len(value) < Short {
		return secret{mark: mark, value: value}
	}
	lower := hex.EncodeToString([]byte(value))
	return secret{mark, value, []string{lower, strings.ToUpper(lower)}, cores(value)}
}

// cores are the characters that base64 gives the value at each of the three
// places where it can stand in a longer text. The characters at both ends,
// which its neighbours share, are left out.
func cores(value string) []string {
	out := make([]string, 0, 6)
	for shift := range 3 {
		text := []byte("xx"[:shift] + value)
		from, to := (shift*8+5)/6, len(text)*8/6
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if core := enc.EncodeToString(text)[from:to]; !slices.Contains(out, core) {
				out = append(out, core)
			}
		}
	}
	return out
}

// redact takes time in proportion to the text, whatever the text is.
func (s *secret) redact(text string) string {
	if len(text) < len(s.value) { // no encoding is shorter
		return text
	}
	if len(s.value) < Short {
		return replace(text, s.value, s.mark, wholeWord)
	}
	text = cut(text, s.spans(text, escapeDepth), s.mark)
	for _, h := range s.hexes {
		text = strings.ReplaceAll(text, h, s.mark)
	}
	for _, c := range s.cores {
		text = replace(text, c, s.mark, wholeRun)
	}
	return text
}

// escapeDepth is how many escapes may lie around each other, as where JSON is
// quoted in a query.
const escapeDepth = 2

// span is a part of a text, by its bytes.
type span struct{ from, to int }

// spans are the places that mean the value: as it is, or escaped.
func (s *secret) spans(text string, depth int) []span {
	var out []span
	for at := 0; ; {
		n := strings.Index(text[at:], s.value)
		if n < 0 {
			break
		}
		out = append(out, span{at + n, at + n + len(s.value)})
		at += n + len(s.value)
	}
	if depth == 0 {
		return out
	}
	for _, e := range escapes {
		if strings.IndexByte(text, e.first) < 0 || e.only != "" && !strings.Contains(s.value, e.only) {
			continue
		}
		plain, at := e.decode(text)
		for _, p := range s.spans(plain, depth-1) {
			out = append(out, span{int(at[p.from]), int(at[p.to])})
		}
	}
	return out
}

// cut puts mark in the place of spans, which may overlap.
func cut(text string, spans []span, mark string) string {
	if len(spans) == 0 {
		return text
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var out strings.Builder
	done := 0
	for _, p := range spans {
		if p.from >= done {
			out.WriteString(text[done:p.from])
			out.WriteString(mark)
		}
		done = max(done, p.to)
	}
	return out.String() + text[done:]
}

// replace puts mark where find stands. around gives the whole of what is
// replaced, or false for what is to stay.
func replace(text, find, mark string, around func(text string, from, to int) (int, int, bool)) string {
	var out strings.Builder
	done := 0
	for at := 0; ; {
		n := strings.Index(text[at:], find)
		if n < 0 {
			break
		}
		from, to, ok := around(text, at+n, at+n+len(find))
		at = to
		if ok {
			out.WriteString(text[done:max(from, done)])
			out.WriteString(mark)
			done = to
		}
	}
	if done == 0 {
		return text
	}
	return out.String() + text[done:]
}

// wholeRun takes all of the base64 around.
func wholeRun(text string, from, to int) (int, int, bool) {
	for from > 0 && isBase64(text[from-1]) {
		from--
	}
	for to < len(text) && isBase64(text[to]) {
		to++
	}
	return from, to, true
}

func isBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("+/-_=", c) >= 0
}

// wholeWord refuses what adjoins a letter or a digit.
func wholeWord(text string, from, to int) (int, int, bool) {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return from, to, !isWord(before) && !isWord(after)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
