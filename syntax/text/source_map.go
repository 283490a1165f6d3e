package text

import "sort"

// SourceMap says where each part of a generated text is in the text that it was generated
// from, its source. It never changes.
//
// Both texts share one space of offsets, as the files of a go/token.FileSet do: an offset up
// to the length of the generated text is one in that text, and those after it are the offsets
// of the source, see [SourceMap.InSource].
type SourceMap struct {
	generated int // length of the generated text
	source    *Lines
	pieces    []Piece
}

// Piece is a part of a generated text with the part of the source that it stands for.
type Piece struct {
	Generated, Source SmallSpan

	// Exact says that both are equal byte for byte, except for the casing of letters. Otherwise one
	// stands for the other as a whole.
	Exact bool
}

// SmallSpan is a Span of a text of less than 2 GiB.
type SmallSpan struct{ Start, End int32 }

// Small returns the span in half the space.
func (s Span) Small() SmallSpan { return SmallSpan{int32(s.Start), int32(s.End)} }

// Shift returns the span moved by that many bytes.
func (s SmallSpan) Shift(by int) SmallSpan { return SmallSpan{s.Start + int32(by), s.End + int32(by)} }

// Span returns the span.
func (s SmallSpan) Span() Span { return Span{int(s.Start), int(s.End)} }

// NewSourceMap returns the map of a generated text with that length. The pieces are in the order
// of the generated text and do not overlap there. The map keeps them: do not change them.
func NewSourceMap(generated int, source *Lines, pieces []Piece) *SourceMap {
	return &SourceMap{generated: generated, source: source, pieces: pieces}
}

// Source returns the lines of the source.
func (m *SourceMap) Source() *Lines { return m.source }

// InSource returns a span of the source in the space of offsets that both texts share.
func (m *SourceMap) InSource(s Span) Span { return s.Shift(m.generated + 1) }

// SourceSpan returns the span of the source that a span of the shared space stands for. For a
// span of generated text, it is the smallest one that has all that its parts stand for. If they
// stand for nothing, it is the empty span after the part that precedes them.
func (m *SourceMap) SourceSpan(s Span) Span {
	if s.Start > m.generated {
		return s.Shift(-m.generated - 1)
	}
	first := sort.Search(len(m.pieces), func(i int) bool { return int(m.pieces[i].Generated.End) >= s.Start })
	all, found := Span{}, false
	for i := first; i < len(m.pieces) && int(m.pieces[i].Generated.Start) <= s.End; i++ {
		p := m.pieces[i]
		part, ok := p.within(s)
		switch {
		case !ok:
		case !found:
			all, found = part, true
		default:
			all = Span{min(all.Start, part.Start), max(all.End, part.End)}
		}
	}
	if found {
		return all
	}
	return m.sourceBefore(s.Start)
}

// within returns the part of the source for that part of the piece which is in the span. A piece
// that only touches the span counts only if one of them is empty.
func (p Piece) within(s Span) (part Span, ok bool) {
	start, end := max(s.Start, int(p.Generated.Start)), min(s.End, int(p.Generated.End))
	if start > end || start == end && !s.Empty() && p.Generated.Start != p.Generated.End {
		return Span{}, false
	}
	if p.Exact {
		by := int(p.Source.Start - p.Generated.Start)
		return Span{start + by, end + by}, true
	}
	part = p.Source.Span()
	if s.Empty() && s.End == int(p.Generated.End) {
		part.Start = part.End // of a missing value: after the blanks that stand for it
	} else if s.Empty() && s.Start == int(p.Generated.Start) {
		part.End = part.Start
	}
	return part, true
}

// sourceBefore returns the empty span after the source of the last piece before an offset.
func (m *SourceMap) sourceBefore(offset int) Span {
	i := sort.Search(len(m.pieces), func(i int) bool { return int(m.pieces[i].Generated.End) > offset })
	switch {
	case len(m.pieces) == 0:
		return Span{}
	case i == 0:
		at := int(m.pieces[0].Source.Start)
		return Span{at, at}
	}
	at := int(m.pieces[i-1].Source.End)
	return Span{at, at}
}

