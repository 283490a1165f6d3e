package format

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// bom is the mark that some editors write at the beginning of a file.
const bom = "\uFEFF"

// layout decides on the blanks between tokens, one after the other.
type layout struct {
	source   string
	edits    []text.Edit
	column   int // after the written text, in characters
	line     int // column from which the current line is indented
	brackets []bracket
	limit    int // column that a comment must not reach, since it would be text there; -1 for none
}

// bracket is an open bracket.
type bracket struct {
	base  int  // column of its line
	align int  // column of what follows it on its line, or -1
	fresh bool // nothing follows it yet
}

// layOut returns the edits that move the tokens to their places.
func layOut(source string, tokens []formatToken) []text.Edit {
	l := &layout{source: source, limit: -1}
	if len(tokens) == 0 {
		return nil
	}
	before := formatToken{}
	for i, t := range tokens {
		if i == 0 && strings.HasPrefix(source, bom) {
			before.Start, before.End = len(bom), len(bom)
		}
		l.placeToken(before, t, i == 0)
		before = t
	}
	l.addEdit(text.Span{Start: before.End, End: len(source)}, lastBreak(source[tokens[0].Start:], source[before.End:]))
	return l.edits
}

// lastBreak returns the end of the last line: its present one, or that of the first line.
func lastBreak(source, rest string) string {
	for _, s := range []string{rest, source} {
		if end := model.LineEndsIn(s, 1); end != "" {
			return end
		}
	}
	return "\n"
}

// addEdit replaces a text. If the old and the new text have several lines, the rest of the first
// line and the beginning of the last one are replaced separately.
func (l *layout) addEdit(span text.Span, to string) {
	from := l.source[span.Start:span.End]
	first, last := strings.IndexAny(from, model.Breaks), strings.LastIndexAny(from, model.Breaks)+1
	begin, end := strings.IndexAny(to, model.Breaks), strings.LastIndexAny(to, model.Breaks)+1
	if first < 0 || begin < 0 {
		l.replace(span, to)
		return
	}
	l.replace(text.Span{Start: span.Start, End: span.Start + first}, to[:begin])
	l.replace(text.Span{Start: span.Start + first, End: span.Start + last}, to[begin:end])
	l.replace(text.Span{Start: span.Start + last, End: span.End}, to[end:])
}

// replace replaces a text except the beginning that both have in common.
func (l *layout) replace(span text.Span, to string) {
	n := commonPrefix(l.source[span.Start:span.End], to)
	span.Start, to = span.Start+n, to[n:]
	if l.source[span.Start:span.End] != to {
		l.edits = append(l.edits, text.Edit{Span: span, NewText: to})
	}
}

// commonPrefix returns the number of bytes with which both texts begin. It splits no line end.
func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	if n > 0 && n < len(a) && a[n-1:n+1] == "\r\n" {
		n--
	}
	return n
}

func (l *layout) placeToken(before, t formatToken, first bool) {
	gap := text.Span{Start: before.End, End: t.Start}
	blank := l.source[gap.Start:gap.End]
	switch {
	case t.block:
		l.placeBlock(before, t)
		return
	case first:
		l.addEdit(gap, l.indent(t))
	case strings.ContainsAny(blank, "\r\n"):
		l.addEdit(gap, model.LineEndsIn(blank, 2)+l.indent(t))
	default:
		space := l.spacing(before, t, blank)
		l.addEdit(gap, space)
		l.column += len(space)
		if t.opens {
			l.line = t.level
		}
		l.noteFollowing(t)
	}
	l.writeToken(t)
}

// noteFollowing records what follows an opening bracket on its line.
func (l *layout) noteFollowing(t formatToken) {
	if n := len(l.brackets); n > 0 && l.brackets[n-1].fresh && t.kind != syntax.Comment {
		l.brackets[n-1].align, l.brackets[n-1].fresh = l.column, false
	}
}

// indent returns the indentation of a token that opens a line.
func (l *layout) indent(t formatToken) string {
	l.column = t.level
	n := len(l.brackets)
	switch {
	case n > 0 && l.closesBracket(t):
		l.column = l.brackets[n-1].base
	case n > 0 && l.brackets[n-1].align >= 0:
		l.column = l.brackets[n-1].align
	case n > 0:
		l.column = l.brackets[n-1].base + model.IndentStep
	case t.kind == syntax.Comment && l.limit >= 0:
		l.column = min(l.column, l.limit)
	case t.kind != syntax.Comment && !t.opens:
		l.column = t.level + model.IndentStep // an arrow on a line of its own
	}
	if n > 0 {
		l.brackets[n-1].fresh = false
	}
	l.line = l.column
	return strings.Repeat(" ", l.column)
}

