package script

import (
	"slices"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	grammar_javascript "github.com/smacker/go-tree-sitter/javascript"
	grammar_python "github.com/smacker/go-tree-sitter/python"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// grammar names the nodes of a language that decide what a `return` returns.
type grammar struct {
	language  func() *sitter.Language
	functions []string // have returns of their own
	yields    []string // make the body return values in another way
	object    string   // an object or a dictionary
	member    string   // a member with a key
	shorthand []string // members that are their own key
	keyField  string
	keys      []string // keys that stand for themselves
	quoted    string   // keys that stand in quotes
}

var javascript = grammar{
	language: grammar_javascript.GetLanguage,
	functions: []string{
		"function_declaration", "function_expression", "function", "generator_function", "generator_function_declaration",
		"arrow_function", "method_definition", "class_static_block",
	},
	object:    "object",
	member:    "pair",
	shorthand: []string{"shorthand_property_identifier"},
	keyField:  "key",
	keys:      []string{"property_identifier", "number"},
	quoted:    "string",
}

var python = grammar{
	language:  grammar_python.GetLanguage,
	functions: []string{"function_definition", "lambda", "class_definition"},
	yields:    []string{"yield"},
	object:    "dictionary",
	member:    "pair",
	keyField:  "key",
	keys:      []string{"integer"},
	quoted:    "string",
}

func returnsOf(g grammar, source string) (returns []Return, ok bool) {
	parser := newParser(g)
	defer parser.Close()
	ok = true
	parseTree(parser, []byte(source), func(root *sitter.Node) {
		if root.HasError() {
			ok = false
			return
		}
		outside := func(n *sitter.Node) bool { return !slices.Contains(g.functions, n.Type()) }
		for n := range walk(root, outside) {
			if slices.Contains(g.yields, n.Type()) {
				ok = false
			}
			if n.Type() == "return_statement" {
				returns = append(returns, g.returnOf(n, source))
			}
		}
	})
	return returns, ok
}

func (g grammar) returnOf(n *sitter.Node, source string) Return {
	r := Return{Span: text.Span{Start: int(n.StartByte()), End: int(n.EndByte())}}
	if values := children(n); len(values) == 1 {
		r.Keys, r.Literal = g.keysOf(values[0], source)
	}
	return r
}

// keysOf returns the keys of an object. ok is false if it is no object, or if a key is
// computed or spread.
func (g grammar) keysOf(value *sitter.Node, source string) (keys []string, ok bool) {
	for value.Type() == "parenthesized_expression" && value.NamedChildCount() == 1 {
		value = value.NamedChild(0)
	}
	if value.Type() != g.object {
		return nil, false
	}
	for _, c := range children(value) {
		if slices.Contains(g.shorthand, c.Type()) {
			keys = append(keys, c.Content([]byte(source)))
			continue
		}
		key, ok := g.keyOf(c, source)
		if !ok {
			return nil, false
		}
		keys = append(keys, key)
	}
	return keys, true
}

// keyOf returns the key of a member. ok is false for a method, a computed key, a key with
// an escape and any other key that is not plain.
func (g grammar) keyOf(n *sitter.Node, source string) (string, bool) {
	key := n.ChildByFieldName(g.keyField)
	if n.Type() != g.member || key == nil {
		return "", false
	}
	s := source[key.StartByte():key.EndByte()]
	switch {
	case slices.Contains(g.keys, key.Type()):
		return s, !strings.Contains(s, `\`)
	case key.Type() == g.quoted && len(s) > 1 && s[0] == s[len(s)-1]:
		s = s[1 : len(s)-1]
		return s, !strings.ContainsAny(s, `"'\`)
	}
	return "", false
}
