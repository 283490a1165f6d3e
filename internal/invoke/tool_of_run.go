package invoke

import (
	"cmp"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// FindToolOfRun is the tool that a run of the journal was of, as it reads now. ok is false
// where it is gone, or another tool has its name by now. One without a version is any
// version.
func FindToolOfRun(w model.Workspace, row executor.PastRun, check func(path string) []model.Diagnostic) (t Tool, ok bool) {
	t, ok = Find(w, cmp.Or(row.RequestedFrom, row.File), tool.JoinVersion(row.Tool, row.Version), check)
	return t, ok && t.Tool.Origin.File == row.File && (t.Tool.Version == row.Version || t.Tool.Version == "")
}

// ToolGoneError is the answer where it is not found.
func ToolGoneError(row executor.PastRun) *executor.Error {
	return executor.Errorf(executor.KindDefinition, "no-tool", "%s has no tool %s any more, which the run %s was of",
		row.File, tool.JoinVersion(row.Tool, row.Version), row.Run)
}
