package cursor

import (
	"cmp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// ScopeName is a name that an expression sees.
type ScopeName struct {
	tool.Word
	Of          *tool.Type // nil if unknown
	IsParameter bool
}

// RunScope returns the names that an expression about one run of a tool sees.
func RunScope(d *model.ToolDecl) []ScopeName {
	return []ScopeName{
		{Word: tool.Word{Name: "result", Doc: "What the tool returned."}, Of: d.Returns},
		{Word: tool.Word{Name: "args", Doc: "The arguments of the call."}, Of: argumentsType(d)},
	}
}

// CaseScope returns the names that the expected value of a saved case sees.
func CaseScope(d *model.ToolDecl) []ScopeName {
	return append(RunScope(d),
		ScopeName{Word: tool.Word{Name: "value", Doc: "What the tool returned, also called `result`."}, Of: d.Returns},
		ScopeName{Word: tool.Word{Name: "set", Doc: "The session variables that `on_result` has set."}},
		ScopeName{Word: tool.Word{Name: "error", Doc: "The failure: `error.kind`, `error.message`."}, Of: &errorType},
		ScopeName{Word: tool.Word{Name: "duration_ms", Doc: "How long the run took, in milliseconds."}, Of: &tool.Type{Name: "number"}},
	)
}

// argumentsType returns the type of the object with a tool's arguments.
func argumentsType(d *model.ToolDecl) *tool.Type {
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
		of.Fields = []tool.TypeField{{Name: model.FreeForm, Type: &tool.Type{Name: "string"}}}
	}
	return of
}

// errorType has the members that every failure has.
var errorType = tool.Type{Name: "object", Declared: true, Fields: []tool.TypeField{
	{Name: "message", Type: &tool.Type{Name: "string"}, Description: "What went wrong, in words."},
}}

// scopeType returns the type of a name of the scope.
func (t Line) scopeType(name string) *tool.Type {
	for _, n := range t.Scope {
		if n.Name == name {
			return n.Of
		}
	}
	return nil
}

// inputType returns the type of `input`: the text that the tool takes, else the object of its
// arguments.
func inputType(d *model.ToolDecl) *tool.Type {
	if d.TakesText() {
		return &tool.Type{Name: "string"}
	}
	return argumentsType(d)
}

// inputWord returns the word `input` with its documentation.
func inputWord(d *model.ToolDecl) tool.Word {
	if d.TakesText() {
		return tool.Word{Name: model.FreeForm, Doc: "The text that the tool is called with: it has no parameters."}
	}
	return tool.Word{Name: model.FreeForm, Doc: "The arguments of the call."}
}

// StepScope returns the names that an expression in a step, `verify` or `revert`, sees: one below
// the given key of the step, or that of the step itself if key is step.
func StepScope(d *model.ToolDecl, step, key string) []ScopeName {
	scope := RunScope(d)
	if key == "expect" {
		scope[0] = ScopeName{Word: tool.Word{Name: "result", Doc: "What the binding answered."}}
	}
	if !model.SeesParams(step, key) {
		return scope
	}
	for i := range d.Params {
		if p := &d.Params[i]; p.Name != "" && p.Name != model.FreeForm {
			scope = append(scope, ScopeName{Word: tool.Word{Name: p.Name, Doc: "Parameter `" + describe.ParamText(p) + "`"}, Of: p.Type, IsParameter: true})
		}
	}
	scope = append(scope, ScopeName{Word: inputWord(d), Of: inputType(d)})
	for _, name := range []string{"session", "env", "config"} {
		space, _ := model.FindNamespace(name)
		scope = append(scope, ScopeName{Word: tool.Word{Name: name, Doc: space.Doc}})
	}
	return scope
}

// InScope reports whether a path begins with a name of a scope.
func InScope(scope []ScopeName, path string) bool {
	head := model.PathPartPattern.FindString(path)
	return slices.ContainsFunc(scope, func(n ScopeName) bool { return n.Name == head })
}

// IsStepExpression reports whether the value of key in a step, `verify` or `revert`, has
// expressions. key may be the step itself. It is false for step "".
func IsStepExpression(step, key string) bool {
	return step != "" && (key == step || key == "args" || key == "expect")
}

// ScopeOfPath returns the names that a path under the cursor may begin with, if the cursor is in a
// tool and path begins with one that stands for the arguments or the result of a run; else nil.
func ScopeOfPath(c model.Cursor, path string) []ScopeName {
	decl, ok := c.File.ToolAround(c.Offset)
	if !ok || c.Node().Kind() == syntax.Key {
		return nil
	}
	scope := []ScopeName{{Word: inputWord(decl.ToolDecl), Of: inputType(decl.ToolDecl)}}
	switch step, key := StepAt(c); {
	case IsStepExpression(step, key):
		scope = StepScope(decl.ToolDecl, step, key)
	case step != "":
		scope = append(scope, RunScope(decl.ToolDecl)...)
	}
	if !InScope(scope, path) {
		return nil
	}
	return scope
}

// TypedStep returns the step, `verify` or `revert`, in whose expression the cursor is, and the key
// that has the expression; "" if the cursor is in none.
func (t Line) TypedStep() (step, key string) {
	path := t.Path()
	switch {
	case !t.InTools():
		return "", ""
	case len(path) == 0:
		step, key = t.Key, t.Key
	case len(path) == 1:
		step, key = path[0].Name(), t.Key
	default:
		step, key = path[0].Name(), path[1].Name()
	}
	step, key = strings.ToLower(step), strings.ToLower(key)
	if !model.IsStep(step) || !IsStepExpression(step, key) {
		return "", ""
	}
	return step, key
}

// NaoScope returns the names that the text x of the tool d may use. A text that is no expression
// may use the parameters of d as well.
func NaoScope(x model.NaoText, d *model.ToolDecl) []ScopeName {
	if x.IsExpression() {
		return StepScope(d, x.Step, x.Key)
	}
	scope := []ScopeName{{Word: inputWord(d), Of: inputType(d)}}
	if model.IsStep(x.Step) {
		scope = append(scope, RunScope(d)...)
	}
	return scope
}
