package check

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/tool"
)

// unknownServer: abl.yaml lists the `server` of an MCP tool.
var unknownServer = Check{
	Code: "unknown-server",
	File: projectNames{
		trait: model.HasServer, property: "server", kinds: []tool.Kind{tool.KindMCP}, table: projectfile.Servers, what: "server",
	}.reportUnknown,
}
