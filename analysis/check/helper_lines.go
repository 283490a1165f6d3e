package check

import (
	"iter"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// toolLines returns the lines that may declare a tool: an entry of TOOLS or, if it is an ADD, those
// below it.
func toolLines(root syntax.Node) iter.Seq[syntax.Node] {
	return func(yield func(syntax.Node) bool) {
		if root.Kind() != syntax.Add {
			yield(root)
			return
		}
		for c := range root.BlockChildren() {
			if !yield(c) {
				return
			}
		}
	}
}

// keywordOf returns the span of a section's keyword in its file.
func keywordOf(s syntax.Section) text.Span {
	return s.Head.Root().KeyNode().Span().Shift(s.Head.Offset)
}

// blanks are what a line may be indented with.
const blanks = " \t\f\v\uFEFF"

func lineText(doc *syntax.Document, line int) string {
	span := doc.Lines().LineText(line)
	return doc.Text()[span.Start:span.End]
}

// indentation returns the blanks before the text of a line.
func indentation(doc *syntax.Document, line int) string {
	s := lineText(doc, line)
	return s[:len(s)-len(strings.TrimLeft(s, blanks))]
}

// firstLine returns the span of a node up to its first line's end.
func firstLine(n syntax.Node) text.Span {
	span := n.Span()
	if i := strings.IndexAny(n.Text(), "\r\n"); i >= 0 {
		span.End = span.Start + i
	}
	return span
}

// isPlatformComment reports whether the platform reads a line as a comment: it begins with `//` or
// `/*`.
func isPlatformComment(n syntax.Node) bool {
	return strings.HasPrefix(n.Text(), "//") || strings.HasPrefix(n.Text(), "/*")
}

// opensString reports whether an unquoted value is a string whose closing quote is missing. A
// single quote opens none: it may be an apostrophe.
func opensString(s string) bool {
	if !strings.HasPrefix(s, `"`) {
		return false
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return false
		case '\r', '\n':
			return true
		}
	}
	return true
}

// opensBracket reports whether an unquoted value is a list or a map whose closing bracket is
// missing. If it need be neither (strict is false), one closing bracket anywhere is enough: the
// value may be a pattern or prose.
func opensBracket(s string, strict bool) bool {
	if s == "" || s[0] != '[' && s[0] != '{' || strings.HasPrefix(s, "{{") {
		return false
	}
	if !strict {
		return !strings.ContainsRune(s, rune(s[0]+2)) // ] is two after [, as } is after {
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			if depth--; depth == 0 {
				return false
			}
		case '"':
			end := strings.IndexByte(s[i+1:], '"')
			if end < 0 {
				return true
			}
			i += end + 1
		}
	}
	return true
}
