package secrets

import (
	"fmt"
	"strings"
)

// longSecret is the number of bytes from which a value is also searched for in upper and lower
// case, and as a sequence of numbers. A shorter value may appear in these forms by chance.
const longSecret = 8

// sequence is a way to write bytes as numbers with separators between them.
type sequence struct {
	numbers    [256]string // the number of each byte, letters in lower case
	digits     int         // the most digits of a number
	digit      [256]bool   // the bytes that are digits
	separating [256]bool   // bytes that may be between two numbers
	prefixes   []string    // one of these may be before each number
}

// The kinds of sequences.
var (
	decimal     = sequence{numbersOf("%d"), 3, set("0123456789"), set(", \t\r\n"), nil}
	hexadecimal = sequence{numbersOf("%02x"), 2, set("0123456789abcdefABCDEF"), set(":-, \t\r\n"), []string{"0x", "0X", `\x`}}
)

func numbersOf(format string) (out [256]string) {
	for i := range out {
		out[i] = fmt.Sprintf(format, i)
	}
	return out
}

func set(bytes string) (out [256]bool) {
	for i := range len(bytes) {
		out[bytes[i]] = true
	}
	return out
}

// maxSeparator is the most bytes between two numbers. With a separator, a number has no more bytes
// than a [Stream] can hold back for each byte of a secret.
const maxSeparator = widest - 3

// separator returns the length of the separator and prefix before a number, at the beginning of
// text. It is 0 if there is none. If text ends within a prefix, it is the length of text.
func (q *sequence) separator(text string) int {
	n := 0
	for n < min(len(text), maxSeparator) && q.separating[text[n]] {
		n++
	}
	for _, p := range q.prefixes {
		rest := text[n:]
		switch {
		case strings.HasPrefix(rest, p):
			return n + len(p)
		case rest != "" && strings.HasPrefix(p, rest):
			return len(text)
		}
	}
	return n
}

// match returns the length of the value, written as numbers, at the beginning of text. It is 0 if
// the value is not there. cut says that more text could complete the value.
func (q *sequence) match(text, value string) (n int, cut bool) {
	for i := range len(value) {
		if i > 0 {
			between := q.separator(text[n:])
			switch {
			case n+between == len(text):
				return 0, true
			case between == 0:
				return 0, false
			}
			n += between
		}
		number := q.numbers[value[i]]
		rest := text[n:min(len(text), n+len(number))]
		switch {
		case !strings.EqualFold(rest, number[:len(rest)]):
			return 0, false
		case len(rest) < len(number):
			return 0, true
		}
		if n += len(number); n < len(text) && q.digit[text[n]] {
			return 0, false
		}
	}
	return n, false
}

// begins reports whether a number can begin at an index of text.
func (q *sequence) begins(text string, at int) bool { return at == 0 || !q.digit[text[at-1]] }

// runs returns the parts of text that are sequences of at least longSecret numbers.
func (q *sequence) runs(text string) []span {
	var out []span
	for i := 0; i < len(text); {
		if !q.digit[text[i]] {
			i++
			continue
		}
		end, count := i, 0
		for next := i; next > end || count == 0; count++ {
			n := next
			for n < len(text) && q.digit[text[n]] {
				n++
			}
			end = n
			if n == next || n-next > q.digits {
				break
			}
			next = n + q.separator(text[n:])
		}
		if count >= longSecret {
			out = append(out, span{from: i, to: end})
		}
		i = end
	}
	return out
}

// find appends the spans of a value within the runs of a text.
func (q *sequence) find(out []span, text string, runs []span, value, mark string) []span {
	first := q.numbers[value[0]]
	for _, run := range runs {
		for at := run.from; at < run.to; at++ {
			if !q.begins(text, at) || len(text)-at < len(first) || !strings.EqualFold(text[at:at+len(first)], first) {
				continue
			}
			if n, _ := q.match(text[at:run.to], value); n > 0 {
				out = append(out, span{at, at + n, mark})
				at += n - 1
			}
		}
	}
	return out
}

// incompleteStart returns the index of the end part of text that more text could complete to the value. It
// is the length of text if there is none.
func (q *sequence) incompleteStart(text, value string) int {
	from := len(text)
	for least := len(text) - len(value)*widest; from > max(least, 0) && q.isPart(text[from-1]); {
		from--
	}
	for ; from < len(text); from++ {
		if q.begins(text, from) && q.digit[text[from]] {
			if _, cut := q.match(text[from:], value); cut {
				break
			}
		}
	}
	return from
}

// isPart reports whether a byte can be part of a sequence.
func (q *sequence) isPart(c byte) bool {
	return q.digit[c] || q.separating[c] || q.prefixes != nil && strings.IndexByte(`xX\\`, c) >= 0
}
