package lsp

import (
	"context"

	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

// listEnvironments answers with the environments of the project that a file belongs
// to.
func listEnvironments(_ context.Context, x execution) (any, error) {
	var argument fileArgument
	if err := x.decode(&argument); err != nil {
		return nil, err
	}
	path, at, err := x.about(argument.URI)
	if err != nil {
		return nil, err
	}
	return invoke.Environments(at.workspace, path, at.settings.Environment), nil
}
