package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// callArguments: the arguments of a call fit the signature of the tool: every name is a parameter,
// no required one is left out, there are no more values than parameters, and no literal has another
// type. A call without arguments takes them from the session.
var callArguments = Check{
	Code: "call-arguments",
	YAML: caseArguments,
	File: func(out *findings, f File) {
		if f.Kind != model.Agent && f.Kind != model.Supervisor {
			return
		}
		tools := callees{File: f}
		for c := range f.Calls() {
			if len(c.Args) == 0 || len(*out) >= maxFindings {
				continue
			}
			if t := tools.find(c.Tool, f.PartAt(c.ToolSpan.Start)); t != nil {
				t.checkCall(out, f.File, c)
			}
		}
	},
}

// callees are the tools that calls are compared with. They are looked up when the first call of an
// agent is checked.
type callees struct {
	File
	part  *model.Part
	scope map[string]model.ScopedTool
	found map[string]*callee // nil for a tool whose parameters cannot be known
}

// callee is a tool that a call names, with all of its parameters: those of the signature, enriched
// by `parameters:`, and those that an input_schema declares.
type callee struct {
	model.ScopedTool
	inputs   []tool.Param   // those of the signature first
	complete bool           // it has no other parameters
	index    map[string]int // of the parameters, by name
	pasted   []tool.Param   // into the statement
}

func newCallee(t model.ScopedTool) *callee {
	c := &callee{ScopedTool: t, index: make(map[string]int, len(t.Params))}
	inputs, complete := t.Inputs()
	named, all := t.SchemaParams()
	c.inputs, c.complete = slices.Concat(inputs, named), complete && all
	for i, p := range c.inputs {
		c.index[p.Name] = i
	}
	return c
}

func (c *callees) find(name string, part *model.Part) *callee {
	if c.part != part {
		c.part, c.found = part, map[string]*callee{}
		c.scope = c.Workspace.Callable(c.Path).SeenFrom(c.File.File, part.Offset).CallIndex()
	}
	t, known := c.found[name]
	if !known {
		if s, ok := c.scope[name]; ok && hasCompleteSignature(s.ToolDecl) {
			t = newCallee(s)
			t.pasted = model.TemplateParams(c.Workspace, s)
		}
		c.found[name] = t
	}
	return t
}

func (t *callee) checkCall(out *findings, caller *model.File, c model.Call) {
	m := callMatch{callee: t, caller: caller, call: c, given: make([]bool, len(t.inputs))}
	positional := 0
	var extra []model.Argument
	for _, a := range c.Args {
		switch {
		case a.Name != "":
			m.addNamed(a)
		case positional < len(t.Params):
			m.given[positional] = true
			positional++
		default:
			extra = append(extra, a)
		}
	}
	m.reportUnknown(out)
	if len(extra) > 0 && t.complete {
		span := text.Span{Start: extra[0].Span.Start, End: extra[len(extra)-1].Span.End}
		out.warn(span, "`%s` takes %s.", t.Name, countOfArguments(len(t.Params)))
	}
	if missing := m.missingParams(); len(missing) > 0 {
		out.warn(c.ToolSpan, "The call does not give `%s` its %s.", t.Name, shortList(missing))
	}
}

// callMatch holds which parameters of a tool the arguments of one call give, and which arguments
// are unknown.
type callMatch struct {
	*callee
	caller  *model.File
	call    model.Call
	given   []bool
	unknown []model.Argument
}

// addNamed adds an argument that names its parameter, or a part of it.
func (m *callMatch) addNamed(a model.Argument) {
	head := placeholder.RootName(a.Name)
	if i, ok := m.index[a.Name]; ok {
		m.given[i] = true
	} else if i, ok := m.index[head]; ok {
		m.given[i] = true
	} else if m.complete && !m.SuppliesName(head) && len(m.unknown) < maxFindings {
		m.unknown = append(m.unknown, a)
	}
}

// reportUnknown reports unknown arguments and offers the parameters that are not given yet.
func (m *callMatch) reportUnknown(out *findings) {
	if len(m.unknown) == 0 {
		return
	}
	var left []string
	for i, p := range m.inputs {
		if !m.given[i] {
			left = append(left, p.Name)
		}
	}
	left = append(left, m.PastedParams()...)
	takes := m.ArgumentNames()
	for _, a := range m.unknown {
		near := model.Nearest(a.Name, left)
		advice := "it takes " + shortList(takes) + "."
		switch {
		case near != "":
			advice = "did you mean `" + near + "`?"
		case len(takes) == 0:
			advice = "it takes no arguments."
		}
		d := out.warn(a.Span, "`%s` has no parameter `%s`; %s", m.Name, a.Name, advice)
		if near == "" {
			m.offerParameter(d, a)
		}
		offerNear(d, a.Span, a.Name, left)
	}
}

// offerParameter adds the fix that declares an argument as a parameter of the tool, in the file
// that declares the tool.
func (m *callMatch) offerParameter(d *model.Diagnostic, a model.Argument) {
	fix, ok := edit.AddParameter(m.ToolDecl, a.Name, edit.ArgumentType(m.caller, a.Name, a.Value))
	if !ok {
		return
	}
	for i := range fix.Edits {
		fix.Edits[i].Path = m.File.Path
		fix.Edits[i].Span = fix.Edits[i].Shift(m.Offset)
	}
	d.Fixes = append(d.Fixes, fix)
}

// shortList lists names in a message, as many as are easily read.
func shortList(names []string) string {
	const most = 8
	more := ""
	if len(names) > most {
		names, more = names[:most], ", …"
	}
	return "`" + strings.Join(names, "`, `") + "`" + more
}

// countOfArguments returns a number of arguments with its noun.
func countOfArguments(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "one argument"
	}
	return "no more than " + strconv.Itoa(n) + " arguments"
}

// missingParams returns the required parameters that the call leaves out. It leaves out one whose
// name is near to an unknown argument, since that argument is reported already.
func (m *callMatch) missingParams() []string {
	if m.call.Incomplete || !m.complete {
		return nil
	}
	var missing []string
	for i, p := range m.inputs {
		near := func(a model.Argument) bool { return model.Nearest(a.Name, []string{p.Name}) != "" }
		if !m.given[i] && isRequired(p) && !m.SuppliesName(p.Name) && !slices.ContainsFunc(m.unknown, near) {
			missing = append(missing, p.Name)
		}
	}
	for _, p := range m.pasted {
		if isRequired(p) && !slices.ContainsFunc(m.call.Args, func(a model.Argument) bool { return a.Name == p.Name }) {
			missing = append(missing, p.Name)
		}
	}
	return missing
}

// isRequired reports whether a call has to give the parameter: it has no default, and nothing else
// supplies it.
func isRequired(p tool.Param) bool {
	fromModel := p.Source == "" || p.Source == "model"
	return !p.Optional && p.Default == nil && p.Shown() && fromModel && p.Value == "" && p.Template == ""
}
