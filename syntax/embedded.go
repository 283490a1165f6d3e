package syntax

import (
	"sort"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// EmbeddedText is the text of a value, as [Node.UnquotedText] returns it, with the position
// of each of its bytes in the entry.
type EmbeddedText struct {
	Text string

	// MixedIndentation says that lines of a pipe block are indented by different
	// characters: one by tabs, another by spaces. Then their depth is not known.
	MixedIndentation bool

	pieces []piece
	end    int // the offset of the value's end in the entry
}

// piece is a part of the text that the entry has byte for byte: at is its offset in the text,
// source its offset in the entry.
type piece struct{ at, source int }

// EmbeddedText returns the text of a value with the position of each byte.
func (n Node) EmbeddedText() EmbeddedText {
	e := EmbeddedText{end: n.Span().End}
	switch n.Kind() {
	case PipeBlock, BlockText:
		e.addBlock(n)
	case String:
		e.addQuoted(n)
	default:
		e.addPlain(n)
	}
	return e
}

// Span returns the span in the entry that the span s of the text comes from.
func (e EmbeddedText) Span(s text.Span) text.Span {
	span := text.Span{Start: e.entryOffset(s.Start), End: e.entryOffset(s.End)}
	if !s.Empty() {
		span.End = e.entryOffset(s.End-1) + 1 // not in the indentation of the next line
	}
	return span
}

func (e EmbeddedText) entryOffset(at int) int {
	i := sort.Search(len(e.pieces), func(i int) bool { return e.pieces[i].at > at }) - 1
	if i < 0 {
		return e.end
	}
	return min(e.pieces[i].source+at-e.pieces[i].at, e.end)
}

func (e *EmbeddedText) addPlain(n Node) {
	e.Text, e.pieces = n.Text(), []piece{{0, n.Span().Start}}
}

// addBlock adds the lines of a pipe block, each without the common indentation.
func (e *EmbeddedText) addBlock(n Node) {
	e.Text = n.BlockContent()
	if n.Kind() == PipeBlock {
		n = n.ChildOf(BlockText)
	}
	at, source, rest := 0, n.Span().Start, n.Text()
	lost := ""
	for line := range strings.SplitSeq(e.Text, "\n") {
		raw := rest
		if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
			raw = rest[:i]
		}
		from := source + len(raw) - len(line)
		if line != "" {
			before := n.entry.text[:from]
			indent := before[strings.LastIndexAny(before, "\r\n")+1:]
			e.MixedIndentation = e.MixedIndentation || lost != "" && indent != lost
			lost = indent
		}
		e.pieces = append(e.pieces, piece{at, from})
		at += len(line) + 1
		skip := len(raw) + lineEnd(rest[len(raw):])
		source, rest = source+skip, rest[skip:]
	}
}

// lineEnd returns the length of the line break that s begins with; s must begin with one.
func lineEnd(s string) int {
	if strings.HasPrefix(s, "\r\n") {
		return 2
	}
	return min(len(s), 1)
}

// addQuoted adds a quoted string, with a piece of its own for each escape.
func (e *EmbeddedText) addQuoted(n Node) {
	s, start := n.Text(), n.Span().Start
	if len(s) < 2 || Unquote(s) == s {
		e.addPlain(n)
		return
	}
	var b strings.Builder
	part := func(from, to int) {
		if from < to {
			e.pieces = append(e.pieces, piece{b.Len(), start + from})
			b.WriteString(Unquote(s[:1] + s[from:to] + s[:1]))
		}
	}
	from, last := 1, len(s)-1
	for i := 1; i < last; i++ {
		if s[i] != '\\' {
			continue
		}
		part(from, i)
		from = min(i+2, last)
		part(i, from)
		i++
	}
	part(from, last)
	e.Text = b.String()
	e.end--
}
