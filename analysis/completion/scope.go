package completion

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeScoped offers the names of the scope, and the functions of the evaluator.
func completeScoped(t cursor.Line, p insertion) []Item {
	var items []Item
	for _, n := range t.Scope {
		kind := VariableItem
		if n.IsParameter {
			kind = ParameterItem
		}
		item := newItem(t, p, Item{Label: n.Name, Kind: kind})
		item.Documentation = n.Doc
		if n.Of != nil {
			item.Detail = describe.OneLine(n.Of.String(), describe.MaxSignature)
		}
		items = append(items, item)
	}
	for _, f := range expression.EvaluatorFunctions() {
		items = append(items, functionItem(t, f, p))
	}
	return items
}

// completeToolExpression completes the value of a tool's property that is an expression. ok is
// false if it is none.
func completeToolExpression(t cursor.Line, field *tool.Field) (items []Item, ok bool) {
	decl, inTool := t.Tool()
	if !inTool || !t.InTools() || strings.HasPrefix(t.Text(), "[") {
		return nil, false
	}
	if step, key := t.TypedStep(); step != "" {
		t.Scope = cursor.StepScope(decl.ToolDecl, step, key)
		return completeExpression(t, t.Text()), true
	}
	if field == nil {
		return nil, false
	}
	switch field.Name {
	case "on_fail":
		return completeWords(t, failActions, FunctionItem, insertion{from: t.Value}), true
	case "require":
		if field.Type != tool.ListType {
			return nil, false
		}
	default:
		if field.Type != tool.Expr {
			return nil, false
		}
	}
	return completeExpression(t, t.Text()), true
}

// failActions are the words that `on_fail` of a tool's `process` may have.
var failActions = []tool.Word{
	{Name: "block", Doc: "Stops the call: `block(\"…\")`."}, {Name: "reask", Doc: "Asks the user again: `reask(\"…\")`."},
	{Name: "warn", Doc: "Warns and goes on: `warn(\"…\")`."}, {Name: "use_original", Doc: "Goes on with the value as it was."},
	{Name: "fallback", Doc: "Gives another answer: `fallback(\"…\")`."},
}
