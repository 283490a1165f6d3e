package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

func prepareRename(_ context.Context, at *snapshot, params *protocol.PrepareRenameParams) (protocol.PrepareRenameResult, error) {
	d, offset, ok := at.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	span, name, err := analysis.PrepareRename(at.workspace, d.path, offset)
	switch {
	case errors.Is(err, analysis.ErrNoName):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &protocol.PrepareRenamePlaceholder{Range: at.converter(d).rangeOf(span), Placeholder: name}, nil
}

func rename(ctx context.Context, at *snapshot, params *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	d, offset, ok := at.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, analysis.ErrNoName
	}
	edits, err := analysis.Rename(ctx, at.workspace, d.path, offset, params.NewName)
	if err != nil {
		return nil, err
	}
	edit, _ := at.workspaceEdit(edits)
	return edit, nil
}
