package lsp

import (
	"context"

	"github.com/abl-lsp/abl-lsp/internal/listing"
)

// listTools answers with the tools of a file as they resolve.
func listTools(_ context.Context, x execution) (any, error) {
	var argument fileArgument
	path, at, err := x.read(&argument)
	if err != nil {
		return nil, err
	}
	return listing.Of(at.workspace, path, func(path string) string { return path }), nil
}
