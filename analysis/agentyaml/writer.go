package agentyaml

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// writer writes ABL, and notes where each part of it comes from.
type writer struct {
	doc      *yaml.Document
	src      string // the YAML
	previous *Agent // the previous version, or nil
	out      strings.Builder
	pieces   []text.Piece
	units    []Unit
	comments []text.Span // those that are not written yet
	looked   int         // the largest offset up to which the unit had its comments written

	afterDash bool // the next key is on the line of its list's item
}

func newWriter(doc *yaml.Document, before *Agent) *writer {
	w := &writer{doc: doc, src: doc.Lines().Text(), previous: before, comments: doc.Comments()}
	if before == nil {
		w.out.Grow(len(w.src) * 5 / 4)
		return w
	}
	const more = 64 // than the previous version has
	w.out.Grow(len(before.ABL) + more*more)
	w.pieces = make([]text.Piece, 0, len(before.Pieces)+more)
	w.units = make([]Unit, 0, len(before.Units)+more)
	return w
}

// write writes what the source does not have.
func (w *writer) write(s string) { w.out.WriteString(s) }

// writeFrom writes a text that stands for a span of the source.
func (w *writer) writeFrom(s string, from text.Span) {
	start := w.out.Len()
	w.out.WriteString(s)
	w.pieces = append(w.pieces, text.Piece{
		Generated: text.Span{Start: start, End: w.out.Len()}.Small(), Source: from.Small(),
		Exact: len(s) == from.Len() && strings.EqualFold(s, w.src[from.Start:from.End]),
	})
}

// newLine begins a line, unless it is that of a dash. Comments of the source up to an offset come
// before it.
func (w *writer) newLine(indent, before int) {
	if w.afterDash {
		w.afterDash = false
		return
	}
	w.writeComments(indent, before)
	w.endLine()
	w.write(strings.Repeat(" ", indent))
}

func (w *writer) endLine() {
	if w.out.Len() > 0 {
		w.write("\n")
	}
}

// writeComments writes the comments that begin before an offset, each on a line of its own.
func (w *writer) writeComments(indent, before int) {
	w.looked = max(w.looked, before)
	for len(w.comments) > 0 && w.comments[0].Start < before {
		w.endLine()
		w.write(strings.Repeat(" ", indent))
		w.writeFrom(w.src[w.comments[0].Start:w.comments[0].End], w.comments[0])
		w.comments = w.comments[1:]
	}
}

// endOfLine returns the offset of the end of the line of an offset of the source.
func (w *writer) endOfLine(offset int) int {
	if i := strings.IndexByte(w.src[offset:], '\n'); i >= 0 {
		return offset + i
	}
	return len(w.src)
}

// key begins the line of a key, under the name that it has in ABL. The comments above it, and the
// one at the end of its line, come before it.
func (w *writer) key(indent int, m *yaml.Member, name string) {
	w.newLine(indent, w.endOfLine(m.Key.Span.End))
	if name == m.Key.Text && !isWord(name) {
		w.quoted(m.Key)
	} else {
		w.writeFrom(name, m.Key.TextSpan())
	}
	w.write(":")
}

// dash begins an item of a list.
func (w *writer) dash(indent int, n *yaml.Node) {
	w.newLine(indent, w.endOfLine(n.Span.Start))
	w.write("- ")
}

// item begins an item of a list. The next key is on its line.
func (w *writer) item(indent int, n *yaml.Node) {
	w.dash(indent, n)
	w.afterDash = true
}

// pair writes a key with a value on its line, as it is.
func (w *writer) pair(indent int, m *yaml.Member, name string) {
	w.key(indent, m, name)
	w.write(" ")
	w.bare(m.Value)
}

// bare writes the value of a scalar as it is, on one line: an expression, a name, a number.
func (w *writer) bare(n *yaml.Node) {
	if !n.IsScalar() {
		w.flow(n)
		return
	}
	switch {
	case n.IsEmpty():
		w.missing(n.Span.Start)
		return
	case isNull(n):
		w.writeFrom("null", n.Span)
		return
	}
	if n.Kind == yaml.Int || n.Kind == yaml.Float {
		w.writeFrom(projectfile.NumberInJSON(n.Text), n.TextSpan())
		return
	}
	parts := partsOf(w.src, n)
	if len(parts) == 0 {
		w.writeFrom("", text.Span{Start: n.TextSpan().Start, End: n.TextSpan().Start})
	}
	for i, p := range parts {
		value := strings.ReplaceAll(p.value, "\n", " ")
		if i == len(parts)-1 && n.Style == yaml.BlockScalar {
			value = strings.TrimRight(value, " ")
		}
		w.writeFrom(value, p.source)
	}
}

// missing notes the place of a missing value: the blanks after its colon or dash, or else that.
func (w *writer) missing(at int) {
	end := at
	for end < len(w.src) && (w.src[end] == ' ' || w.src[end] == '\t') {
		end++
	}
	if end == at && at > 0 {
		at--
	}
	w.writeFrom("", text.Span{Start: at, End: end})
}

