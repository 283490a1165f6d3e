package invoke

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// IsPlatformTool reports whether the tool is one of the platform's own, which only run there.
func (t Tool) IsPlatformTool() bool {
	_, ok := t.Declared.PlatformTool()
	return ok
}

// checkBound returns an error, the answer to the call, if the tool has no binding and none
// was found, and nil otherwise. bound is the tool with the binding that was found.
func (t Tool) checkBound(bound *tool.Tool) error {
	switch {
	case t.Declared.ToolDecl == nil:
		return nil // asked of a server, and not declared
	case t.IsPlatformTool():
		return t.unboundError("platform-only", "%s is one of the platform's own tools, which run on the platform only", t.Tool.Name).
			WithHint("To try the rest of the project here, give its declaration an http binding to something that stands in for it.")
	case !t.Declared.NeedsLibrary() || len(t.Libraries) < 2 && t.Tool.Kind == "" && bound.Spec != nil:
		return nil // the project's file says which module handles it
	case len(t.Libraries) == 0:
		return t.unboundError("no-binding", "%s is declared without a binding, and no tool library of the workspace %s declares it", t.Tool.Name, t.workspaceFolder()).
			WithHint("Declare it with a binding in a .tools.abl there, or give it one here, for example `type: http` with `endpoint` and `method`.")
	case len(t.Libraries) > 1:
		return t.unboundError("ambiguous-binding", "%s is declared without a binding, and libraries of the workspace bind it differently: %s", t.Tool.Name, t.libraryPlaces()).
			WithHint("Leave one of them, or give the tool a binding of its own.")
	case t.Tool.Spec == nil:
		return t.unboundError("no-binding", "%s is declared without a binding, and so is the one in %s", t.Tool.Name, t.libraryPlaces()).
			WithHint("Give it a type there, for example `type: http` with `endpoint` and `method`.")
	}
	return nil
}

// unboundError returns the answer to a call of a tool without a binding. It begins with the
// position of the declaration.
func (t Tool) unboundError(code, format string, args ...any) *executor.Error {
	file := t.Declared.File
	line := file.Positions().Line(t.Declared.NameSpan()) + 1
	return executor.Errorf(executor.KindDefinition, code, "%s:%d: %s", filepath.Base(file.Path), line, fmt.Sprintf(format, args...))
}

// workspaceFolder returns the folder whose libraries bind the tool.
func (t Tool) workspaceFolder() string {
	root, _ := t.workspace.WorkspaceRoot(t.asked)
	return cmp.Or(root, filepath.Dir(t.asked))
}

// libraryPlaces returns where libraries declare the tool, as paths from the workspace's folder.
func (t Tool) libraryPlaces() string {
	var places []string
	for _, l := range t.Libraries {
		places = append(places, t.placeOf(l))
	}
	return strings.Join(places, ", ")
}

func (t Tool) placeOf(l model.ScopedTool) string {
	shown := l.File.Path
	if rel, err := filepath.Rel(t.workspaceFolder(), shown); err == nil {
		shown = filepath.ToSlash(rel)
	}
	return fmt.Sprintf("%s:%d", shown, l.File.Positions().Line(l.NameSpan())+1)
}
