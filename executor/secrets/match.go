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
	forms []string // the value in hex and, where it is long, in upper and lower case
	cores []string // of which every base64 of a text with the value contains one
	plain bool     // it is nowhere but as it is
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
	return secret{mark: mark, value: value, forms: forms, cores: cores(value)}
}

// newPlainSecret is a value that is nowhere but as it is.
func newPlainSecret(mark, value string) secret {
	return secret{mark: mark, value: value, plain: true}
}

// cores are the characters that base64 gives the value at each of the three
// places where it can stand in a longer text. The characters at both ends,
// which its neighbours share, are left out.
func cores(value string) []string {
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
			out = append(out, inURLs.Replace(core))
		}
	}
	return out
}

// inURLs turns base64 into the kind that is made for URLs.
var inURLs = strings.NewReplacer("+", "-", "/", "_")

// span is a part of a text, by its bytes, and what is put in its place.
type span struct {
	from, to int
	mark     string
}

// find adds the places in text where the value stands, in any form.
func (s *secret) find(out []span, text string) []span {
	if len(s.value) < Short {
		return places(out, text, s.value, s.mark, wholeWord)
	}
	out = places(out, text, s.value, s.mark, exactly)
	for _, form := range s.forms {
		out = places(out, text, form, s.mark, exactly)
	}
	for _, c := range s.cores {
		out = places(out, text, c, s.mark, wholeRun)
	}
	return out
}

// isInSequences reports whether the value is also looked for as a sequence of numbers.
func (s *secret) isInSequences() bool { return !s.plain && len(s.value) >= longSecret }

// places adds where find stands in text. around gives the whole of what is
// replaced, or false for what is to stay.
func places(out []span, text, find, mark string, around func(text string, from, to int) (int, int, bool)) []span {
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

// byPlace orders spans; of those that begin together the longest comes first.
func byPlace(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) }

// replaceSpans puts the marks in the place of spans. Where these overlap, the mark of
// the first, and then of the longest, stands for all.
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

// mergeSpans are spans in their order, those that overlap made one.
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

// wholeRun takes all of the base64 around, which ends with its padding.
func wholeRun(text string, from, to int) (int, int, bool) {
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

// wholeWord refuses what adjoins a letter or a digit.
func wholeWord(text string, from, to int) (int, int, bool) {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return from, to, !isWord(before) && !isWord(after)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
