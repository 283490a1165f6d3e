package script

import (
	"unicode/utf8"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// VariableSpans returns the spans where the body of a function names the variable name. ok
// is false if the variable cannot be renamed there safely: the body does not parse or is
// longer than MaxBytes, or an object takes its key from the variable's name.
func VariableSpans(r Runtime, body, name string) (places []text.Span, ok bool) {
	if len(body) > MaxBytes || !utf8.ValidString(body) || Parse(r, body) != nil {
		return nil, false
	}
	g := javascript
	if r == Python {
		g = python
	}
	parser := newParser(g)
	defer parser.Close()
	ok = true
	parseTree(parser, []byte(body), func(root *sitter.Node) {
		if root.HasError() {
			ok = false
			return
		}
		for n := range walk(root, enterAll) {
			start, end := int(n.StartByte()), int(n.EndByte())
			switch {
			case n.NamedChildCount() > 0 || body[start:end] != name:
			case n.Type() == "shorthand_property_identifier" || n.Type() == "shorthand_property_identifier_pattern":
				ok = false
			case n.Type() == "identifier" && !isMember(n):
				places = append(places, text.Span{Start: start, End: end})
			}
		}
	})
	return places, ok
}

// isMember reports whether the name n is no variable: a name after a dot, or, in Python,
// the name of an argument.
func isMember(n *sitter.Node) bool {
	above := n.Parent()
	if above == nil {
		return false
	}
	for kind, field := range map[string]string{"attribute": "attribute", "keyword_argument": "name"} {
		if part := above.ChildByFieldName(field); above.Type() == kind && part != nil && part.Equal(n) {
			return true
		}
	}
	return false
}
