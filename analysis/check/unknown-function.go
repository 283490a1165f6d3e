package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// unknownFunction: a function in an expression is no slip of the pen in the name
// of a built-in. Any other name may be one that nobody published. What CALL calls
// is a tool.
var unknownFunction = Check{
	Code: "unknown-function",
	Entry: func(e Entry) []analysis.Diagnostic {
		var out findings
		var tool syntax.Node
		for n := range e.Root.All() {
			switch n.Kind() {
			case syntax.Pair, syntax.MapPair:
				if strings.EqualFold(n.Key(), "CALL") {
					tool = n.Value().ChildOf(syntax.CallExpression)
				}
			case syntax.CallExpression:
				if n == tool || len(out) == enough {
					continue
				}
				name := n.Child(syntax.AsFunction)
				if near := analysis.NearFunction(name.Text()); near != "" {
					d := out.hint(name.Span(), "No built-in function is called `%s`; did you mean `%s`?", name.Text(), near)
					d.Fixes = append(d.Fixes, analysis.Change("Change to `"+near+"`", name.Span(), near))
				}
			}
		}
		return out
	},
}
