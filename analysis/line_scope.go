package analysis

import (
	"cmp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
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

// errorType is what a failure is known to have.
var errorType = tool.Type{Name: "object", Declared: true, Fields: []tool.TypeField{
	{Name: "message", Type: &tool.Type{Name: "string"}, Description: "What went wrong, in words."},
}}

// ofScope is the type of a name of the scope.
func (t typed) ofScope(name string) *tool.Type {
	for _, n := range t.scope {
		if n.Name == name {
			return n.of
		}
	}
	return nil
}

// inputType is what `input` is: the text that the tool takes, else all of its arguments.
func inputType(d *ToolDecl) *tool.Type {
	if d.TakesText() {
		return &tool.Type{Name: "string"}
	}
	return argumentsType(d)
}

// inputWord says what it is.
func inputWord(d *ToolDecl) tool.Word {
	if d.TakesText() {
		return tool.Word{Name: FreeForm, Doc: "The text that the tool is called with: it has no parameters."}
	}
	return tool.Word{Name: FreeForm, Doc: "The arguments of the call."}
}

// stepScope is what an expression sees that checks a tool's runs, or says how they are
// undone: of a key below `verify` or `revert`, or of these themselves.
func stepScope(d *ToolDecl, step, key string) []scopeName {
	scope := checkScope(d)
	if key == "expect" {
		scope[0] = scopeName{Word: tool.Word{Name: "result", Doc: "What the binding answered."}}
	}
	if !seesParams(step, key) {
		return scope
	}
	for i := range d.Params {
		if p := &d.Params[i]; p.Name != "" && p.Name != FreeForm {
			scope = append(scope, scopeName{Word: tool.Word{Name: p.Name, Doc: "Parameter `" + paramText(p) + "`"}, of: p.Type, isParameter: true})
		}
	}
	scope = append(scope, scopeName{Word: inputWord(d), of: inputType(d)})
	for _, name := range []string{"session", "env", "config"} {
		space, _ := namespaceOf(name)
		scope = append(scope, scopeName{Word: tool.Word{Name: name, Doc: space.doc}})
	}
	return scope
}

// within reports whether a path begins with a name of a scope.
func within(scope []scopeName, path string) bool {
	head := pathParts.FindString(path)
	return slices.ContainsFunc(scope, func(n scopeName) bool { return n.Name == head })
}

// isStepExpression reports whether a key below a step, or the step itself, has
// expressions.
func isStepExpression(step, key string) bool {
	return step != "" && (key == step || key == "args" || key == "expect")
}

// scopeOfPath is what a path under the cursor is a part of, where that is in a tool and
// what its runs are given or bring; nil elsewhere.
func scopeOfPath(c cursor, path string) []scopeName {
	decl, ok := c.file.toolAround(c.offset)
	if !ok || c.node().Kind() == syntax.Key {
		return nil
	}
	scope := []scopeName{{Word: inputWord(decl.ToolDecl), of: inputType(decl.ToolDecl)}}
	switch step, key := stepAt(c); {
	case isStepExpression(step, key):
		scope = stepScope(decl.ToolDecl, step, key)
	case step != "":
		scope = append(scope, checkScope(decl.ToolDecl)...)
	}
	if !within(scope, path) {
		return nil
	}
	return scope
}

// stepTyped is the step whose expression is typed, with its key; "" where none is.
func (t typed) stepTyped() (step, key string) {
	path := t.path()
	switch {
	case !t.inTools():
		return "", ""
	case len(path) == 0:
		step, key = t.key, t.key
	case len(path) == 1:
		step, key = path[0].Name(), t.key
	default:
		step, key = path[0].Name(), path[1].Name()
	}
	step, key = strings.ToLower(step), strings.ToLower(key)
	if !isStep(step) || !isStepExpression(step, key) {
		return "", ""
	}
	return step, key
}

// naoScope is what the names of the text may mean beside parameters.
func naoScope(x NaoText, d *ToolDecl) []scopeName {
	if x.IsExpression() {
		return stepScope(d, x.Step, x.Key)
	}
	scope := []scopeName{{Word: inputWord(d), of: inputType(d)}}
	if isStep(x.Step) {
		scope = append(scope, checkScope(d)...)
	}
	return scope
}
