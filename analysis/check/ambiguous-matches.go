package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// ambiguousMatches: the function MATCHES compares spoken values, the operator matches takes a
// regular expression. It reports the function with a regular expression, and the operator in
// capitals with a text that is none: each looks like a mistake for the other.
var ambiguousMatches = Check{
	Code: "ambiguous-matches",
	Entry: func(out *findings, e Entry) {
		for n := range e.Root.Preorder() {
			switch n.Kind() {
			case syntax.CallExpression:
				matchesCalled(out, n)
			case syntax.BinaryExpression:
				matchesBetween(out, n)
			}
		}
	},
}

// regexSigns tell a regular expression from plain text.
const regexSigns = `^$\[]()*+?|`

// matchesCalled reports the function with a regular expression.
func matchesCalled(out *findings, call syntax.Node) {
	name := call.Child(syntax.FieldFunction)
	args := slices.Collect(expressionsIn(call.Child(syntax.FieldArguments)))
	if name.Text() != "MATCHES" || len(args) < 2 || args[1].Kind() != syntax.String || !strings.ContainsAny(args[1].UnquotedText(), regexSigns) {
		return
	}
	d := out.warn(name.Span(), "The function `MATCHES` compares spoken values and reads no regular expression; for one write `a matches b`.")
	d.Fixes = append(d.Fixes, model.ReplaceFix("Change to the operator `matches`", call.Span(), args[0].Text()+" matches "+args[1].Text()))
}

// matchesBetween reports the operator in capitals with a text that is no regular
// expression.
func matchesBetween(out *findings, n syntax.Node) {
	operator, right := n.Child(syntax.FieldOperator), n.Child(syntax.FieldRight)
	if !strings.HasSuffix(operator.Text(), "MATCHES") || right.Kind() != syntax.String || strings.ContainsAny(right.UnquotedText(), regexSigns) {
		return
	}
	d := out.warn(operator.Span(), "The operator `matches` takes a regular expression, and %s has no sign of one; for spoken values call `MATCHES(a, b)`.", right.Text())
	if operator.Text() == "MATCHES" {
		left := n.Child(syntax.FieldLeft)
		d.Fixes = append(d.Fixes, model.ReplaceFix("Change to the function `MATCHES`", n.Span(), "MATCHES("+left.Text()+", "+right.Text()+")"))
	}
}
