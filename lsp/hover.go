package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

func hover(_ context.Context, at *snapshot, params *protocol.HoverParams) (*protocol.Hover, error) {
	d, offset, ok := at.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	h, ok := at.withNearLibraries(d.path).workspace.Hover(d.path, offset)
	if !ok {
		return nil, nil
	}
	return &protocol.Hover{
		Contents: markup(h.Markdown, at.support.plainHover),
		Range:    new(at.converter(d).rangeOf(h.Span)),
	}, nil
}
