package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// FreeForm is the parameter of a tool that has none: it takes a text.
const FreeForm = tool.FreeForm

// TakesText reports whether the tool takes a text in place of parameters.
func (d *ToolDecl) TakesText() bool {
	_, schema := d.Property("input_schema")
	return len(d.Params) == 0 && len(d.Pasted()) == 0 && !schema
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

// describeScoped documents a path that begins with a name of the scope.
func (t typed) describeScoped(path string) string {
	of, doc := t.typeOf(path), ""
	for _, n := range t.scope {
		if n.Name == path {
			doc = n.Doc
		}
	}
	if of == nil && doc == "" {
		return ""
	}
	title := "**" + path + "**"
	if of != nil {
		title += " · " + codeSpan(oneLine(of.String(), maxSignature))
	}
	return paragraphs(title, doc, expanded(of))
}

// step is the step of a tool that the cursor is below, with the key that says what its
// expressions see; "" where it is in none.
func (c cursor) step() (name, key string) {
	path := c.properties()
	if !c.inTools() || len(path) == 0 || !isStep(path[0].Name()) {
		return "", ""
	}
	if len(path) > 1 {
		return path[0].Name(), path[1].Name()
	}
	return path[0].Name(), path[0].Name()
}

// isStepExpression reports whether a key below a step, or the step itself, has
// expressions.
func isStepExpression(step, key string) bool {
	return step != "" && (key == step || key == "args" || key == "expect")
}

// scopeHere is what a path under the cursor is a part of, where that is in a tool and
// what its runs are given or bring; nil elsewhere.
func (c cursor) scopeHere(path string) []scopeName {
	decl, ok := c.file.toolAround(c.offset)
	if !ok || c.node().Kind() == syntax.Key {
		return nil
	}
	scope := []scopeName{{Word: inputWord(decl.ToolDecl), of: inputType(decl.ToolDecl)}}
	switch step, key := c.step(); {
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

// ownOf are the names below `args` of the step that a path leads into; nil where that
// has none, or the path leads elsewhere.
func ownOf(path []Property) []string {
	if len(path) == 0 || !isStep(path[0].Name()) {
		return nil
	}
	return path[0].OwnArguments()
}

// OwnArguments are the names below `args` of a step, which its placeholders name in
// place of the tool's parameters; nil where it has none.
func (p Property) OwnArguments() []string {
	for args := range keyed(p.Node, false) {
		if args.Key() != "args" {
			continue
		}
		names := []string{}
		for a := range keyed(args, false) {
			names = append(names, syntax.Unquote(a.Key()))
		}
		return names
	}
	return nil
}
