package model

import "strings"

// OpenBracket is a bracket that a text opens and does not close.
type OpenBracket struct {
	At    int   // offset of the bracket
	Parts []int // offsets of the parts between its commas
}

// The brackets of expressions, and those of signatures, whose types have angle brackets.
const (
	PlainBrackets     = "([{"
	SignatureBrackets = "([{<"
)

// OpenBrackets returns the brackets that s opens and does not close, the outermost first. brackets
// are the opening ones to look for, [PlainBrackets] or [SignatureBrackets].
func OpenBrackets(s, brackets string) []OpenBracket {
	var open []OpenBracket
	closing := ")]}>"[:len(brackets)]
	quote := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte(brackets, c) >= 0:
			open = append(open, OpenBracket{i, []int{i + 1}})
		case c == '>' && i > 0 && s[i-1] == '-': // an arrow
		case len(open) == 0:
		case strings.IndexByte(closing, c) >= 0:
			open = open[:len(open)-1]
		case c == ',':
			top := &open[len(open)-1]
			top.Parts = append(top.Parts, i+1)
		}
	}
	return open
}
