package invoke

import (
	"cmp"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// FindToolOfRun returns the tool that row, a run of the journal, called, as the tool is
// now. check is as in [Find]. ok is false if the tool is gone, or if a tool of another
// file or another version has its name now. A tool without a version fits a run of any
// version.
func FindToolOfRun(w model.Workspace, row executor.PastRun, check func(path string) []model.Diagnostic) (t Tool, ok bool) {
	t, ok = Find(w, cmp.Or(row.RequestedFrom, row.File), tool.JoinVersion(row.Tool, row.Version), check)
	return t, ok && t.Tool.Origin.File == row.File && (t.Tool.Version == row.Version || t.Tool.Version == "")
}

// ToolGoneError returns the answer if [FindToolOfRun] does not find the tool.
func ToolGoneError(row executor.PastRun) *executor.Error {
	return executor.Errorf(executor.KindDefinition, "no-tool", "%s has no tool %s any more, which the run %s was of",
		row.File, tool.JoinVersion(row.Tool, row.Version), row.Run)
}
