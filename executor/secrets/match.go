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

// secret is one value with the forms in which it may appear.
type secret struct {
	mark        string
	value       string
	forms       []string // the value in hex and, if it is long, in upper and lower case
	base64Forms []string // the base64 of any text with the value contains one of them
	plain       bool     // it appears only in its plain form
}

func newSecret(mark, value string) secret {
	if len(value) < Short {
		return secret{mark: mark, value: value}
	}
	lower := hex.EncodeToString([]byte(value))
	forms := append(make([]string, 0, 4), lower, strings.ToUpper(lower))
	if len(value) >= longSecret {
		for _, form := range []string{strings.ToUpper(value), strings.ToLower(value)} {
			if form != value {
				forms = append(forms, form)
			}
		}
	}
	return secret{mark: mark, value: value, forms: forms, base64Forms: base64Forms(value)}
}

// newPlainSecret returns a secret that is searched for as it is, and in no encoding.
func newPlainSecret(mark, value string) secret {
	return secret{mark: mark, value: value, plain: true}
}

// base64Forms returns what base64 makes of the value at each of the three offsets that it can have in a
// longer text. The characters at both ends are left out, because they depend on the neighbouring
// text.
func base64Forms(value string) []string {
	out := make([]string, 0, 6)
	padded := []byte("xx" + value)
	buf := make([]byte, 0, base64.RawStdEncoding.EncodedLen(len(padded)))
	for shift := range 3 {
		text := padded[2-shift:]
		from, to := (shift*8+5)/6, len(text)*8/6
		buf = base64.RawStdEncoding.AppendEncode(buf[:0], text)
		core := string(buf[from:to])
		out = append(out, core)
		if strings.ContainsAny(core, "+/") {
			out = append(out, toURLBase64.Replace(core))
		}
	}
	return out
}

// toURLBase64 converts base64 to the alphabet of base64url, which has - and _ for + and /.
var toURLBase64 = strings.NewReplacer("+", "-", "/", "_")

// span is a part of a text, by byte offsets, with the mark that replaces it.
type span struct {
	from, to int
	mark     string
}

// find appends the spans of text in which the value appears, in any form.
func (s *secret) find(out []span, text string) []span {
	if len(s.value) < Short {
		return appendSpans(out, text, s.value, s.mark, wholeWord)
	}
	out = appendSpans(out, text, s.value, s.mark, exactly)
	for _, form := range s.forms {
		out = appendSpans(out, text, form, s.mark, exactly)
	}
	for _, c := range s.base64Forms {
		out = appendSpans(out, text, c, s.mark, extendToBase64)
	}
	return out
}

// isInSequences reports whether the value is also searched for as a sequence of numbers.
func (s *secret) isInSequences() bool { return !s.plain && len(s.value) >= longSecret }

// appendSpans appends the spans in which find appears in text. around returns the whole span to
// replace, or false to leave it.
func appendSpans(out []span, text, find, mark string, around func(text string, from, to int) (int, int, bool)) []span {
	for at := 0; ; {
		n := strings.Index(text[at:], find)
		if n < 0 {
			return out
		}
		from, to, ok := around(text, at+n, at+n+len(find))
		at = to
		if ok {
			out = append(out, span{from, to, mark})
		}
	}
}

// byPlace orders spans by their beginning, and then the longest first.
func byPlace(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) }

// replaceSpans replaces spans by their marks. Overlapping spans get one mark: that of the first
// span, or of the longest of those that begin there.
func replaceSpans(text string, spans []span) string {
	if len(spans) == 0 {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	done := 0
	for _, p := range mergeSpans(spans) {
		out.WriteString(text[done:p.from])
		out.WriteString(p.mark)
		done = p.to
	}
	out.WriteString(text[done:])
	return out.String()
}

// mergeSpans returns spans sorted, with overlapping ones merged.
func mergeSpans(spans []span) []span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortFunc(spans, byPlace)
	var out []span
	for _, p := range spans {
		if n := len(out); n > 0 && p.from < out[n-1].to {
			out[n-1].to = max(out[n-1].to, p.to)
			continue
		}
		out = append(out, p)
	}
	return out
}

func exactly(_ string, from, to int) (int, int, bool) { return from, to, true }

// extendToBase64 extends a span to all of the surrounding base64, up to its padding.
func extendToBase64(text string, from, to int) (int, int, bool) {
	for from > 0 && isBase64(text[from-1]) && text[from-1] != '=' {
		from--
	}
	for to < len(text) && isBase64(text[to]) && (text[to] == '=' || text[to-1] != '=') {
		to++
	}
	return from, to, true
}

func isBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("+/-_=", c) >= 0
}

// wholeWord accepts a span only if neither a letter nor a digit adjoins it.
func wholeWord(text string, from, to int) (int, int, bool) {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return from, to, !isWord(before) && !isWord(after)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
