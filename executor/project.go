package executor

import "github.com/abl-lsp/abl-lsp/tool"

// Server is [tool.Server].
type Server = tool.Server

// Function is [tool.Function].
type Function = tool.Function

// Source is [tool.Source].
type Source = tool.Source

// AuthService is [tool.AuthService].
type AuthService = tool.AuthService

// Service is [tool.Service].
type Service = tool.Service

// Search is [tool.Search].
type Search = tool.Search

// Credential is [tool.Credential].
type Credential = tool.Credential
