package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Call is a `CALL:` with its arguments.
type Call struct {
	PositionedNode           // the pair
	Tool           string    // "" if the value is computed, or incomplete
	ToolSpan       text.Span // of the name
	Args           []Argument

	// Incomplete says that the arguments are unknown, or not all of them are known.
	Incomplete bool
}

// Argument is one value that a call gives.
type Argument struct {
	Name  string      // "" for a positional one
	Span  text.Span   // of the name; of the value if there is none
	Value syntax.Node // zero if nothing is written yet
}

func (c Call) shift(offset int) Call {
	c.Offset += offset
	c.ToolSpan = c.ToolSpan.Shift(offset)
	c.Args = slices.Clone(c.Args)
	for i := range c.Args {
		c.Args[i].Span = c.Args[i].Span.Shift(offset)
	}
	return c
}

// calledPattern matches a name, with hyphens if another system gave it, and what may follow it.
// Anything else is no call that the language knows.
var calledPattern = lazyregexp.New(`^["']?([A-Za-z_][\w.]*(?:-\w+)*)["']?[ \t]*(?:$|\(|->|(?i:WITH|AS)\b)`)

// NewCall reads a pair whose key is CALL. Spans are relative to its entry.
func NewCall(n syntax.Node) Call {
	c := Call{PositionedNode: PositionedNode{Node: n}}
	c.readValue(n.Value())
	c.readBelow(n)
	if item := n.Parent(); item.Kind() == syntax.ListItem && item.FirstBlockChild() == n {
		c.readBelow(item) // what belongs to a single action is next to it
	}
	return c
}

func (c *Call) readBelow(n syntax.Node) {
	for with := range n.BlockChildren() {
		if strings.EqualFold(with.Key(), "WITH") {
			c.readWith(with)
		}
	}
}

// readValue reads what follows CALL: a name, a call, or a text that may
// hold either.
func (c *Call) readValue(v syntax.Node) {
	if v.Kind() == syntax.Expression {
		v = expressionContent(v)
	}
	switch v.Kind() {
	case syntax.Path:
		c.Tool, c.ToolSpan = v.Text(), v.Span()
	case syntax.CallExpression:
		name := v.Child(syntax.FieldFunction)
		c.Tool, c.ToolSpan = name.Text(), name.Span()
		c.readArguments(v.Child(syntax.FieldArguments))
	case syntax.String, syntax.Text:
		if named := Matches(calledPattern, v); len(named) > 0 {
			c.Tool, c.ToolSpan = named[0].Text, named[0].Span
			c.Incomplete = strings.Contains(v.Text(), "(")
		}
	}
}

// readArguments reads what is in parentheses.
func (c *Call) readArguments(list syntax.Node) {
	for n := range list.Children() {
		switch {
		case n.Kind() == syntax.NamedArgument:
			name := n.Child(syntax.FieldName)
			c.Args = append(c.Args, Argument{Name: name.Text(), Span: name.Span(), Value: n.Value()})
		case IsItem(n):
			c.Args = append(c.Args, Argument{Span: n.Span(), Value: n})
		}
	}
}

// readWith reads the map after or below WITH. If it is anything else, the call is Incomplete.
func (c *Call) readWith(n syntax.Node) {
	if v := n.Value(); !v.IsZero() && v.Kind() != syntax.Map {
		c.Incomplete = true
	}
	for p := range KeyedNodes(n, true) {
		name := UnquotedWord(KeyOf(p))
		c.Args = append(c.Args, Argument{Name: name.Text, Span: name.Span, Value: p.Value()})
	}
}

// expressionContent returns the first child of an expression that is no comment. A comment may be
// above an expression that begins on a line of its own.
func expressionContent(n syntax.Node) syntax.Node {
	for c := range n.Children() {
		if c.Kind() != syntax.Comment {
			return c
		}
	}
	return syntax.Node{}
}

// LiteralNoun returns the noun for a literal in a message, such as "a number" or "a list"; "" for
// text and for what is computed.
func LiteralNoun(n syntax.Node) string {
	if n.Kind() == syntax.Expression {
		n = expressionContent(n)
	}
	switch n.Kind() {
	case syntax.Number:
		return "a number"
	case syntax.Boolean:
		return "a boolean"
	case syntax.List, syntax.ListExpression:
		return "a list"
	case syntax.Map, syntax.ObjectExpression:
		return "a map"
	}
	return ""
}
