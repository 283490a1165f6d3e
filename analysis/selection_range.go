package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// SelectionRanges returns the spans that an editor selects step by step around an offset of the
// file at path: the word, the value, the property, the block around it, the tool or step, the
// section, the file. Each contains the one before it, and all contain the offset.
func SelectionRanges(w model.Workspace, path string, offset int) []text.Span {
	f := w.File(path)
	if f == nil || f.Doc == nil {
		return nil
	}
	if f.IsYAMLAgent() {
		return selectionsInYAML(f, offset)
	}
	return selectionsOf(f, offset)
}

func selectionsOf(f *model.File, offset int) []text.Span {
	source := f.Doc.Text()
	s := selections{source: source}
	offset = min(max(offset, 0), len(source))
	s.last = text.Span{Start: offset, End: offset}
	s.addSpan(wordAround(source, offset))
	switch {
	case f.YAMLTree() != nil:
		s.addYAML(f.YAMLTree(), offset)
	case f.Kind != model.YAML:
		s.addNodes(f.Cursor(offset))
	}
	if all := (text.Span{End: len(source)}); len(s.spans) == 0 || all != s.last {
		s.spans = append(s.spans, all)
	}
	return s.spans
}

// selections collects growing spans.
type selections struct {
	source string
	spans  []text.Span
	last   text.Span // the last span; at first the offset
}

func (s *selections) addNodes(c model.Cursor) {
	at := c.Node()
	for n := at.Node; !n.IsZero(); n = n.Parent() {
		if n.Kind() == syntax.String {
			s.addSpan(model.UnquotedWord(n).Span.Shift(at.Offset))
		}
		s.addSpan(at.InFile(n).Span())
	}
	if c.Section != nil {
		s.addSpan(c.Section.Span())
	}
}

// addSpan adds a span without the space around it, if that is larger than the last one and contains
// it.
func (s *selections) addSpan(span text.Span) {
	span = trimSpan(s.source, span)
	if span.Start <= s.last.Start && s.last.End <= span.End && span != s.last {
		s.spans, s.last = append(s.spans, span), span
	}
}

// trimSpan returns a span without the white space at its ends.
func trimSpan(source string, s text.Span) text.Span {
	in := source[s.Start:s.End]
	left := strings.TrimLeftFunc(in, unicode.IsSpace)
	s.Start += len(in) - len(left)
	s.End = s.Start + len(strings.TrimRightFunc(left, unicode.IsSpace))
	return s
}

// wordAround returns the word of any script that holds the offset or ends at it.
func wordAround(s string, offset int) text.Span {
	notWord := func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}
	span := text.Span{Start: offset, End: len(s)}
	if i := strings.IndexFunc(s[offset:], notWord); i >= 0 {
		span.End = offset + i
	}
	if i := strings.LastIndexFunc(s[:offset], notWord); i >= 0 {
		_, size := utf8.DecodeRuneInString(s[i:])
		span.Start = i + size
	} else {
		span.Start = 0
	}
	return span
}
