package check

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
)

// unknownAuthService: abl.yaml lists the auth services in `auth_required` of a tool and in
// `auth_services` of its parameters.
var unknownAuthService = Check{
	Code: "unknown-auth-service",
	File: projectNames{
		trait: model.HasServices, named: (model.PositionedTool).AuthServices, table: projectfile.AuthServices, what: "auth service",
	}.reportUnknown,
}