func (l *layout) writeToken(t formatToken) {
	written := l.source[t.Start:t.End]
	if t.word != "" {
		l.addEdit(t.Span, t.word)
		written = t.word
	}
	if t.kind == syntax.Other && strings.Contains("([{<", written) {
		base := l.line
		if n := len(l.brackets); n > 0 {
			base = max(base, l.brackets[n-1].align)
		}
		l.brackets = append(l.brackets, bracket{base, -1, true})
	}
	if n := len(l.brackets); n > 0 && l.closesBracket(t) {
		l.brackets = l.brackets[:n-1]
	}
	l.column += utf8.RuneCountInString(written)
	switch t.kind {
	case syntax.Pipe:
		l.limit = t.level
	case syntax.Comment:
	default:
		l.limit = -1
	}
}

func (l *layout) closesBracket(t formatToken) bool {
	return t.kind == syntax.Other && strings.Contains(")]}>", l.source[t.Start:t.End])
}

// spacing returns the blanks between two tokens of one line.
func (l *layout) spacing(before, t formatToken, blank string) string {
	was, is := l.mark(before), l.mark(t)
	switch {
	case is == '#' || was == '#' || l.source[t.Start] == '#': // text that a blank may make a comment
		return strings.Map(func(rune) rune { return ' ' }, blank)
	case was == '{' && is == '{':
		return " " // two of them would be a placeholder
	case t.in == syntax.ParenthesizedExpression && is == '(', t.in == syntax.ConditionalExpression && is != 'a':
		return strings.Repeat(" ", min(len(blank), 1))
	case strings.ContainsRune(":?,)]}>(<", is) || strings.ContainsRune("([{<", was):
		return ""
	case is == '[' && t.in == syntax.ArrayType:
		return ""
	case strings.ContainsRune(":=~,-", was) || strings.ContainsRune("=~", is) || blank != "":
		return " "
	}
	return ""
}

// mark returns a punctuation's character, # for a comment and ~ for an arrow; a letter for any
// text.
func (l *layout) mark(t formatToken) rune {
	switch t.kind {
	case syntax.Other, syntax.Colon, syntax.Equals, syntax.Question:
		return rune(l.source[t.Start])
	case syntax.Comment:
		return '#'
	case syntax.Arrow:
		return '~'
	}
	return 'a'
}

// placeBlock moves lines to a column by their common indentation. If that is tabs in one line and
// spaces in another, they stay.
func (l *layout) placeBlock(before, t formatToken) {
	start := strings.LastIndexAny(l.source[:t.Start], "\r\n") + 1
	if start < before.End { // on the line of what is before: nothing to move
		return
	}
	lines := splitLines(l.source[start:t.End])
	cut, same := commonIndent(lines)
	most := 2
	if before.kind == syntax.Pipe {
		most = start // blank lines are text there: all of them stay
	}
	l.addEdit(text.Span{Start: before.End, End: start}, model.LineEndsIn(l.source[before.End:start], most))
	for _, line := range lines {
		if same && strings.Trim(line, " \t\r\n") != "" {
			l.addEdit(text.Span{Start: start, End: start + cut}, strings.Repeat(" ", t.level))
		}
		start += len(line)
	}
	l.limit = t.level - model.IndentStep
}

// commonIndent returns how many bytes of indentation all non-blank lines have, and whether these
// are the same bytes.
func commonIndent(lines []string) (cut int, same bool) {
	cut = -1
	for line := range nonBlankLines(lines) {
		if n := len(line) - len(strings.TrimLeft(line, " \t")); cut < 0 || n < cut {
			cut = n
		}
	}
	first := ""
	for line := range nonBlankLines(lines) {
		if first == "" {
			first = line
		}
		if line[:cut] != first[:cut] {
			return cut, false
		}
	}
	return max(cut, 0), true
}

// nonBlankLines returns the lines that are not blank.
func nonBlankLines(lines []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range lines {
			if strings.Trim(line, " \t\r\n") != "" && !yield(line) {
				return
			}
		}
	}
}

// splitLines returns the lines of s, each with its end.
func splitLines(s string) []string {
	lines := text.NewLines(s)
	out := make([]string, lines.LineCount())
	for i := range out {
		out[i] = s[lines.LineStart(i):lines.LineStart(i+1)]
	}
	return out
}
