package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/jsonrpc2"

	"github.com/abl-lsp/abl-lsp/internal/export"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

// exportAnswer is the answer to abl.export.
type exportAnswer struct {
	Text  string   `json:"text"`
	Left  []string `json:"left"` // what the form cannot say
	Notes []string `json:"notes"`
}

// exportTools answers with the tools of a file in another form.
func exportTools(ctx context.Context, x execution) (any, error) {
	var argument struct {
		fileArgument
		To string `json:"to"`
	}
	path, at, err := x.decodeFile(&argument)
	if err != nil {
		return nil, err
	}
	all := invoke.All(at.workspace, path, x.allIn(ctx, at))
	for _, t := range all {
		if len(t.Broken) > 0 {
			return nil, errors.New(t.Refused(at.displayPath(t.BrokenIn.Path)).Error.Message)
		}
	}
	written, err := export.Tools(at.workspace, path, argument.To)
	if err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	return exportAnswer{written.Text, append([]string{}, written.Lost...), append([]string{}, written.Notes...)}, nil
}
