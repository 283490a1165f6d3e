package lsp

import (
	"context"

	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

// listEnvironments answers with the environments of the project of a file.
func listEnvironments(_ context.Context, x execution, path string, _ *fileArgument) (any, error) {
	return invoke.Environments(x.snap.workspace, path, x.snap.settings.environment(path)), nil
}
