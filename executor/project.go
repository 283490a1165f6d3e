package executor

import "github.com/abl-lsp/abl-lsp/tool"

// What the project's file lists.
type (
	Server      = tool.Server
	Function    = tool.Function
	Source      = tool.Source
	AuthService = tool.AuthService
	Service     = tool.Service
	Search      = tool.Search
	Credential  = tool.Credential
)
