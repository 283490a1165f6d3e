package text

import (
	"sort"
	"unicode/utf8"
)

// Position is a line and a column, both from 0. What a column counts depends
// on the Encoding that it comes with.
type Position struct{ Line, Character int }

// Range is the text between two positions.
type Range struct{ Start, End Position }

// Lines is a text and the index of its lines. It never changes. Lines end at
// \n, at \r\n, and at a \r alone; a text has at least one line, and text that
// ends with a line end has an empty last line.
type Lines struct {
	text   string
	starts []int32
	// wide counts the bytes that are not ASCII. With none, a column is a
	// difference of offsets, however long the line.
	wide int
}

// NewLines returns the lines of text, which is shorter than 2 GiB.
func NewLines(text string) *Lines {
	starts := appendStarts([]int32{0}, text, 0, len(text))
	return &Lines{text: text, starts: starts, wide: countWide(text)}
}

// Text returns the whole text.
func (l *Lines) Text() string { return l.text }

// LineCount returns the number of lines, at least 1.
func (l *Lines) LineCount() int { return len(l.starts) }

// LineStart returns the offset at which line i begins; beyond the last line,
// the end of the text.
func (l *Lines) LineStart(i int) int {
	if i >= len(l.starts) {
		return len(l.text)
	}
	return int(l.starts[i])
}

// LineText returns the span of line i without its line end.
func (l *Lines) LineText(i int) Span {
	start, end := l.LineStart(i), l.LineStart(i+1)
	if i+1 >= len(l.starts) {
		return Span{start, end}
	}
	end--
	if end > start && l.text[end] == '\n' && l.text[end-1] == '\r' {
		end--
	}
	return Span{start, end}
}

// Line returns the line that offset is in. A line end belongs to the line
// that it ends.
func (l *Lines) Line(offset int) int {
	return max(0, l.firstStartAfter(offset)-1)
}

// Offset returns the byte offset of pos. A column beyond its line means the
// line's end, a line beyond the last the text's end, and a column inside a
// character the character's beginning.
func (l *Lines) Offset(pos Position, enc Encoding) int {
	if pos.Line < 0 {
		return 0
	}
	line := l.LineText(pos.Line)
	n := max(0, pos.Character)
	if l.wide == 0 {
		return min(line.Start+n, line.End)
	}
	return line.Start + enc.offset(l.text[line.Start:line.End], n)
}

// Position returns the position of a byte offset. An offset inside a
// character means its beginning, one inside a line end the end of the line,
// and one outside the text the nearest end of the text.
func (l *Lines) Position(offset int, enc Encoding) Position {
	offset = min(max(0, offset), len(l.text))
	i := l.Line(offset)
	line := l.LineText(i)
	offset = min(offset, line.End)
	if l.wide == 0 {
		return Position{i, offset - line.Start}
	}
	before := l.text[line.Start:line.End]
	before = before[:runeStart(before, offset-line.Start)]
	return Position{i, enc.Len(before)}
}

// Range returns the range of a span.
func (l *Lines) Range(s Span, enc Encoding) Range {
	return Range{l.Position(s.Start, enc), l.Position(s.End, enc)}
}

// Span returns the span of a range. The ends of a reversed range are swapped.
func (l *Lines) Span(r Range, enc Encoding) Span {
	start, end := l.Offset(r.Start, enc), l.Offset(r.End, enc)
	return Span{min(start, end), max(start, end)}
}

// Apply returns the lines of the text after the edit e, whose span must lie in the text.
// It looks only at the lines that the edit touches.
func (l *Lines) Apply(e Edit) *Lines {
	text := l.text[:e.Start] + e.NewText + l.text[e.End:]
	// Whether a line ends at a byte depends on that byte and the next. So the
	// bytes to look at again are the new ones and the one before them.
	kept := max(1, l.firstStartAfter(e.Start-1))
	tail := l.starts[l.firstStartAfter(e.End):]

	starts := make([]int32, kept, len(l.starts)+4)
	copy(starts, l.starts)
	starts = appendStarts(starts, text, max(0, e.Start-1), e.Start+len(e.NewText))
	n := len(starts)
	starts = append(starts, tail...)
	if delta := int32(e.Delta()); delta != 0 {
		for i := range starts[n:] {
			starts[n+i] += delta
		}
	}
	wide := l.wide - countWide(l.text[e.Start:e.End]) + countWide(e.NewText)
	return &Lines{text: text, starts: starts, wide: wide}
}

// firstStartAfter returns the index of the first line that begins after offset.
func (l *Lines) firstStartAfter(offset int) int {
	return sort.Search(len(l.starts), func(i int) bool { return int(l.starts[i]) > offset })
}

// appendStarts appends the beginnings of the lines whose predecessors end at a
// byte in text[from:to].
func appendStarts(starts []int32, text string, from, to int) []int32 {
	for i := from; i < to; i++ {
		c := text[i]
		if c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			starts = append(starts, int32(i+1))
		}
	}
	return starts
}

func countWide(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			n++
		}
	}
	return n
}
