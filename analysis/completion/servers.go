package completion

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/dialect/abl"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeServerTools offers the tools of the server that the tool names.
func completeServerTools(t cursor.Line, p insertion) []Item {
	decl, _ := t.Tool()
	if decl.ToolDecl == nil {
		return nil
	}
	use, _ := decl.ServerUse()
	server := t.Workspace.Servers(t.File.Path).Server(use.Server.Text)
	if server == nil {
		return nil
	}
	items := completePlainNames(t, server.Names(), "tool of "+server.Name, p)
	for i := range items {
		items[i].Kind, items[i].Documentation = ToolItem, describe.ServerToolMarkdown(server.Tool(items[i].Label))
	}
	return items
}

// completeNewServerTools offers a whole declaration for each tool that the project's servers have
// and the file does not have.
func completeNewServerTools(t cursor.Line) []Item {
	var items []Item
	in, _ := t.Workspace.Project(t.File.Path)
	if in == nil || in.Project == nil {
		return nil
	}
	table, _ := in.Project.Table(projectfile.Servers)
	for _, name := range table.Names() {
		server := t.Workspace.Servers(t.File.Path).Server(name)
		if server == nil || !model.PlainName.MatchString(name) {
			continue
		}
		for _, n := range server.Names() {
			if !bindsName(t.File, name, n) {
				items = append(items, serverToolItem(t, server.Tool(n)))
			}
		}
	}
	return items
}

// bindsName reports whether a declaration of the file is bound to the tool of a server.
func bindsName(f *model.File, server, name string) bool {
	return slices.ContainsFunc(f.Tools, func(t model.PositionedTool) bool {
		use, ok := t.ServerUse()
		return ok && use.Server.Text == server && use.Tool.Text == name
	})
}

// serverToolItem declares a tool as its server describes it.
func serverToolItem(t cursor.Line, s *model.ServerTool) Item {
	written := strings.TrimSuffix(serverDeclaration(s), "\n")
	return Item{
		Label: s.Name, Kind: SnippetItem, Detail: "tool of " + s.Server.Name, Documentation: describe.ServerToolMarkdown(s), Snippet: true,
		Edit: t.Replace(t.Start, escapeSnippet(strings.ReplaceAll(strings.TrimPrefix(written, "  "), "\n  ", "\n"))),
	}
}

// serverDeclaration returns the text of the tool in a library.
func serverDeclaration(t *model.ServerTool) string {
	declared := tool.Tool{
		Name: abl.Name(t.Name), Description: describe.ClipServerText(t.Description), Kind: tool.KindMCP,
		Params: describe.ServerParams(t), Returns: describe.ServerReturns(t), Spec: &tool.MCP{Server: t.Server.Name},
	}
	if declared.Name != t.Name {
		declared.Spec = &tool.MCP{Server: t.Server.Name, ServerTool: t.Name}
	}
	written, _ := abl.Tool(declared)
	return written
}
