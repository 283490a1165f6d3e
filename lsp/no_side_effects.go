package lsp

import (
	"context"
	"fmt"

	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// noSideEffectsArgument is the argument of abl.noSideEffects.
type noSideEffectsArgument struct {
	fileArgument
	Tool    string `json:"tool"`
	Version string `json:"version"`
	Check   bool   `json:"check"` // only check whether it can be written
}

// declareNoSideEffects asks the client to write into a tool that it has no side effects.
// After that the person is not asked before each run.
func declareNoSideEffects(ctx context.Context, x execution, path string, argument *noSideEffectsArgument) (any, error) {
	snap := x.snap
	name := tool.JoinVersion(argument.Tool, argument.Version)
	owner := toolFile(snap, path, name)
	if _, ok := snap.workspace.Scope(owner).ToolByCallName(name); !ok {
		return nil, x.explainMissingTool(ctx, snap, path, name)
	}
	change, ok := refactor.NoEffectsHint(snap.workspace, owner, name)
	if !ok {
		return nil, fmt.Errorf("%s says nothing of its effects in the way of ABL, or says already that it has none", name)
	}
	edits, err := change.Edits(ctx, snap.workspace)
	if err != nil || argument.Check {
		return nil, err
	}
	return nil, x.client.applyEdit(ctx, snap, change.Title, edits...)
}
