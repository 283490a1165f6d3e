package invoke

import (
	"cmp"
	"maps"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// ListingRequests returns the requests that ask MCP servers for their tools: one for each
// server of the tools of the file at path, with imported ones, or of a project's file. Its
// errors are those of [Tool.Request].
func ListingRequests(w model.Workspace, path string, c CallOptions) ([]executor.Request, error) {
	listed, err := listingTool(w, path, "").Request(c)
	if err != nil {
		return nil, err
	}
	var requests []executor.Request
	for _, name := range serversOf(w, path, listed) {
		req := listed
		req.Tool = &listingTool(w, path, name).Tool
		requests = append(requests, req)
	}
	return requests, nil
}

func serversOf(w model.Workspace, path string, listed executor.Request) []string {
	if model.IsProjectFile(path) {
		return slices.Sorted(maps.Keys(listed.Environment.Servers))
	}
	var names []string
	for _, l := range model.LowerAll(w, path) {
		if spec, ok := l.Tool.Spec.(*tool.MCP); ok && spec.Server != "" && !slices.Contains(names, spec.Server) {
			names = append(names, spec.Server)
		}
	}
	return names
}

// ServerTool returns the tool of an MCP server that an MCP tool calls, as the server last listed it. ok
// is false for other tools, and if the server has not listed it.
func (t *Tool) ServerTool() (listed tool.ServerTool, ok bool) {
	spec, ok := t.Tool.Spec.(*tool.MCP)
	if !ok {
		return tool.ServerTool{}, false
	}
	server := t.workspace.Servers(t.asked).Server(spec.Server)
	if server == nil {
		return tool.ServerTool{}, false
	}
	found := server.Tool(cmp.Or(spec.ServerTool, t.Tool.Name))
	if found == nil {
		return tool.ServerTool{}, false
	}
	return found.ServerTool, true
}

// listingTool returns a tool that stands for all tools of a server. path is the file that
// asks for them.
func listingTool(w model.Workspace, path, server string) *Tool {
	t := tool.Tool{Name: server, Kind: tool.KindMCP, Spec: &tool.MCP{Server: server}}
	return &Tool{LoweredTool: model.LoweredTool{Tool: t}, asked: path, workspace: w}
}
