package text

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// samples are texts on which positions go wrong easily.
var samples = map[string]string{
	"nothing":                 "",
	"LF":                      "\n",
	"CR":                      "\r",
	"CRLF":                    "\r\n",
	"LF CR":                   "\n\r",
	"CR, CRLF and LF":         "\r\r\n\n",
	"a word":                  "plain",
	"two lines":               "one\ntwo\n",
	"all line ends":           "one\r\ntwo\rthree\nfour",
	"wide characters":         "a😀b\n😀😀\r\nc",
	"CJK":                     "日本語\n説明: \"東京\"\r\n",
	"combined characters":     "e\u0301te\u0301\n👩‍👩‍👧\n🇫🇷!",
	"a byte order mark":       "\ufeffTOOLS:\n  t()",
	"bytes that are no UTF-8": "bad \xff\xfe byte\n\xf0\x9f\x98 cut",
	"half surrogates":         "half \xed\xa0\xbd\xed\xb8\x80 surrogates\n",
	"other separators":        "sep\u2028line\u0085x\vy\fz",
	"a character cut off":     "end\xe6",
}

var encodings = []Encoding{UTF8, UTF16, UTF32}

func TestLines(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"\n", []string{"", ""}},
		{"a\nb", []string{"a", "b"}},
		{"a\r\nb\r\n", []string{"a", "b", ""}},
		{"a\rb\r\r\nc\n\rd", []string{"a", "b", "", "c", "", "d"}},
		{"x\u2028y\u0085\v\f", []string{"x\u2028y\u0085\v\f"}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			l := NewLines(tt.text)
			var got []string
			for i := range l.LineCount() {
				s := l.LineText(i)
				got = append(got, tt.text[s.Start:s.End])
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("lines of %q = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestPosition(t *testing.T) {
	// The units before each | in UTF-8, UTF-16 and UTF-32.
	tests := []struct {
		text string
		line int
		want [3]int
	}{
		{"abc|", 0, [3]int{3, 3, 3}},
		{"a😀|b", 0, [3]int{5, 3, 2}},
		{"日本|語", 0, [3]int{6, 2, 2}},
		{"e\u0301|", 0, [3]int{3, 2, 2}},
		{"\ufeff|TOOLS:", 0, [3]int{3, 1, 1}},
		{"x\r\n😀 |y\r\n", 1, [3]int{5, 3, 2}},
		{"x\r|y", 1, [3]int{0, 0, 0}},
		{"\xff\xf0\x9f|", 0, [3]int{3, 3, 3}},
		{"\xed\xa0\xbd|", 0, [3]int{3, 3, 3}},
		{"a\n|", 1, [3]int{0, 0, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			before, after, _ := strings.Cut(tt.text, "|")
			l := NewLines(before + after)
			for i, enc := range encodings {
				t.Run(enc.String(), func(t *testing.T) {
					want := Position{tt.line, tt.want[i]}
					if got := l.Position(len(before), enc); got != want {
						t.Errorf("%q %v: Position = %v, want %v", tt.text, enc, got, want)
					}
					if got := l.Offset(want, enc); got != len(before) {
						t.Errorf("%q %v: Offset(%v) = %d, want %d", tt.text, enc, want, got, len(before))
					}
				})
			}
		})
	}
}

func TestOffsetClamps(t *testing.T) {
	const text = "a😀\r\nb\n"
	tests := []struct {
		name string
		pos  Position
		enc  Encoding
		want int
	}{
		{"beyond the line", Position{0, 99}, UTF16, 5},
		{"on the line end", Position{0, 4}, UTF16, 5},
		{"beyond the last line", Position{9, 0}, UTF16, len(text)},
		{"beyond the empty last line", Position{2, 7}, UTF16, len(text)},
		{"largest", Position{1<<31 - 1, 1<<31 - 1}, UTF32, len(text)},
		{"between surrogates", Position{0, 2}, UTF16, 1},
		{"inside a character", Position{0, 3}, UTF8, 1},
		{"negative line", Position{-1, 3}, UTF8, 0},
		{"negative column", Position{1, -1}, UTF8, 7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := NewLines(text).Offset(tt.pos, tt.enc); got != tt.want {
				t.Errorf("Offset = %d, want %d", got, tt.want)
			}
		})
	}
	ascii := NewLines("ab\r\ncd")
	if got := ascii.Offset(Position{0, 9}, UTF16); got != 2 {
		t.Errorf("beyond an ASCII line: Offset = %d, want 2", got)
	}
}

func TestPositionClamps(t *testing.T) {
	l := NewLines("a😀\r\nb")
	tests := map[int]Position{
		-1: {0, 0}, 2: {0, 1}, 4: {0, 1}, 5: {0, 3}, 6: {0, 3}, 7: {1, 0}, 99: {1, 1},
	}
	for offset, want := range tests {
		t.Run(fmt.Sprint(offset), func(t *testing.T) {
			if got := l.Position(offset, UTF16); got != want {
				t.Errorf("Position(%d) = %v, want %v", offset, got, want)
			}
		})
	}
}

func TestReversedRange(t *testing.T) {
	l := NewLines("abc\ndef")
	r := Range{Position{1, 1}, Position{0, 2}}
	if got, want := l.Span(r, UTF16), (Span{2, 5}); got != want {
		t.Errorf("Span(%v) = %v, want %v", r, got, want)
	}
}

// TestPositionAgainstDefinition compares every offset of the samples with the
// plain meaning of the encodings.
func TestPositionAgainstDefinition(t *testing.T) {
	for name, s := range samples {
		t.Run(name, func(t *testing.T) {
			checkPositions(t, NewLines(s))
		})
	}
}

func checkPositions(t *testing.T, l *Lines) {
	t.Helper()
	for i := range l.LineCount() {
		line := l.LineText(i)
		s := l.Text()[line.Start:line.End]
		for at := range s {
			checkPosition(t, l, i, line.Start+at)
		}
		checkPosition(t, l, i, line.End)
	}
}

func checkPosition(t *testing.T, l *Lines, line, offset int) {
	t.Helper()
	before := l.Text()[l.LineStart(line):offset]
	runes := []rune(before)
	want := map[Encoding]int{
		UTF8:  len(before),
		UTF16: len(utf16.Encode(runes)),
		UTF32: utf8.RuneCountInString(before),
	}
	for _, enc := range encodings {
		pos := l.Position(offset, enc)
		if pos != (Position{line, want[enc]}) {
			t.Errorf("%q %v: Position(%d) = %v, want column %d of line %d", l.Text(), enc, offset, pos, want[enc], line)
		}
		if got := l.Offset(pos, enc); got != offset {
			t.Errorf("%q %v: Offset(%v) = %d, want %d", l.Text(), enc, pos, got, offset)
		}
	}
}

// TestApplyEqualsFresh makes every short edit on every sample.
func TestApplyEqualsFresh(t *testing.T) {
	for name, s := range samples {
		t.Run(name, func(t *testing.T) {
			l := NewLines(s)
			for start := range len(s) + 1 {
				for end := start; end <= min(len(s), start+3); end++ {
					for _, insert := range []string{"", "\n", "\r", "\r\n", "x", "😀", "a\rb\n"} {
						checkApply(t, l, Edit{Span{start, end}, insert})
					}
				}
			}
		})
	}
}

func checkApply(t *testing.T, l *Lines, e Edit) *Lines {
	t.Helper()
	text, err := Apply(l.Text(), e)
	if err != nil {
		t.Fatal(err)
	}
	got, want := l.Apply(e), NewLines(text)
	if got.text != want.text || !slices.Equal(got.starts, want.starts) || got.wide != want.wide {
		t.Fatalf("%q with %v: Apply = %q %v %d, want %q %v %d", l.text, e,
			got.text, got.starts, got.wide, want.text, want.starts, want.wide)
	}
	return got
}

func FuzzLines(f *testing.F) {
	texts := slices.Sorted(maps.Values(samples))
	for i, s := range texts {
		f.Add(s, uint(i), uint(i%3), texts[(i+5)%len(texts)])
	}
	f.Fuzz(func(t *testing.T, s string, start, length uint, insert string) {
		const enough = 2000 // bytes; each place in them is looked at from the start of its line
		if len(s)+len(insert) > enough {
			t.Skip("the text is too long to look at each place in it")
		}
		l := NewLines(s)
		checkPositions(t, l)
		begin := int(start % uint(len(s)+1))
		end := begin + int(length%uint(len(s)-begin+1))
		l = checkApply(t, l, Edit{Span{begin, end}, insert})
		checkPositions(t, l)
		for _, enc := range encodings {
			for offset := -1; offset <= len(l.Text())+1; offset++ {
				if got := l.Offset(l.Position(offset, enc), enc); got > max(0, offset) {
					t.Errorf("%q %v: %d became %d, which is after it", l.Text(), enc, offset, got)
				}
			}
		}
	})
}

func BenchmarkApply(b *testing.B) {
	l := NewLines(strings.Repeat("  tool(a: string) -> {b: number}\n", 10_000))
	e := Edit{Span{100, 100}, "x"}
	b.ReportAllocs()
	for b.Loop() {
		l.Apply(e)
	}
}
