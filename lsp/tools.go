package lsp

import (
	"context"

	"github.com/abl-lsp/abl-lsp/internal/listing"
)

// listTools answers with the tools of a file as they resolve.
func listTools(_ context.Context, x execution) (any, error) {
	var argument struct {
		URI string `json:"uri"`
	}
	if err := x.decode(&argument); err != nil {
		return nil, err
	}
	path, err := argumentPath(argument.URI)
	if err != nil {
		return nil, err
	}
	at := x.at.completed(path)
	return listing.Of(at.workspace, path, func(path string) string { return path }), nil
}
