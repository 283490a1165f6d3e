package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

func hover(_ context.Context, at *snapshot, params *protocol.HoverParams) (*protocol.Hover, error) {
	d, offset, ok := at.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	h, ok := analysis.HoverAt(at.withRootLibraries(d.path).workspace, d.path, offset)
	if !ok {
		return nil, nil
	}
	return &protocol.Hover{
		Contents: markup(h.Markdown, at.capabilities.TextDocument.Hover.ContentFormat),
		Range:    new(at.converter(d).rangeOf(h.Span)),
	}, nil
}
