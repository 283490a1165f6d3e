package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// Placeholder is a part of a text that a run replaces: `{{…}}`, or `{…}` in an endpoint.
type Placeholder struct {
	text.Span           // braces included
	Inner     text.Span // between them
	Double    bool      // {{…}}
	Closed    bool      // if not, it ends with the line, or at the next placeholder
}

// Placeholders returns the placeholders of a text, in order. Placeholders with single braces are
// included only if single is set, for an endpoint.
func Placeholders(s string, single bool) []Placeholder {
	var out []Placeholder
	for p := range placeholder.All(s, single) {
		inner := text.Span{Start: p.InnerStart, End: p.InnerEnd}
		out = append(out, Placeholder{text.Span{Start: p.Start, End: p.End}, inner, p.Double, p.Closed})
	}
	return out
}

// Name is a dotted name in a placeholder or an expression.
type Name struct {
	Parts []text.Span
}

// Head returns the name up to its first dot.
func (n Name) Head() text.Span { return n.Parts[0] }

// wordsOfTemplates are words of the template language. They are no names if other words are in the
// same placeholder.
var wordsOfTemplates = []string{
	"if", "else", "each", "this", "true", "false", "null", "and", "or", "not", "is", "set", "in",
}

func isWordOfTemplates(s string) bool {
	is := func(word string) bool { return strings.EqualFold(word, s) }
	return slices.ContainsFunc(wordsOfTemplates, is)
}

// Names returns the dotted names in a span of a text: no functions, filters or helpers, no words of
// the template language, nothing between quotes. A word that is alone is always a name.
func Names(s string, in text.Span) []Name {
	var out []Name
	trimmed := strings.Trim(s[in.Start:in.End], " ")
	for i := in.Start; i < in.End; {
		switch c := s[i]; {
		case c == '"' || c == '\'':
			if end := strings.IndexByte(s[i+1:in.End], c); end >= 0 {
				i += end + 1
			}
			i++
		case isName(c):
			n, end := nameAt(s, i, in.End)
			called := strings.HasPrefix(strings.TrimLeft(s[end:in.End], " "), "(")
			if last := len(n.Parts) - 1; called && last > 0 && !strings.HasPrefix(s[i:end], expression.Prefix) {
				n.Parts, called = n.Parts[:last], false // a method of what is named
			}
			number := '0' <= c && c <= '9'
			applied := isFilter(s[in.Start:i]) || isHelper(s[i:in.End])
			if !called && !applied && !number && (s[i:end] == trimmed || !isWordOfTemplates(s[i:end])) {
				out = append(out, n)
			}
			i = end
		default:
			i++
		}
	}
	return out
}

// isFilter reports whether the name after a text is that of a filter, as in `x | upper`.
func isFilter(before string) bool {
	before = strings.TrimRight(before, " \t")
	return strings.HasSuffix(before, "|") && !strings.HasSuffix(before, "||")
}

// operandPrefix matches a word before an operand: a prefix of expressions, or a helper of
// placeholders.
var operandPrefix = lazyregexp.New(`^(?:add|(?i:` + strings.Join(expression.OperatorWords(expression.Presence), "|") + `))[ \t]+([@\w]+)`)

// isHelper reports whether a text begins with a word that an operand follows, as in `add @index 1`
// and `EXISTS x`.
func isHelper(s string) bool {
	m := operandPrefix.FindStringSubmatch(s)
	return m != nil && !PrecedesOperand(m[1])
}

func nameAt(s string, at, limit int) (n Name, end int) {
	for {
		part := text.Span{Start: at, End: at}
		for part.End < limit && isName(s[part.End]) {
			part.End++
		}
		n.Parts = append(n.Parts, part)
		if part.End+1 >= limit || s[part.End] != '.' || !isName(s[part.End+1]) {
			return n, part.End
		}
		at = part.End + 1
	}
}
