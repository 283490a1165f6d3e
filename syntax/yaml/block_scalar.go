package yaml

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

var blockScalarHeader = lazyregexp.New(`^[|>](?:[1-9]?[-+]?|[-+][1-9])$`)

// readBlockScalar reads a text after | or >: the lines below that are indented deeper than
// indent.
func (r *reader) readBlockScalar(indent int) *Node {
	header := r.restOfLine()
	headerText := r.src[header.Start:header.End]
	if !blockScalarHeader.MatchString(headerText) {
		r.addFault(header, "The text of `"+headerText[:1]+"` begins on the next line.")
		headerText = headerText[:1]
	}
	r.at = header.End
	r.skipBlanks()
	if r.at < r.lineEnd {
		r.readComment()
	}
	lines, end := r.readBlockScalarLines(indent, headerText)
	return &Node{
		Kind: String, Style: BlockScalar, Text: joinBlockScalar(lines, headerText), weight: 1,
		Span: text.Span{Start: header.Start, End: max(end, header.End)},
	}
}

// readBlockScalarLines reads the lines of the text. It returns them without their indentation,
// and the offset at which the last line that is not blank ends.
func (r *reader) readBlockScalarLines(indent int, header string) (lines []string, end int) {
	column := -1
	if i := strings.IndexAny(header, "123456789"); i > 0 {
		column = max(indent, 0) + int(header[i]-'0')
	}
	for {
		back := *r
		if !r.nextLine() || r.lineStart == len(r.src) {
			return lines, end
		}
		for r.at < r.lineEnd && r.src[r.at] == ' ' { // a tab is of the text
			r.at++
		}
		at := r.column()
		blank := strings.Trim(r.src[r.at:r.lineEnd], "\t ") == ""
		if column < 0 && r.at < r.lineEnd && at > indent {
			column = at
		}
		if !blank && (column < 0 || at < column) || r.atMarker("---") || r.atMarker("...") {
			*r = back
			return lines, end
		}
		if !blank {
			end = r.lineEnd
		}
		from := r.lineEnd
		if column >= 0 && at >= column {
			from = r.lineStart + column
		}
		lines = append(lines, r.src[from:r.lineEnd])
		r.at = r.lineEnd
	}
}

// joinBlockScalar returns the text of the lines; the signs in the header decide how.
func joinBlockScalar(lines []string, header string) string {
	n := len(lines)
	for n > 0 && lines[n-1] == "" {
		n--
	}
	body, blank := strings.Join(lines[:n], "\n"), strings.Repeat("\n", len(lines)-n)
	if header[0] == '>' {
		body = foldLines(lines[:n])
	}
	switch {
	case strings.Contains(header, "+"):
		if n > 0 {
			body += "\n"
		}
		return body + blank
	case n == 0 || strings.Contains(header, "-"):
		return body
	default:
		return body + "\n"
	}
}

// foldLines joins lines with a space. Indented lines and blank lines keep their line
// breaks.
func foldLines(lines []string) string {
	var b strings.Builder
	blank, indented := 0, true // as if an indented line were before the text
	for i, line := range lines {
		if line == "" {
			blank++
			continue
		}
		now := isBlank(line[0])
		switch {
		case i == blank:
			b.WriteString(strings.Repeat("\n", blank))
		case now || indented:
			b.WriteString(strings.Repeat("\n", blank+1))
		case blank == 0:
			b.WriteString(" ")
		default:
			b.WriteString(strings.Repeat("\n", blank))
		}
		b.WriteString(line)
		blank, indented = 0, now
	}
	return b.String()
}
