package lsp

import (
	"context"

	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

// listEnvironments answers with the environments of the project that a file belongs
// to.
func listEnvironments(_ context.Context, x execution) (any, error) {
	var argument fileArgument
	path, at, err := x.decodeFile(&argument)
	if err != nil {
		return nil, err
	}
	return invoke.Environments(at.workspace, path, at.settings.environment(path)), nil
}
