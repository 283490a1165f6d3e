package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

// caseToolName is the name by which a file of cases, given by its path, calls a tool.
type caseToolName struct{ cases, tool string }

// foundTool is the tool that a caseToolName means, or the reason why it cannot be called.
type foundTool struct {
	tool invoke.Tool
	err  error
}

// findTools returns the tools of the tests. It looks up each once, since there may be
// thousands of cases. Tests without a tool are left out.
func (r testRun) findTools(ctx context.Context, tests []savedTest) map[caseToolName]foundTool {
	once := invoke.CheckOnce(checkAllIn(ctx, r.workspace))
	testedTools, tools := map[string]model.TestedTools{}, map[caseToolName]foundTool{}
	for _, t := range tests {
		name := caseToolName{t.in.path, t.saved.Tool}
		if _, has := tools[name]; has || t.saved.Tool == "" {
			continue
		}
		if _, has := testedTools[name.cases]; !has {
			testedTools[name.cases] = model.TestedToolsOf(r.workspace, name.cases)
		}
		found, err := r.findTool(testedTools[name.cases], t, once)
		tools[name] = foundTool{found, err}
	}
	return tools
}

// findTool returns the tool that t tests, looked up in beside, the tools that t's file can
// test. It fails if there is no such tool, or if check finds errors in the tool or in the
// library that binds it.
func (r testRun) findTool(tested model.TestedTools, t savedTest, check func(path string) []model.Diagnostic) (invoke.Tool, error) {
	path, _, ok := tested.Tool(t.saved.Tool)
	if !ok {
		return invoke.Tool{}, fmt.Errorf("no file beside has a tool %q", t.saved.Tool)
	}
	found, ok := invoke.Find(r.workspace, path, t.saved.Tool, check)
	switch {
	case !ok:
		return invoke.Tool{}, fmt.Errorf("no file beside has a tool %q", t.saved.Tool)
	case len(found.Broken) > 0:
		return invoke.Tool{}, errors.New(found.RefusedEnvelope(displayPath(t.in, found.BrokenIn.Path)).Error.Message)
	}
	return found, nil
}
