package completion

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeCallable offers the tools that the file can call, then those that it could import.
func completeCallable(t cursor.Line, p insertion) []Item {
	scope := t.Workspace.Callable(t.File.Path)
	if t.File.Kind == model.Profile {
		return completeTools(t, append(scope.Tools, toolsOfImporters(fullWorkspace(t), t.File.Path)...), p)
	}
	return append(completeTools(t, scope.Tools, p), completeImportable(t, scope, p)...)
}

// toolsOfImporters returns the tools that the importers of the file at path can call.
func toolsOfImporters(w model.Workspace, path string) []model.ScopedTool {
	var tools []model.ScopedTool
	for _, from := range w.Importers(path) {
		tools = append(tools, w.Callable(from).Tools...)
	}
	return tools
}

// completeImportable offers the tools of other libraries of the workspace, each with the edit that
// imports it.
func completeImportable(t cursor.Line, scope model.Scope, p insertion) []Item {
	if t.File.Kind == model.Library || t.File.Kind == model.Profile {
		return nil
	}
	known, whole := scope.CallIndex(), fullWorkspace(t)
	var items []Item
	for _, path := range whole.Paths() {
		written := model.Relative(t.File.Path, path)
		if whole.Summary(path).Kind != model.Library || written == "" || t.Ctx.Err() != nil {
			continue
		}
		for _, decl := range whole.File(path).Tools {
			if _, ok := known[decl.Name]; ok || decl.Name == "" || slices.Contains(p.listed, decl.Name) {
				continue
			}
			at, line := edit.ImportEdit(t.File, path, written, decl.Name, t.Offset)
			items = append(items, newItem(t, p, Item{
				Label: decl.Name, Kind: ToolItem, Detail: "import from " + written, Tool: &ToolName{Path: path, Name: decl.Name},
				AdditionalEdits: []text.Edit{{Span: at, NewText: model.LineEnds(t.File.Doc.Text(), line)}},
			}))
		}
	}
	return items
}

// ToolName names a tool by the file that declares it.
type ToolName struct{ Path, Name string }

// ToolDocumentation documents a tool to a reader of the file at path; "" if there is none of that
// name.
func ToolDocumentation(w model.Workspace, path string, t ToolName) string {
	from, in := w.File(path), w.File(t.Path)
	if from == nil || in == nil {
		return ""
	}
	for _, decl := range in.Tools {
		if decl.Name == t.Name {
			return describe.ToolMarkdown(w, from, model.ScopedTool{PositionedTool: decl, File: in})
		}
	}
	return ""
}

// completePlatformTools offers the signatures of the platform's tools that the file does not have.
func completePlatformTools(t cursor.Line) []Item {
	if t.File.Kind == model.Library {
		return nil
	}
	known := t.Workspace.Callable(t.File.Path).Index()
	var items []Item
	for _, p := range tool.PlatformTools() {
		if _, isKnown := known[p.Name]; isKnown {
			continue
		}
		items = append(items, Item{
			Label: p.Name, Kind: ToolItem, Detail: "tool of the platform", Documentation: describe.Paragraphs(describe.Fenced(p.Signature()), describe.PlatformMarkdown(p)),
			Edit: t.Replace(t.Start, p.Signature()),
		})
	}
	return items
}
