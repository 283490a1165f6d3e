// Package text computes positions: byte offsets to lines and columns and back,
// in the units of UTF-8, UTF-16 or UTF-32, and it applies edits. Nothing else
// in the module does this arithmetic.
//
// All offsets are in bytes of a Go string, which may hold invalid UTF-8: every
// byte that is no part of a character counts as one unit of any encoding.
package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Span is the half-open range of bytes [Start, End).
type Span struct{ Start, End int }

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Empty reports whether the span holds no byte.
func (s Span) Empty() bool { return s.End <= s.Start }

// Contains reports whether the byte at offset is in the span.
func (s Span) Contains(offset int) bool { return s.Start <= offset && offset < s.End }

// Touches reports whether a cursor at offset is in the span or at one of its
// ends.
func (s Span) Touches(offset int) bool { return s.Start <= offset && offset <= s.End }

// Shift returns the span moved by n bytes.
func (s Span) Shift(n int) Span { return Span{s.Start + n, s.End + n} }

// Edit replaces the bytes of Span by NewText.
type Edit struct {
	Span
	NewText string
}

// Insertion returns the edit that inserts a text at an offset.
func Insertion(at int, s string) Edit { return Edit{Span{at, at}, s} }

// Delta returns how many bytes longer the edit makes a text.
func (e Edit) Delta() int { return len(e.NewText) - e.Len() }

// Apply returns text with all edits made. Their spans are in text itself, in
// any order; insertions at one offset appear in the order given. Spans that
// overlap or leave the text are an error.
func Apply(text string, edits ...Edit) (string, error) {
	var b strings.Builder
	done := 0
	for _, e := range sortedEdits(edits) {
		if e.Start < done || e.End < e.Start || e.End > len(text) {
			return "", fmt.Errorf("edit of bytes %d to %d overlaps another or leaves the text of %d bytes", e.Start, e.End, len(text))
		}
		b.WriteString(text[done:e.Start])
		b.WriteString(e.NewText)
		done = e.End
	}
	b.WriteString(text[done:])
	return b.String(), nil
}

// sortedEdits returns edits in the order of the text.
func sortedEdits(edits []Edit) []Edit {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return sorted
}

// CommonPrefixAndSuffix returns the length of the common prefix of two texts, and the offset in the
// second at which their common suffix begins.
func CommonPrefixAndSuffix(before, now string) (same, rest int) {
	const step = 1 << 10
	n := min(len(before), len(now))
	for same+step <= n && before[same:same+step] == now[same:same+step] {
		same += step
	}
	for same < n && before[same] == now[same] {
		same++
	}
	rest = len(now)
	left := n - same // the common suffix is no longer than this
	for left >= step && strings.HasSuffix(before[:rest-len(now)+len(before)], now[rest-step:rest]) {
		rest, left = rest-step, left-step
	}
	for left > 0 && before[rest-len(now)+len(before)-1] == now[rest-1] {
		rest, left = rest-1, left-1
	}
	return same, rest
}

// Difference returns the edit that makes one text of another. It shares no memory with them.
func Difference(before, now string) Edit {
	same, rest := CommonPrefixAndSuffix(before, now)
	return Edit{Span{same, rest - len(now) + len(before)}, strings.Clone(now[same:rest])}
}
