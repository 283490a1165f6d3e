package model

import (
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// FreeForm is the parameter of a tool that takes a text instead of parameters.
const FreeForm = tool.FreeForm

// TakesText reports whether the tool takes a text instead of parameters.
func (d *ToolDecl) TakesText() bool {
	_, schema := d.Property("input_schema")
	return len(d.Params) == 0 && len(d.PastedParams()) == 0 && !schema
}

// StepArgumentsOf returns the names below `args` of the step that a path leads into; nil if the
// step has none, or the path leads into no step.
func StepArgumentsOf(path []Property) []string {
	if len(path) == 0 || !IsStep(path[0].Name()) {
		return nil
	}
	return path[0].StepArguments()
}

// StepArguments returns the names below `args` of a step, which its placeholders name instead of
// the tool's parameters; nil if it has none.
func (p Property) StepArguments() []string {
	for args := range KeyedNodes(p.Node, false) {
		if args.Key() != "args" {
			continue
		}
		names := []string{}
		for a := range KeyedNodes(args, false) {
			names = append(names, syntax.Unquote(a.Key()))
		}
		return names
	}
	return nil
}
