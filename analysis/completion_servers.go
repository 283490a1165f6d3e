package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/dialect/abl"
	"github.com/abl-lsp/abl-lsp/tool"
)

// serverTools offers what the server of the tool has.
func (t typed) serverTools(p put) []CompletionItem {
	decl, _ := t.tool()
	if decl.ToolDecl == nil {
		return nil
	}
	use, _ := decl.ServerUse()
	server := t.w.Servers(t.file.Path).Server(use.Server.Text)
	if server == nil {
		return nil
	}
	items := t.plainNames(server.Names(), "tool of "+server.Name, p)
	for i := range items {
		items[i].Kind, items[i].Documentation = ToolItem, server.Tool(items[i].Label).markdown()
	}
	return items
}

// newServerTools offers a whole declaration for each tool that the project's servers
// have and the file has not.
func (t typed) newServerTools() []CompletionItem {
	var items []CompletionItem
	in, _ := t.w.Project(t.file.Path)
	if in == nil || in.Project == nil {
		return nil
	}
	table, _ := in.Project.Table(projectfile.Servers)
	for _, name := range table.Names() {
		server := t.w.Servers(t.file.Path).Server(name)
		if server == nil || !plainName.MatchString(name) {
			continue
		}
		for _, n := range server.Names() {
			if !t.file.binds(name, n) {
				items = append(items, t.declaration(server.Tool(n)))
			}
		}
	}
	return items
}

// binds reports whether a declaration of the file is the tool of a server.
func (f *File) binds(server, name string) bool {
	return slices.ContainsFunc(f.Tools, func(t PlacedTool) bool {
		use, ok := t.ServerUse()
		return ok && use.Server.Text == server && use.Tool.Text == name
	})
}

// declaration declares a tool as its server describes it.
func (t typed) declaration(s *ServerTool) CompletionItem {
	written := strings.TrimSuffix(s.declaration(), "\n")
	return CompletionItem{
		Label: s.Name, Kind: SnippetItem, Detail: "tool of " + s.Server.Name, Documentation: s.markdown(), Snippet: true,
		Edit: t.replace(t.start, escapeSnippet(strings.ReplaceAll(strings.TrimPrefix(written, "  "), "\n  ", "\n"))),
	}
}

// declaration is the text of the tool in a library.
func (t *ServerTool) declaration() string {
	declared := tool.Tool{
		Name: abl.Name(t.Name), Description: clipped(t.Description), Kind: tool.KindMCP,
		Params: t.params(), Returns: t.returns(), Spec: &tool.MCP{Server: t.Server.Name},
	}
	if declared.Name != t.Name {
		declared.Spec = &tool.MCP{Server: t.Server.Name, ServerTool: t.Name}
	}
	written, _ := abl.Tool(declared)
	return written
}
