package check

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
)

// unknownAuthService: the auth services that `auth_required` of a tool and
// `auth_services` of its parameters name are among those that abl.yaml lists.
var unknownAuthService = Check{
	Code: "unknown-auth-service",
	File: projectNames{
		trait: model.HasServices, named: (model.PositionedTool).AuthServices, table: projectfile.AuthServices, what: "auth service",
	}.reportUnknown,
}
