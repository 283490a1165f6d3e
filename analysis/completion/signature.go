package completion

import (
	"sort"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

var booleanDefault = lazyregexp.New(`:[ \t]*boolean[ \t]*=$`)

// completeInSignature completes a type in a signature, or a boolean's default. ok is false if the
// cursor is in no signature.
func completeInSignature(t cursor.Line) (items []Item, ok bool) {
	s, ok := openSignature(t)
	if !ok {
		return nil, false
	}
	before := strings.TrimRight(s, model.NameBytes)
	p := insertion{from: t.Offset - len(s) + len(before)}
	before = strings.TrimRight(before, " \t\r\n")
	open := model.OpenBrackets(before, model.SignatureBrackets)
	inList := len(open) == 1 && before[open[0].At] == '('
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

// openSignature returns the text of the signature before the cursor.
func openSignature(t cursor.Line) (before string, ok bool) {
	tools := t.File.Tools
	i := sort.Search(len(tools), func(i int) bool { return tools[i].Span().Start > t.Offset })
	if i == 0 || !t.InTools() {
		return "", false
	}
	decl := tools[i-1]
	start, end := decl.Span().Start, signatureEndInFile(decl)
	before = t.File.Doc.Text()[start:t.Offset]
	lines := t.File.Doc.Lines()
	switch line := lines.Line(t.Offset); {
	case line == lines.Line(start), t.Offset <= end, line == lines.Line(end):
		return before, true
	case t.Column <= t.ColumnOf(start) || !decl.Node.Child(syntax.FieldBlock).IsZero():
		return "", false
	}
	return before, len(model.OpenBrackets(before, model.SignatureBrackets)) > 0
}

// signatureEndInFile returns the offset of the signature's end in the file.
func signatureEndInFile(t model.PositionedTool) int {
	end := t.Span().Start
	for n := range t.Node.Children() {
		if n.Kind() != syntax.Block && n.Kind() != syntax.Comment {
			end = max(end, n.Span().End+t.Offset)
		}
	}
	return end
}
