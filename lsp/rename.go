package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

func prepareRename(_ context.Context, snap *snapshot, params *protocol.PrepareRenameParams) (protocol.PrepareRenameResult, error) {
	d, offset, ok := snap.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	span, name, err := analysis.PrepareRename(snap.workspace, d.path, offset)
	switch {
	case errors.Is(err, analysis.ErrNoName):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &protocol.PrepareRenamePlaceholder{Range: snap.converter(d).rangeOf(span), Placeholder: name}, nil
}

func rename(ctx context.Context, snap *snapshot, params *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	d, offset, ok := snap.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, analysis.ErrNoName
	}
	edits, err := analysis.Rename(ctx, snap.workspace, d.path, offset, params.NewName)
	if err != nil {
		return nil, err
	}
	edit, _ := snap.workspaceEdit(edits)
	return edit, nil
}
