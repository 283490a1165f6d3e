// Package invoke turns the name of a tool in a file into a call of the executor. Editor
// and shell use it for every run.
package invoke

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
)

// Tool is a tool that a file can call by name, with the errors in its definition. [Find]
// and [All] return it.
type Tool struct {
	model.LoweredTool
	Broken   []model.Diagnostic // its own errors, else those of the library that binds it; if there are any it cannot run
	BrokenIn *model.File        // the file with these errors

	asked     string // the path of the file that calls it
	workspace model.Workspace
}

// Find returns the tool that name means in the file at path. check returns the diagnostics
// of a file; the tool's own errors among them are in its Broken. ok is false if no tool
// has the name.
func Find(w model.Workspace, path, name string, check func(path string) []model.Diagnostic) (t Tool, ok bool) {
	lowered, ok := model.Lower(w, path, name)
	if !ok {
		return Tool{}, false
	}
	return newTool(w, path, lowered, check), true
}

func newTool(w model.Workspace, path string, l model.LoweredTool, check func(path string) []model.Diagnostic) Tool {
	t := Tool{LoweredTool: l, Broken: ToolErrors(l, check), BrokenIn: l.Declared.File, asked: path, workspace: w}
	if len(t.Broken) == 0 && len(l.Libraries) == 1 {
		library := model.LowerTool(w, path, l.Libraries[0])
		t.Broken, t.BrokenIn = ToolErrors(library, check), library.Declared.File
	}
	return t
}

// All returns the tools that the file at path can name, with imported ones. check is as in
// [Find].
func All(w model.Workspace, path string, check func(path string) []model.Diagnostic) []Tool {
	check = CheckOnce(check)
	var all []Tool
	for _, l := range model.LowerAll(w, path) {
		all = append(all, newTool(w, path, l, check))
	}
	return all
}

// CheckOnce returns a check that calls the given one once for each file, since a file may
// have many tools.
func CheckOnce(check func(path string) []model.Diagnostic) func(path string) []model.Diagnostic {
	known := map[string][]model.Diagnostic{}
	return func(path string) []model.Diagnostic {
		if _, has := known[path]; !has {
			known[path] = check(path)
		}
		return known[path]
	}
}

// ToolErrors returns the errors of a tool itself: those that check finds within its
// declaration, and those of the shared defaults that it uses.
func ToolErrors(l model.LoweredTool, check func(path string) []model.Diagnostic) []model.Diagnostic {
	d := l.Declared
	broken := model.ErrorsInTool(check(d.File.Path), d.PositionedTool)
	for _, e := range l.Diagnostics {
		known := func(b model.Diagnostic) bool { return b.Span == e.Span }
		if e.Severity == model.Error && !slices.ContainsFunc(broken, known) {
			broken = append(broken, e)
		}
	}
	return broken
}

// RefusedEnvelope returns the answer to a call of a broken tool; Broken must not be empty.
// The answer names the position of the first error. file is shown as the name of the file
// BrokenIn.
func (t Tool) RefusedEnvelope(file string) executor.Envelope {
	first := t.Broken[0]
	line := t.BrokenIn.Positions().Line(first.Span) + 1
	return executor.RefusedEnvelope(&t.Tool, executor.Errorf(executor.KindDefinition, first.Code, "%s:%d: %s", file, line, first.Message))
}
