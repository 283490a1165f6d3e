package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// callArguments: what a call gives fits the signature of the tool: no name that
// is no parameter, no required one left out, no more values than parameters, and
// no literal of another type. A call that gives nothing takes its arguments from
// the session.
var callArguments = Check{
	Code: "call-arguments",
	File: func(f File) []analysis.Diagnostic {
		if f.Kind != analysis.Agent && f.Kind != analysis.Supervisor {
			return nil
		}
		var out findings
		tools := callees{File: f}
		for c := range f.Calls() {
			if len(c.Args) == 0 || len(out) >= enough {
				continue
			}
			if t := tools.find(c.Tool); t != nil {
				t.call(&out, c)
			}
		}
		return out
	},
}

// callees are the tools that calls are compared with. They are looked up when
// the first call asks.
type callees struct {
	File
	scope map[string]analysis.ScopedTool
	found map[string]*callee // nil for a tool whose parameters cannot be known
}

// callee is a tool with its parameters, as `parameters:` enriches them.
type callee struct {
	analysis.ScopedTool
	inputs []tool.Param
	whole  bool
}

func (c *callees) find(name string) *callee {
	if c.scope == nil {
		c.scope, c.found = c.Workspace.Callable(c.Path).Index(), map[string]*callee{}
	}
	t, known := c.found[name]
	if !known {
		if s, ok := c.scope[name]; ok && hasSignature(s.ToolDecl) {
			t = &callee{ScopedTool: s}
			t.inputs, t.whole = s.Inputs()
		}
		c.found[name] = t
	}
	return t
}

// hasSignature reports whether all parameters can be known: the signature is
// whole, and no schema takes its place.
func hasSignature(t *analysis.ToolDecl) bool {
	_, schema := t.Property("input_schema")
	return !schema && signatureIsWhole(t)
}

func (t *callee) call(out *findings, c analysis.Call) {
	given := make([]bool, len(t.Params))
	var extra []analysis.Argument
	positional := 0
	for _, a := range c.Args {
		at := -1
		switch {
		case a.Name != "":
			at = t.param(out, c, a)
		case positional < len(t.Params):
			at = positional
			positional++
		default:
			extra = append(extra, a)
		}
		if at >= 0 {
			given[at] = true
			if a.Name == "" || a.Name == t.Params[at].Name {
				t.literal(out, c, a, t.inputs[at])
			}
		}
	}
	if len(extra) > 0 {
		span := text.Span{Start: extra[0].Span.Start, End: extra[len(extra)-1].Span.End}
		out.warn(span, "`%s` takes %s.", t.Name, counted(len(t.Params)))
	}
	if missing := t.missing(c, given); len(missing) > 0 {
		out.warn(c.ToolSpan, "The call does not give `%s` its `%s`.", t.Name, strings.Join(missing, "`, `"))
	}
}

// counted is a number of arguments.
func counted(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "one argument"
	}
	return "no more than " + strconv.Itoa(n) + " arguments"
}

// param is the index of the parameter that an argument names, -1 where there is
// none.
func (t *callee) param(out *findings, c analysis.Call, a analysis.Argument) int {
	head := a.Name
	if i := strings.IndexAny(head, ".["); i >= 0 {
		head = head[:i]
	}
	for i := range t.Params {
		if t.Params[i].Name == a.Name || t.Params[i].Name == head {
			return i
		}
	}
	if introduces(t.ToolDecl, head) || !t.whole {
		return -1
	}
	var left []string
	for i := range t.Params {
		if !c.Gives(t.Params[i].Name) {
			left = append(left, t.Params[i].Name)
		}
	}
	near := analysis.Nearest(a.Name, left)
	advice := "its parameters are `" + strings.Join(paramNames(t.ToolDecl), "`, `") + "`."
	switch {
	case near != "":
		advice = "did you mean `" + near + "`?"
	case len(t.Params) == 0:
		advice = "it takes no arguments."
	}
	d := out.warn(a.Span, "`%s` has no parameter `%s`; %s", t.Name, a.Name, advice)
	if near != "" {
		d.Fixes = append(d.Fixes, analysis.Change("Change to `"+near+"`", a.Span, near))
	}
	return -1
}

// missing are the parameters that the call leaves out, and has to give. A name
// that is one slip of the pen away counts as given: that is said already.
func (t *callee) missing(c analysis.Call, given []bool) []string {
	if c.Open || !t.whole {
		return nil
	}
	var missing []string
	for i, p := range t.inputs {
		near := func(a analysis.Argument) bool {
			return a.Name != "" && analysis.Nearest(a.Name, []string{p.Name}) != ""
		}
		if !given[i] && isRequired(p) && !introduces(t.ToolDecl, p.Name) && !slices.ContainsFunc(c.Args, near) {
			missing = append(missing, p.Name)
		}
	}
	return missing
}

// isRequired reports whether a call has to give the parameter: there is no
// default, and nobody else supplies it.
func isRequired(p tool.Param) bool {
	fromModel := p.Source == "" || p.Source == "model"
	return !p.Optional && p.Default == nil && p.Shown() && fromModel && p.Value == ""
}

// literal compares a number, a boolean, a list or a map with the type of the
// parameter. A text may be an expression, and a number goes where a text is
// wanted.
func (t *callee) literal(out *findings, c analysis.Call, a analysis.Argument, p tool.Param) {
	name, wrong := analysis.LiteralName(a.Value), false
	if p.Type == nil || len(p.Type.Union) > 0 {
		return
	}
	switch p.Type.Name {
	case "number", "integer", "float", "int":
		wrong = name != "a number"
	case "boolean", "bool":
		wrong = name != "a boolean"
	case "string", "datetime":
		wrong = name == "a list" || name == "a map"
	case "date":
		wrong = true
	case "array":
		wrong = name != "a list"
	case "object", "map":
		wrong = name != "a map"
	}
	if name != "" && wrong {
		out.warn(c.At(a.Value).Span(), "`%s` of `%s` is of type `%s`, and this is %s.", p.Name, t.Name, p.Type, name)
	}
}
