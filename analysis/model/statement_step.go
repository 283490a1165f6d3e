package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// StepStatements are the statements of the bindings that check and undo what the tools
// of the file at path do, in order. No database is asked about them.
func StepStatements(w Workspace, path string) []Statement {
	f := w.files.Get(path)
	if f == nil || f.Doc == nil {
		return nil
	}
	var all []Statement
	for _, t := range f.Tools {
		if !hasSteps(t) {
			continue
		}
		lowered := LowerTool(w, path, ScopedTool{PlacedTool: t, File: f}).Tool
		for name, step := range map[string]*tool.Step{"verify": lowered.Verify, "revert": lowered.Revert} {
			if s, ok := stepStatement(ScopedTool{PlacedTool: t, File: f}, name, step, lowered.Params); ok {
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, func(a, b Statement) int { return a.place(text.Span{}).Start - b.place(text.Span{}).Start })
	return all
}

// hasSteps reports whether a tool says how its runs are checked or undone.
func hasSteps(t PlacedTool) bool {
	if t.IsForeign() {
		return t.Foreign.Verify != nil || t.Foreign.Revert != nil
	}
	_, verify := t.Property("verify")
	_, revert := t.Property("revert")
	return verify || revert
}

func stepStatement(t ScopedTool, name string, step *tool.Step, params []tool.Param) (s Statement, ok bool) {
	if step == nil {
		return s, false
	}
	sql, ok := step.Spec.(*tool.SQL)
	if !ok || strings.TrimSpace(sql.Statement) == "" {
		return s, false
	}
	s = Statement{Tool: t, Text: sql.Statement, Source: sql.Source, templates: sql.Templates(), step: name}
	for _, p := range params {
		s.ofRun = append(s.ofRun, p.Name)
	}
	s.Names = s.ofRun
	if step.Args != nil {
		s.Names = nil
		for _, a := range step.Args {
			s.Names = append(s.Names, a.Name)
		}
	}
	return s, s.findInStep()
}

// findBelow finds the statement below a key of a tool of Nao's.
func (s *Statement) findBelow(key string) bool {
	for _, x := range NaoTexts(s.Tool.File, s.Tool.PlacedTool, key) {
		if x.Key == "statement" {
			s.at(x.Inner())
			return true
		}
	}
	return false
}

// findInStep finds where the statement of a step is written.
func (s *Statement) findInStep() bool {
	if s.Tool.IsForeign() {
		return s.findBelow(s.step)
	}
	p, _ := s.Tool.Property(s.step)
	for _, inner := range p.Properties() {
		if inner.Field != nil && inner.Field.Name == "statement" {
			s.within(inner)
			return true
		}
	}
	return false
}
