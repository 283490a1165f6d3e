package analysis

import (
	"regexp"
	"sort"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

var booleanDefault = regexp.MustCompile(`:[ \t]*boolean[ \t]*=$`)

// completeInSignature completes a type in a signature, or a boolean's default. ok is false where the cursor is
// in no signature.
func completeInSignature(t typed) (items []CompletionItem, ok bool) {
	s, ok := openSignature(t)
	if !ok {
		return nil, false
	}
	before := strings.TrimRight(s, nameBytes)
	p := put{from: t.offset - len(s) + len(before)}
	before = strings.TrimRight(before, " \t\r\n")
	open := openBrackets(before, signatureBrackets)
	inList := len(open) == 1 && before[open[0].at] == '('
	switch {
	case strings.HasSuffix(before, "->"):
		return completeWords(t, tool.ReturnTypes(), TypeItem, p), true
	case inList && booleanDefault.MatchString(before):
		return completeWords(t, booleans, ValueItem, p), true
	case inList && strings.HasSuffix(before, ":"):
		return completeWords(t, tool.ParamTypes(), TypeItem, p), true
	case len(open) > 0 && (strings.HasSuffix(before, ":") || strings.HasSuffix(before, "<")):
		return completeWords(t, tool.ReturnTypes(), TypeItem, p), true
	}
	return nil, true
}

// openSignature is the text of the signature before the cursor.
func openSignature(t typed) (before string, ok bool) {
	tools := t.file.Tools
	i := sort.Search(len(tools), func(i int) bool { return tools[i].Span().Start > t.offset })
	if i == 0 || !t.inTools() {
		return "", false
	}
	decl := tools[i-1]
	start, end := decl.Span().Start, signatureEndInFile(decl)
	before = t.file.Doc.Text()[start:t.offset]
	lines := t.file.Doc.Lines()
	switch line := lines.Line(t.offset); {
	case line == lines.Line(start), t.offset <= end, line == lines.Line(end):
		return before, true
	case t.column <= t.columnOf(start) || !decl.Node.Child(syntax.AsBlock).IsZero():
		return "", false
	}
	return before, len(openBrackets(before, signatureBrackets)) > 0
}

// signatureEndInFile is where the signature ends in the file.
func signatureEndInFile(t PlacedTool) int {
	end := t.Span().Start
	for n := range t.Node.Children() {
		if n.Kind() != syntax.Block && n.Kind() != syntax.Comment {
			end = max(end, n.Span().End+t.Offset)
		}
	}
	return end
}