// Offset returns the offset in the shared space for one in the source: in the generated text if
// a piece there stands for it, else that of [SourceMap.InSource].
func (m *SourceMap) Offset(source int) int {
	best := -1
	for i, p := range m.pieces {
		if !p.Source.Span().Touches(source) {
			continue
		}
		if best < 0 || p.Source.Span().Contains(source) && !m.pieces[best].Source.Span().Contains(source) {
			best = i
		}
	}
	if best < 0 {
		return m.InSource(Span{source, source}).Start
	}
	p := m.pieces[best]
	if p.Exact {
		return int(p.Generated.Start) + source - int(p.Source.Start)
	}
	if source == int(p.Source.End) {
		return int(p.Generated.End)
	}
	return int(p.Generated.Start)
}

// IsGenerated reports whether an offset of the shared space is in the generated text.
func (m *SourceMap) IsGenerated(offset int) bool { return offset <= m.generated }

// EditInSource returns the edit of the source that has the effect of one in the shared space. ok is
// false if the edit replaces text that the source does not have as it is.
func (m *SourceMap) EditInSource(e Edit) (edit Edit, ok bool) {
	if !m.IsGenerated(e.Start) {
		return Edit{m.SourceSpan(e.Span), e.NewText}, true
	}
	for _, p := range m.pieces {
		g := p.Generated.Span()
		if e.Start < g.Start || e.End > g.End {
			continue
		}
		if p.Exact {
			return Edit{e.Shift(int(p.Source.Start) - g.Start), e.NewText}, true
		}
		switch {
		case g.Empty() && e.Span == g: // the place of a missing value: its colon, or the blanks after it
			at := int(p.Source.End)
			if c := m.source.text[at-1]; c != ' ' && c != '\t' {
				e.NewText = " " + e.NewText
			}
			return Edit{Span{at, at}, e.NewText}, true
		case e.Span == g:
			return Edit{p.Source.Span(), e.NewText}, true
		}
	}
	return Edit{}, false
}

// Positions converts between the offsets of a file and the positions that its reader sees. Those
// of a generated text are positions in its source.
type Positions struct {
	lines  *Lines
	origin *SourceMap
}

// Positions returns the positions of a text that is its own source.
func (l *Lines) Positions() Positions { return Positions{lines: l} }

// Positions returns the positions of the shared space.
func (m *SourceMap) Positions() Positions { return Positions{m.source, m} }

// Lines returns the lines of the text that the reader sees.
func (p Positions) Lines() *Lines { return p.lines }

// SourceSpan returns the span in the text that the reader sees.
func (p Positions) SourceSpan(s Span) Span {
	if p.origin == nil {
		return s
	}
	return p.origin.SourceSpan(s)
}

// Line returns the line of the start of a span.
func (p Positions) Line(s Span) int { return p.lines.Line(p.SourceSpan(s).Start) }

// Position returns the position of an offset.
func (p Positions) Position(offset int, enc Encoding) Position {
	return p.lines.Position(p.SourceSpan(Span{offset, offset}).Start, enc)
}

// Range returns the range of a span.
func (p Positions) Range(s Span, enc Encoding) Range { return p.lines.Range(p.SourceSpan(s), enc) }

// Offset returns the offset of a position, as [Lines.Offset] does.
func (p Positions) Offset(pos Position, enc Encoding) int {
	offset := p.lines.Offset(pos, enc)
	if p.origin != nil {
		return p.origin.Offset(offset)
	}
	return offset
}

// All returns the span of all the text that the reader sees.
func (p Positions) All() Span {
	all := Span{End: len(p.lines.Text())}
	if p.origin != nil {
		return p.origin.InSource(all)
	}
	return all
}

// Span returns the span of a range. The ends of a reversed range are swapped.
func (p Positions) Span(r Range, enc Encoding) Span {
	s := p.lines.Span(r, enc)
	if p.origin != nil {
		return p.origin.InSource(s)
	}
	return s
}
