package analysis

import (
	"cmp"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
)

// scopeName is a name that an expression sees.
type scopeName struct {
	tool.Word
	of          *tool.Type // nil if unknown
	isParameter bool
}

// checkScope is what an expression about one run of a tool sees.
func checkScope(d *ToolDecl) []scopeName {
	return []scopeName{
		{Word: tool.Word{Name: "result", Doc: "What the tool returned."}, of: d.Returns},
		{Word: tool.Word{Name: "args", Doc: "The arguments of the call."}, of: argumentsType(d)},
	}
}

// caseScope is what a case expects its result by.
func caseScope(d *ToolDecl) []scopeName {
	return append(checkScope(d),
		scopeName{Word: tool.Word{Name: "value", Doc: "What the tool returned, also called `result`."}, of: d.Returns},
		scopeName{Word: tool.Word{Name: "set", Doc: "The session variables that `on_result` has set."}},
		scopeName{Word: tool.Word{Name: "error", Doc: "The failure: `error.kind`, `error.message`."}, of: &errorType},
		scopeName{Word: tool.Word{Name: "duration_ms", Doc: "How long the run took, in milliseconds."}, of: &tool.Type{Name: "number"}},
	)
}

// argumentsType is the object of a tool's arguments.
func argumentsType(d *ToolDecl) *tool.Type {
	of := &tool.Type{Name: "object", Declared: true}
	for i := range d.Params {
		if p := &d.Params[i]; p.Name != "" {
			of.Fields = append(of.Fields, tool.TypeField{Name: p.Name, Type: cmp.Or(p.Type, &tool.Type{Name: "any"}), Optional: p.Optional})
		}
	}
	named, _ := d.SchemaParams()
	for _, p := range named {
		of.Fields = append(of.Fields, tool.TypeField{Name: p.Name, Type: p.Type, Optional: p.Optional, Description: p.Description})
	}
	if d.TakesText() {
		of.Fields = []tool.TypeField{{Name: FreeForm, Type: &tool.Type{Name: "string"}}}
	}
	return of
}

// scoped offers the names of the scope, and the functions of the evaluator.
func (t typed) scoped(p put) []CompletionItem {
	var items []CompletionItem
	for _, n := range t.scope {
		kind := VariableItem
		if n.isParameter {
			kind = ParameterItem
		}
		item := t.item(n.Name, kind, p)
		item.Documentation = n.Doc
		if n.of != nil {
			item.Detail = oneLine(n.of.String(), maxSignature)
		}
		items = append(items, item)
	}
	for _, f := range expression.EvaluatorFunctions() {
		items = append(items, t.function(f, p))
	}
	return items
}

// ofScope is the type of a name of the scope.
func (t typed) ofScope(name string) *tool.Type {
	for _, n := range t.scope {
		if n.Name == name {
			return n.of
		}
	}
	return nil
}

// toolExpression completes the value of a tool's property that is an expression.
// ok is false where it is none.
func (t typed) toolExpression(field *tool.Field) (items []CompletionItem, ok bool) {
	decl, inTool := t.tool()
	if !inTool || !t.inTools() || strings.HasPrefix(t.text(), "[") {
		return nil, false
	}
	if step, key := t.stepTyped(); step != "" {
		t.scope = stepScope(decl.ToolDecl, step, key)
		return t.expression(t.text()), true
	}
	if field == nil {
		return nil, false
	}
	switch field.Name {
	case "on_fail":
		return t.words(failActions, FunctionItem, put{from: t.value}), true
	case "require":
		if field.Type != tool.ListType {
			return nil, false
		}
	default:
		if field.Type != tool.Expr {
			return nil, false
		}
	}
	return t.expression(t.text()), true
}

// failActions are what `on_fail` of a tool's `process` may be.
var failActions = []tool.Word{
	{Name: "block", Doc: "Stops the call: `block(\"…\")`."}, {Name: "reask", Doc: "Asks the user again: `reask(\"…\")`."},
	{Name: "warn", Doc: "Warns and goes on: `warn(\"…\")`."}, {Name: "use_original", Doc: "Goes on with the value as it was."},
	{Name: "fallback", Doc: "Gives another answer: `fallback(\"…\")`."},
}

// inBinding reports whether the line stands directly below a `verify` or `revert`
// that is a binding of its own.
func (t typed) inBinding() bool {
	path := t.path()
	return t.inTools() && len(path) == 1 && (path[0].Name() == "verify" || path[0].Name() == "revert")
}

// bindingRows are the rows of that binding: its type, and what that type has.
func (t typed) bindingRows() []tool.Field {
	kind := tool.Kind("")
	for c := range t.above.Entries() {
		if strings.EqualFold(c.Key(), "type") {
			kind = tool.Kind(bare(c.Value()).text)
		}
	}
	return tool.StepFields(t.path()[0].Name(), kind)
}
