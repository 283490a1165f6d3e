package analysis

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// target is what the word under a cursor names: a tool, one of its parameters, a
// step, or an imported file.
type target struct {
	span  text.Span  // of the word
	tool  ScopedTool // the tool, or that of the parameter
	param *ParamDecl // nil for the tool itself
	step  *Step      // of the file itself; then there is no tool
	file  *Import    // of a path; nor is there one then
}

// targetAt is what the cursor stands on, if that is found.
func targetAt(w Workspace, c cursor) (t target, ok bool) {
	if i := c.file.importAround(c.offset); i != nil {
		return importTarget(w, c, i)
	}
	if t, ok := declaredTarget(c); ok {
		return t, true
	}
	if t, ok := declaredStepTarget(c); ok {
		return t, true
	}
	if c.entry.Entry == nil || !c.entry.Span().Touches(c.offset) {
		return target{}, false
	}
	for _, m := range slices.Concat(c.file.Mentions(c.entry), c.file.names(c.entry)) {
		if m.Span.Touches(c.offset) {
			if t, ok := mentionedTarget(w, c, m); ok {
				return t, true
			}
		}
	}
	return target{}, false
}

// importTarget is the path of an import, or the tool that a name of it means.
func importTarget(w Workspace, c cursor, i *Import) (target, bool) {
	if path := i.PathNode(); !path.IsZero() && path.Span().Touches(c.offset) {
		return target{span: path.Span(), file: i}, true
	}
	for _, n := range i.Names {
		if !n.Span().Touches(c.offset) {
			continue
		}
		exports, _ := Exports(w, i.Target)
		s, ok := Scope{Tools: exports}.Tool(n.Plain())
		return target{span: n.Span(), tool: s}, ok
	}
	return target{}, false
}

// declaredTarget is the tool or parameter whose declaration the cursor stands on.
func declaredTarget(c cursor) (target, bool) {
	decl, ok := c.file.toolAround(c.offset)
	if !ok {
		return target{}, false
	}
	t := target{tool: ScopedTool{PlacedTool: decl, File: c.file}}
	if t.span = decl.NameSpan(); t.span.Touches(c.offset) {
		return t, true
	}
	for i := range decl.Params {
		t.param = &decl.Params[i]
		if t.span = decl.At(t.param.NameNode()).Span(); t.param.Name != "" && t.span.Touches(c.offset) {
			return t, true
		}
	}
	return target{}, false
}

// declaredStepTarget is the step whose name the cursor stands on.
func declaredStepTarget(c cursor) (target, bool) {
	flow := c.file.FlowAt(c.offset)
	if flow == nil || c.section == nil || !isFlow(c.section.Name()) {
		return target{}, false
	}
	for i := range flow.Steps {
		if s := &flow.Steps[i]; s.NameSpan.Touches(c.offset) {
			return target{span: s.NameSpan, step: s}, true
		}
	}
	return target{}, false
}

// mentionedTarget is the tool, parameter or step that a mention means.
func mentionedTarget(w Workspace, c cursor, m Mention) (target, bool) {
	t := target{span: m.Span}
	switch m.Kind {
	case OfStep:
		flow := c.file.FlowAt(m.Span.Start)
		if flow == nil {
			return t, false
		}
		step, ok := flow.Step(m.Name)
		t.step = &step
		return t, ok
	case OfTool, OfArgument:
		name := m.Name
		if m.Kind == OfArgument {
			name = m.Tool
		}
		r := resolver{w: w, f: c.file}
		found := r.scoped(name)
		if len(found) == 0 {
			return t, false
		}
		t.tool = found[0]
		if len(c.file.parts) > 1 {
			if own, ok := w.Callable(c.file.Path).SeenFrom(c.file, m.Span.Start).Called(name); ok {
				t.tool = own
			}
		}
		if m.Kind == OfTool {
			return t, true
		}
	case OfParam:
		decl, ok := c.file.toolAround(m.Span.Start)
		if t.tool = (ScopedTool{PlacedTool: decl, File: c.file}); !ok {
			return t, false
		}
	default:
		return t, false
	}
	t.param = t.tool.Param(m.Name)
	return t, t.param != nil
}
