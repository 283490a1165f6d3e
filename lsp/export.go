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
	Left  []string `json:"left"` // what the form cannot express
	Notes []string `json:"notes"`
}

// exportArgument is the argument of abl.export.
type exportArgument struct {
	fileArgument
	To string `json:"to"`
}

// exportTools answers with the tools of a file in the form that argument.To names, one of
// dialect.Forms. The answer is an error if a tool has errors.
func exportTools(ctx context.Context, x execution, path string, argument *exportArgument) (any, error) {
	for _, t := range invoke.All(x.snap.workspace, path, x.checkAllIn(ctx, x.snap)) {
		if len(t.Broken) > 0 {
			return nil, errors.New(t.RefusedEnvelope(x.snap.displayPath(t.BrokenIn.Path)).Error.Message)
		}
	}
	written, err := export.Tools(x.snap.workspace, path, argument.To)
	if err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	return exportAnswer{written.Text, written.LossTexts(), append([]string{}, written.Notes...)}, nil
}
