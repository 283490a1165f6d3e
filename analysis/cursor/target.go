package cursor

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Target is what the word under a cursor names: a tool, one of its parameters, a step, or an
// imported file.
type Target struct {
	Span  text.Span        // of the word
	Tool  model.ScopedTool // the tool, or that of the parameter
	Param *model.ParamDecl // nil for the tool itself
	Step  *model.Step      // of the file itself; then Tool is zero
	File  *model.Import    // of a path; then Tool is zero
}

// TargetAt returns what the word under the cursor names. ok is false if the word names no tool,
// parameter, step or file, or one that cannot be found.
func TargetAt(w model.Workspace, c model.Cursor) (t Target, ok bool) {
	if i := c.File.ImportAround(c.Offset); i != nil {
		return importTarget(w, c, i)
	}
	if t, ok := declaredTarget(c); ok {
		return t, true
	}
	if t, ok := declaredStepTarget(c); ok {
		return t, true
	}
	if c.Entry.Entry == nil || !c.Entry.Span().Touches(c.Offset) {
		return Target{}, false
	}
	for m := range c.File.NameRefs(c.Entry) {
		if m.Span.Touches(c.Offset) {
			if t, ok := namedTarget(w, c, m); ok {
				return t, true
			}
		}
	}
	return Target{}, false
}

// importTarget returns what is under the cursor in the import i: the file of its path, or the tool
// that a name in its list means. The second result is false if that tool cannot be found.
func importTarget(w model.Workspace, c model.Cursor, i *model.Import) (Target, bool) {
	if path := i.PathNode(); !path.IsZero() && path.Span().Touches(c.Offset) {
		return Target{Span: path.Span(), File: i}, true
	}
	for _, n := range i.Names {
		if !n.Span().Touches(c.Offset) {
			continue
		}
		exports, _ := model.Exports(w, i.Target)
		s, ok := model.Scope{Tools: exports}.Tool(n.UnquotedText())
		return Target{Span: n.Span(), Tool: s}, ok
	}
	return Target{}, false
}

// declaredTarget returns the tool or the parameter whose name the cursor is on, in its declaration.
// The second result is false elsewhere.
func declaredTarget(c model.Cursor) (Target, bool) {
	decl, ok := c.File.ToolAround(c.Offset)
	if !ok {
		return Target{}, false
	}
	t := Target{Tool: model.ScopedTool{PositionedTool: decl, File: c.File}}
	if t.Span = decl.NameSpan(); t.Span.Touches(c.Offset) {
		return t, true
	}
	for i := range decl.Params {
		t.Param = &decl.Params[i]
		if t.Span = decl.InFile(t.Param.NameNode()).Span(); t.Param.Name != "" && t.Span.Touches(c.Offset) {
			return t, true
		}
	}
	return Target{}, false
}

// declaredStepTarget returns the step whose name the cursor is on, where the step is written. The
// second result is false elsewhere.
func declaredStepTarget(c model.Cursor) (Target, bool) {
	flow := c.File.FlowAt(c.Offset)
	if flow == nil || c.Section == nil || !model.IsFlow(c.Section.Name()) {
		return Target{}, false
	}
	for i := range flow.Steps {
		if s := &flow.Steps[i]; s.NameSpan.Touches(c.Offset) {
			return Target{Span: s.NameSpan, Step: s}, true
		}
	}
	return Target{}, false
}

// namedTarget returns the tool, the parameter or the step that m names. The second result is false
// if it cannot be found.
func namedTarget(w model.Workspace, c model.Cursor, m model.NameRef) (Target, bool) {
	t := Target{Span: m.Span}
	switch m.Kind {
	case model.StepRef, model.TargetRef:
		flow := c.File.FlowAt(m.Span.Start)
		if flow == nil {
			return t, false
		}
		step, ok := flow.Step(m.Name)
		t.Step = &step
		return t, ok
	case model.ToolRef, model.ArgumentRef:
		name := m.Name
		if m.Kind == model.ArgumentRef {
			name = m.Owner
		}
		r := model.Resolver{Workspace: w, File: c.File}
		found := r.ToolsNamed(name)
		if len(found) == 0 {
			return t, false
		}
		t.Tool = found[0]
		if len(c.File.Parts()) > 1 {
			if own, ok := w.Callable(c.File.Path).SeenFrom(c.File, m.Span.Start).ToolByCallName(name); ok {
				t.Tool = own
			}
		}
		if m.Kind == model.ToolRef {
			return t, true
		}
	case model.ParameterRef:
		decl, ok := c.File.ToolAround(m.Span.Start)
		if t.Tool = (model.ScopedTool{PositionedTool: decl, File: c.File}); !ok {
			return t, false
		}
	default:
		return t, false
	}
	t.Param = t.Tool.Param(m.Name)
	return t, t.Param != nil
}
