package yaml

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// readPlain reads a text without quotes.
func (r *reader) readPlain(indent int) *Node {
	span := r.restOfLine()
	r.checkStart(span)
	if k, ok := r.peekKey(); ok {
		r.addFault(text.Span{Start: k.colon, End: k.colon + 1}, "A text with a colon and a space in it belongs into quotes, and a key on a line of its own.")
	}
	r.at = span.End
	parts := []string{r.src[span.Start:span.End]}
	for {
		back := *r
		blank, more := r.nextTextLine(indent)
		if more {
			_, key := r.peekKey()
			more = !key
		}
		if !more {
			*r = back
			break
		}
		next := r.restOfLine()
		parts = append(parts, blank, r.src[next.Start:next.End])
		span.End, r.at = next.End, next.End
	}
	r.skipBlanks()
	if r.at < r.lineEnd {
		r.readComment()
	}
	return newPlainNode(joinFolded(parts), span)
}

// joinFolded joins the lines of a text and the folded line breaks between them.
func joinFolded(parts []string) string { return strings.Join(parts, "") }

// checkStart reports a text that begins with a sign that only quoted texts may begin with.
func (r *reader) checkStart(span text.Span) {
	if span.Empty() {
		return
	}
	switch c := r.src[span.Start]; {
	case strings.IndexByte("@`%", c) >= 0:
		r.addFault(span, "A text that begins with `"+string(c)+"` belongs into quotes.")
	case c == '-' && span.Len() > 1 && isBlank(r.src[span.Start+1]):
		r.addFault(span, "A list begins on a line of its own, or stands in brackets.")
	}
}

// Numbers, as YAML 1.2 writes them.
var (
	intPattern   = lazyregexp.New(`^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	floatPattern = lazyregexp.New(`^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

func newPlainNode(value string, span text.Span) *Node {
	return &Node{Kind: kindOf(value), Span: span, Text: value, weight: 1}
}

// kindOf returns the kind of a text without quotes.
func kindOf(value string) Kind {
	switch value {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	}
	switch {
	case strings.IndexByte("+-.0123456789", value[0]) < 0:
		return String
	case intPattern.MatchString(value):
		return Int
	case floatPattern.MatchString(value):
		return Float
	}
	return String
}

// quoteEnd returns the offset in src after the next quote from i on that closes a text in quotes.
// If there is none, ok is false and end is the length of src.
func quoteEnd(src string, quote byte, i int) (end int, ok bool) {
	for ; i < len(src); i++ {
		switch {
		case src[i] == '\\' && quote == '"':
			i++
		case src[i] != quote:
		case quote == '\'' && i+1 < len(src) && src[i+1] == '\'':
			i++
		default:
			return i + 1, true
		}
	}
	return len(src), false
}

// readQuoted reads a text in quotes. An unclosed text ends with its first line. A text is
// unclosed if a line that is not indented deeper than indent comes before its closing quote.
func (r *reader) readQuoted(indent int) *Node {
	start, quote := r.at, r.src[r.at]
	back := *r
	for r.at++; ; r.skipBlanks() {
		if end, ok := quoteEnd(r.src[:r.lineEnd], quote, r.at); ok {
			r.at = end
			r.checkEscapes(start, end, quote)
			return newQuotedNode(r.src[start:end], text.Span{Start: start, End: end})
		}
		if !r.nextLine() || r.endsText(indent) {
			break
		}
	}
	*r = back
	span := text.Span{Start: start, End: r.trimEnd(start, r.lineEnd)}
	r.addFault(text.Span{Start: start, End: start + 1}, "This quote is not closed.")
	r.at = r.lineEnd
	return &Node{
		Kind: String, Style: styleOf(quote), Span: span, Text: r.src[start+1 : span.End],
		Unclosed: true, weight: 1,
	}
}

// checkEscapes reports the first escape in a text in double quotes that YAML does not have.
func (r *reader) checkEscapes(start, end int, quote byte) {
	for i := start + 1; quote == '"' && i < end-1; i++ {
		if r.src[i] != '\\' {
			continue
		}
		i++
		if strings.IndexByte("0abt\tnvfre \"/\\N_LPxuU\r\n", r.src[i]) < 0 {
			r.addFault(text.Span{Start: i - 1, End: i + 1}, "YAML has no escape `"+r.src[i-1:i+1]+"`; write two backslashes for one, or single quotes around the text.")
			return
		}
	}
}

// endsText reports whether the line ends a text: it is not blank, and either a marker or
// not indented deeper than indent.
func (r *reader) endsText(indent int) bool {
	at := r.at
	defer func() { r.at = at }()
	r.skipBlanks()
	return r.at < r.lineEnd && (r.column() <= indent || r.atMarker("---") || r.atMarker("..."))
}

func styleOf(quote byte) Style {
	if quote == '"' {
		return DoubleQuoted
	}
	return SingleQuoted
}

// newQuotedNode returns the node of raw, a text with its quotes.
func newQuotedNode(raw string, span text.Span) *Node {
	n := &Node{Kind: String, Style: styleOf(raw[0]), Span: span, Text: raw[1 : len(raw)-1], weight: 1}
	if strings.ContainsAny(n.Text, "\\'\r\n") {
		n.Text = decodeQuoted(raw, n.Text)
	}
	return n
}

// decodeQuoted returns the value of raw, a text in quotes; instead if raw is not valid.
func decodeQuoted(raw, instead string) (value string) {
	defer func() {
		if recover() != nil { // goccy's parser may panic
			value = instead
		}
	}()
	raw = strings.ReplaceAll(strings.ReplaceAll(raw, "\r\n", "\n"), "\r", "\n")
	file, err := parser.ParseBytes([]byte(raw), 0)
	if err != nil || len(file.Docs) != 1 {
		return instead
	}
	if s, ok := file.Docs[0].Body.(*ast.StringNode); ok {
		return s.Value
	}
	return instead
}
