package check

import (
	"iter"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// unknownFunction: a function in an expression is no typing slip for a built-in one, and no
// operator in capitals. Any other name may be an unpublished function. The name after CALL is a
// tool. The `function` of a lambda tool is one of those that abl.yaml lists, unless it is an ARN or
// a URL.
var unknownFunction = Check{
	Code: "unknown-function",
	File: projectNames{
		trait: model.HasFunction, property: "function", kinds: []tool.Kind{tool.KindLambda}, table: projectfile.Functions, what: "function",
		resolved: func(value string) bool { return strings.ContainsAny(value, ":/") },
	}.reportUnknown,
	Entry: func(out *findings, e Entry) {
		var called syntax.Node
		for n := range e.Root.Preorder() {
			switch n.Kind() {
			case syntax.Pair, syntax.MapPair:
				if strings.EqualFold(n.Key(), "CALL") {
					called = n.Value().ChildOf(syntax.CallExpression)
				}
			case syntax.CallExpression:
				if n == called || len(*out) >= maxFindings {
					continue
				}
				name := n.Child(syntax.FieldFunction)
				if operator, ok := model.OperatorCall(name.Text()); ok {
					operatorCalled(out, n, operator)
				} else if near := model.NearFunction(name.Text()); near != "" {
					d := out.hint(name.Span(), "No built-in function is called `%s`; did you mean `%s`?", name.Text(), near)
					d.Fixes = append(d.Fixes, model.ReplaceFix("Change to `"+near+"`", name.Span(), near))
				}
			}
		}
	},
}

// operatorCalled reports an operator that is called like a function, and offers to write it between
// its operands.
func operatorCalled(out *findings, call syntax.Node, operator string) {
	name := call.Child(syntax.FieldFunction)
	d := out.warn(name.Span(), "`%s` is no function but an operator: `a %s b`.", name.Text(), operator)
	args := slices.Collect(expressionsIn(call.Child(syntax.FieldArguments)))
	if len(args) == 2 {
		d.Fixes = append(d.Fixes, model.ReplaceFix("Change to the operator `"+operator+"`", call.Span(), args[0].Text()+" "+operator+" "+args[1].Text()))
	}
}

// expressionsIn returns the arguments of a call.
func expressionsIn(args syntax.Node) iter.Seq[syntax.Node] {
	return func(yield func(syntax.Node) bool) {
		for n := range args.Children() {
			if n.Kind() != syntax.Other && n.Kind() != syntax.Comment && !yield(n) {
				return
			}
		}
	}
}