// text writes the value of a text: what is a block stays one, what is quoted stays quoted.
func (w *writer) text(indent int, n *yaml.Node) {
	switch value := n.Text; {
	case n.IsEmpty():
		w.bare(n)
	case strings.Contains(value, "\n") && !isBlockInABL(value):
		w.quoted(n)
	case n.Style == yaml.BlockScalar && value != "", strings.Contains(value, "\n"):
		w.block(indent, n)
	case n.Style == yaml.Plain && isPlainInABL(value) && !isOtherType(value) || n.Kind != yaml.String:
		w.bare(n)
	default:
		w.quoted(n)
	}
}

// quoted writes the value of a scalar in quotes.
func (w *writer) quoted(n *yaml.Node) {
	w.write(`"`)
	parts := partsOf(w.src, n)
	if len(parts) == 0 {
		at := n.TextSpan().Start
		w.writeFrom("", text.Span{Start: at, End: at})
	}
	for _, p := range parts {
		w.quotedPart(p)
	}
	w.write(`"`)
}

// escapes are what the language writes as escapes in quotes.
var escapes = map[byte]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

func (w *writer) quotedPart(p part) {
	exact := len(p.value) == p.source.Len()
	for p.value != "" {
		n := strings.IndexAny(p.value, "\"\\\n\r\t")
		if n < 0 {
			n = len(p.value)
		}
		if !exact {
			w.writeFrom(escaped(p.value), p.source)
			return
		}
		if n > 0 {
			w.writeFrom(p.value[:n], text.Span{Start: p.source.Start, End: p.source.Start + n})
		}
		if n < len(p.value) {
			w.writeFrom(escapes[p.value[n]], text.Span{Start: p.source.Start + n, End: p.source.Start + n + 1})
			n++
		}
		p.value, p.source.Start = p.value[n:], p.source.Start+n
	}
}

func escaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if e := escapes[s[i]]; e != "" {
			b.WriteString(e)
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// block writes the value of a scalar as a block of lines.
func (w *writer) block(indent int, n *yaml.Node) {
	w.write("|")
	margin := "\n" + strings.Repeat(" ", indent+2)
	w.write(margin)
	parts := partsOf(w.src, n)
	for i, p := range parts {
		if strings.Trim(p.value, "\n") == "" {
			if i < len(parts)-1 {
				w.write(strings.Repeat("\n", len(p.value)-1) + margin)
			}
			continue
		}
		lines := strings.Split(p.value, "\n")
		if len(lines) == 1 {
			w.writeFrom(p.value, p.source)
			continue
		}
		w.writeFrom(strings.TrimRight(strings.Join(lines, margin), " \n"), p.source)
	}
}

// isPlainInABL reports whether a text without quotes reads the same in ABL.
func isPlainInABL(s string) bool {
	switch {
	case s == "" || strings.TrimSpace(s) != s:
		return s == ""
	case strings.IndexByte("\"'|>[{#-*&!%@`$/<=", s[0]) >= 0 && !strings.HasPrefix(s, "{{"):
		return false
	}
	for _, sign := range []string{" #", "//", "/*", "->", "\t", "\\"} {
		if strings.Contains(s, sign) {
			return false
		}
	}
	return !strings.HasSuffix(s, ":")
}

// isBlockInABL reports whether a text of several lines reads the same in a block of ABL, which has
// neither blank lines above the text, nor an indentation that all lines have, nor blanks that end a
// line.
func isBlockInABL(s string) bool {
	if s[0] == '\n' {
		return false
	}
	isIndented := true
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\r\n")
		if line != strings.TrimRight(line, " \t") {
			return false
		}
		isIndented = isIndented && (line == "" || line[0] == ' ' || line[0] == '\t')
	}
	return !isIndented
}

// isOtherType reports whether ABL reads a text without quotes as a number, a boolean or a null.
func isOtherType(s string) bool {
	_, isNumber := tool.Number(s).Float()
	return isNumber || strings.EqualFold(s, "true") || strings.EqualFold(s, "false") || strings.EqualFold(s, "null")
}

// flow writes a value in brackets, on one line.
func (w *writer) flow(n *yaml.Node) {
	switch n.Kind {
	case yaml.List:
		w.write("[")
		for i, item := range n.Items {
			if i > 0 {
				w.write(", ")
			}
			w.flowValue(item)
		}
		w.write("]")
	case yaml.Map:
		w.write("{")
		for i, m := range n.Members {
			if i > 0 {
				w.write(", ")
			}
			w.flowKey(m.Key)
			w.write(": ")
			w.flowValue(m.Value)
		}
		w.write("}")
	default:
		w.flowValue(n)
	}
}

func (w *writer) flowKey(n *yaml.Node) {
	if isWord(n.Text) {
		w.bare(n)
	} else {
		w.quoted(n)
	}
}

func (w *writer) flowValue(n *yaml.Node) {
	switch {
	case isNull(n):
		w.writeFrom("null", n.Span)
	case n.Kind == yaml.List || n.Kind == yaml.Map:
		w.flow(n)
	case n.Kind != yaml.String || n.Style == yaml.Plain && !strings.ContainsAny(n.Text, "\"'[]{},:#\\\n") && !isOtherType(n.Text):
		w.bare(n)
	default:
		w.quoted(n)
	}
}

// isWord reports whether a text is a key that needs no quotes.
func isWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		isLetter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
		if !isLetter && (i == 0 || strings.IndexByte("0123456789.-", c) < 0) {
			return false
		}
	}
	return s != ""
}
