package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

func hover(_ context.Context, snap *snapshot, params *protocol.HoverParams) (*protocol.Hover, error) {
	d, offset, ok := snap.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	h, ok := analysis.HoverAt(snap.withRootLibraries(d.path).workspace, d.path, offset)
	if !ok {
		return nil, nil
	}
	return &protocol.Hover{
		Contents: markup(h.Markdown, snap.capabilities.TextDocument.Hover.ContentFormat),
		Range:    new(snap.converter(d).rangeOf(h.Span)),
	}, nil
}
