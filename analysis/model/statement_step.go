package model

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// StepStatements returns the statements in `verify` and `revert` of the tools of the file at path,
// in order. Unlike the statements of tools, these are never sent to a database to be verified.
func StepStatements(w Workspace, path string) []Statement {
	f := w.File(path)
	if f == nil || f.Doc == nil {
		return nil
	}
	var all []Statement
	for t := range f.ToolsWith(HasSteps) {
		if !hasSteps(t) {
			continue
		}
		scoped := ScopedTool{PositionedTool: t, File: f}
		lowered := LowerTool(w, path, scoped).Tool
		for name, step := range map[string]*tool.Step{"verify": lowered.Verify, "revert": lowered.Revert} {
			if s, ok := stepStatement(scoped, name, step, paramNames(lowered.Params)); ok {
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, func(a, b Statement) int { return a.place(text.Span{}).Start - b.place(text.Span{}).Start })
	return all
}

// hasSteps reports whether a tool has `verify` or `revert`.
func hasSteps(t PositionedTool) bool {
	if t.IsForeign() {
		return t.Foreign.Verify != nil || t.Foreign.Revert != nil
	}
	_, verify := t.Property("verify")
	_, revert := t.Property("revert")
	return verify || revert
}

// stepStatement returns the statement of step, which is called name and may be nil. The statement
// binds the arguments of the step or, if it has none of its own, the parameters ofRun. ok is false
// if the step has no statement, or it cannot be found in the text.
func stepStatement(t ScopedTool, name string, step *tool.Step, ofRun []string) (s Statement, ok bool) {
	if step == nil {
		return s, false
	}
	names := ofRun
	if step.Args != nil {
		names = nil
		for _, a := range step.Args {
			names = append(names, a.Name)
		}
	}
	s, ok = newStatement(t, name, step.Spec, names)
	s.ofRun = ofRun
	return s, ok
}
