package script

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

func parsePython(body string) *Fault {
	lines, fault := readLines(body)
	if fault != nil {
		return fault
	}
	parser := newParser(python)
	defer parser.Close()
	for _, line := range lines.lines {
		if line.tooLong() {
			continue
		}
		fault := parseLine(parser, line.source(lines.flat))
		if fault != nil {
			fault.Span = fault.Span.Shift(line.Start)
			fault.Span.End = min(fault.Span.End, line.End)
			fault.Span = widenEmpty(body, fault.Span)
			return fault
		}
	}
	return nil
}

const noStatement = "This is no statement or expression of Python."

// maxLine bounds the time for a line with many mistakes. Longer lines are not
// checked.
const maxLine = 4 << 10

func (l logicalLine) tooLong() bool { return l.Len() > maxLine }

// lineSource is a logical line with the text before and after it that makes it a whole statement.
type lineSource struct{ before, line, after string }

// source returns the line with the text that makes it a complete statement.
func (l logicalLine) source(flat string) lineSource {
	s := lineSource{line: flat[l.Start:l.End]}
	if l.opensBlock {
		s.after = " pass"
	}
	switch l.word {
	case "elif", "else":
		s.before = "if _: pass\n"
	case "except", "finally":
		s.before = "try: pass\n"
	case "try":
		s.after += "\nfinally: pass"
	case "match":
		if l.opensBlock {
			s.after = "\n case _: pass"
		}
	case "case":
		if l.inMatch {
			s.before = "match _:\n "
		}
	case "@":
		s.after = "\ndef _(): pass"
	}
	return s
}

// parseLine returns the fault of a line, with a span relative to that line; nil if there is none.
func parseLine(parser *sitter.Parser, s lineSource) *Fault {
	source := s.before + s.line + s.after + "\n"
	var fault *Fault
	parseTree(parser, []byte(source), func(root *sitter.Node) {
		switch {
		case root.HasError():
			fault = firstError(root, source)
		case mayBePython2.MatchString(s.line):
			fault = findPython2(root, []byte(source))
		}
	})
	if fault != nil {
		n := len(s.before)
		fault.Span = text.Span{Start: max(fault.Span.Start-n, 0), End: max(fault.Span.End-n, 0)}
	}
	return fault
}

// firstError returns the span of the first error node, up to the end of its first line.
// If something is missing and has no node, it is the innermost node around it.
func firstError(root *sitter.Node, source string) *Fault {
	around := root
	for n := range walk(root, (*sitter.Node).HasError) {
		if n.HasError() {
			around = n
		}
		if n.IsMissing() && !strings.HasPrefix(n.Type(), "_") {
			return &Fault{firstLine(n, source), "Here `" + n.Type() + "` is missing."}
		}
		if n.IsError() {
			break
		}
	}
	return &Fault{firstLine(around, source), noStatement}
}

func firstLine(n *sitter.Node, source string) text.Span {
	span := text.Span{Start: int(n.StartByte()), End: int(n.EndByte())}
	if i := strings.IndexByte(source[span.Start:span.End], '\n'); i >= 0 {
		span.End = span.Start + i
	}
	return span
}

// mayBePython2 matches every line that may contain a construct of Python 2. It spares other lines
// the walk over their nodes.
var mayBePython2 = lazyregexp.New(`(?s)print|exec|<>|=.*,`)

// findPython2 returns the first construct of Python 2, which the tree's parser accepts.
func findPython2(root *sitter.Node, source []byte) *Fault {
	for n := range walk(root, enterAll) {
		message := ""
		switch n.Type() {
		case "print_statement":
			if printStatement.Match(source[n.StartByte():n.EndByte()]) {
				message = "`print` is a function: put what it prints in parentheses."
			}
		case "exec_statement":
			message = "`exec` is a function: put what it runs in parentheses."
		case "<>":
			message = "Python 3 has no `<>`; write `!=`."
		case "argument_list":
			if late := positionalAfterKeyword(n); late != nil {
				n, message = late, "A positional argument follows a keyword argument."
			}
		}
		if message != "" {
			return &Fault{text.Span{Start: int(n.StartByte()), End: int(n.EndByte())}, message}
		}
	}
	return nil
}

// printStatement matches `print` with a name, a number or a string directly after it.
var printStatement = lazyregexp.New(`^print\s+[\w"']`)

// positionalAfterKeyword returns the first positional argument after `name=value`.
func positionalAfterKeyword(list *sitter.Node) *sitter.Node {
	named := false
	for _, c := range children(list) {
		switch c.Type() {
		case "keyword_argument":
			named = true
		case "dictionary_splat", "list_splat":
		default:
			if named {
				return c
			}
		}
	}
	return nil
}
