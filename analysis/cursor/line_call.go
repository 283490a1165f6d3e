package cursor

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// Call is a call up to the cursor.
type Call struct {
	Tool string
	Args []string // the last one is at the cursor
}

// ParseOpenCall reads s, the beginning of a call such as `tool(argument, …`. ok is false if s has
// no opening bracket yet, or closes it.
func ParseOpenCall(s string) (c Call, ok bool) {
	m := callBegun.FindStringSubmatchIndex(s)
	if m == nil {
		return Call{}, false
	}
	c.Tool = s[m[2]:m[3]]
	depth, from, quote := 0, m[1], byte(0)
	for i := m[1]; i < len(s); i++ {
		switch ch := s[i]; {
		case quote != 0:
			if ch == quote {
				quote = 0
			}
		case ch == '"' || ch == '\'':
			quote = ch
		case strings.IndexByte("([{", ch) >= 0:
			depth++
		case strings.IndexByte(")]}", ch) >= 0:
			if depth--; depth < 0 {
				return Call{}, false
			}
		case ch == ',' && depth == 0:
			c.Args = append(c.Args, s[from:i])
			from = i + 1
		}
	}
	c.Args = append(c.Args, s[from:])
	return c, true
}

var callBegun = lazyregexp.New(`^["']?([A-Za-z_][\w.]*)[ \t]*\(`)

// CallOf returns the CALL to which with, a WITH, gives arguments; the zero Node if with is none, or
// is not below a CALL.
func CallOf(with syntax.Node) syntax.Node {
	call := with.Parent().Parent() // its block is between
	if strings.EqualFold(with.Key(), "WITH") && strings.EqualFold(call.Key(), "CALL") {
		return call
	}
	return syntax.Node{}
}

// NamedArgument matches the beginning of an argument with its name: `name = ` or `name: `.
var NamedArgument = lazyregexp.New(`^\s*(\w+)[ \t]*[=:]\s*`)

// WithoutOuterQuote returns s, an expression up to the cursor, without white space before it and
// without an opening quote that s does not close, since that quote is around the expression as a
// whole. inText says that the cursor is in a string of the expression.
func WithoutOuterQuote(s string) (rest string, inText bool) {
	s = strings.TrimLeft(s, " \t")
	if s != "" && (s[0] == '"' || s[0] == '\'') && strings.IndexByte(s[1:], s[0]) < 0 {
		s = s[1:]
	}
	quote := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		}
	}
	return s, quote != 0
}
