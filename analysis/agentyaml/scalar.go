package agentyaml

import (
	"strings"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// part is a part of a scalar's value, with its place in the text. Unless it is exact, the text has
// something else there: an escape, or the line break and the indentation that became a space.
type part struct {
	value  string
	source text.Span
}

// partsOf returns the value of a scalar in parts.
func partsOf(src string, n *yaml.Node) []part {
	r := valueReader{src: src, node: n, value: n.Text}
	if n.Alias != "" {
		return []part{{n.Text, n.Span}}
	}
	switch n.Style {
	case yaml.BlockScalar:
		r.at = n.Span.Start
		r.skipHeader()
	default:
		r.at = n.TextSpan().Start
	}
	r.end = n.TextSpan().End
	for r.value != "" {
		if !r.next() {
			r.add(len(r.value), max(r.end, r.at))
			break
		}
	}
	return r.parts
}

// valueReader goes through the value of a scalar and its text at once.
type valueReader struct {
	src     string
	at, end int // in src
	node    *yaml.Node
	value   string // what is left of it
	indent  int    // of the lines of a block
	parts   []part
}

// add adds a part: so many bytes of the value, and the text up to an offset.
func (r *valueReader) add(size, to int) {
	r.parts = append(r.parts, part{r.value[:size], text.Span{Start: r.at, End: to}})
	r.value, r.at = r.value[size:], to
}

// skipHeader moves to the first line of a block.
func (r *valueReader) skipHeader() {
	end := strings.IndexByte(r.src[r.at:r.node.Span.End], '\n')
	if end < 0 { // there are no lines
		r.at = r.node.Span.End
		return
	}
	r.at += end + 1
	first := strings.TrimLeft(r.src[r.at:r.node.Span.End], " \r\n")
	line := strings.LastIndexByte(r.src[:r.node.Span.End-len(first)], '\n') + 1
	r.indent = r.node.Span.End - len(first) - line
	if r.node.Text != "" && r.node.Text[0] == ' ' { // the header says how deep the lines are
		r.indent -= len(r.node.Text) - len(strings.TrimLeft(r.node.Text, " "))
	}
	r.skipIndent()
}

func (r *valueReader) skipIndent() {
	for n := 0; n < r.indent && r.at < r.node.Span.End && r.src[r.at] == ' '; n++ {
		r.at++
	}
}

// next adds one part; ok is false if value and text do not fit.
func (r *valueReader) next() (ok bool) {
	if n := r.equal(); n > 0 {
		r.add(n, r.at+n)
		return true
	}
	if r.at >= r.end {
		return false
	}
	switch c := r.src[r.at]; {
	case c == '\\' && r.node.Style == yaml.DoubleQuoted:
		return r.nextEscape()
	case c == '\'' && r.node.Style == yaml.SingleQuoted && strings.HasPrefix(r.value, "'"):
		r.add(1, r.at+2)
		return true
	case strings.IndexByte(" \t\r\n", c) >= 0:
		return r.nextBreak()
	}
	return false
}

// equal returns how many bytes of value and text are equal, up to the end of the line and to what
// has a meaning of its own.
func (r *valueReader) equal() int {
	n := 0
	for n < len(r.value) && r.at+n < r.end && r.value[n] == r.src[r.at+n] {
		switch c := r.value[n]; {
		case c == '\n', c == '\r',
			c == '\\' && r.node.Style == yaml.DoubleQuoted,
			c == '\'' && r.node.Style == yaml.SingleQuoted:
			return n
		case (c == ' ' || c == '\t') && r.node.Style != yaml.BlockScalar && r.endsLine(r.at+n):
			return n
		}
		n++
	}
	return n
}

// endsLine reports whether only blanks follow on the line.
func (r *valueReader) endsLine(at int) bool {
	rest := strings.TrimLeft(r.src[at:r.end], " \t")
	return rest != "" && (rest[0] == '\n' || rest[0] == '\r')
}

// escapeSizes are the sizes of the escapes with digits.
var escapeSizes = map[byte]int{'x': 4, 'u': 6, 'U': 10}

func (r *valueReader) nextEscape() bool {
	if r.at+1 >= r.end {
		return false
	}
	c := r.src[r.at+1]
	if c == '\n' || c == '\r' { // the line goes on in the next
		rest := strings.TrimLeft(r.src[r.at+1:r.end], " \t\r\n")
		r.at = r.end - len(rest)
		return true
	}
	size := max(2, escapeSizes[c])
	_, width := utf8.DecodeRuneInString(r.value)
	r.add(width, min(r.at+size, r.end))
	return true
}

// nextBreak adds a line break, with the blank lines after it and the indentation of the next line.
func (r *valueReader) nextBreak() bool {
	if r.node.Style == yaml.BlockScalar {
		return r.nextBlockBreak()
	}
	rest := strings.TrimLeft(r.src[r.at:r.end], " \t\r\n")
	to := r.end - len(rest)
	size := len(r.value) - len(strings.TrimLeft(r.value, "\n"))
	if size == 0 && strings.HasPrefix(r.value, " ") {
		size = 1
	}
	r.add(size, to)
	return size > 0 || rest != ""
}

func (r *valueReader) nextBlockBreak() bool {
	from := r.at
	if strings.HasPrefix(r.src[r.at:], "\r\n") {
		r.at++
	}
	if r.at >= len(r.src) || r.src[r.at] != '\n' {
		return false
	}
	r.at++
	r.skipIndent()
	to := r.at
	r.at = from
	if r.value[0] == '\n' || r.value[0] == ' ' {
		r.add(1, to)
	} else { // a blank line between folded ones
		r.at = to
	}
	return true
}
