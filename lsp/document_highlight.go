package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

func documentHighlight(_ context.Context, at *snapshot, params *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	d, offset, ok := at.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	var out []protocol.DocumentHighlight
	for _, r := range analysis.Highlights(at.workspace, d.path, offset) {
		kind := protocol.DocumentHighlightKindRead
		if r.Access != model.Reads {
			kind = protocol.DocumentHighlightKindWrite
		}
		out = append(out, protocol.DocumentHighlight{Range: at.converter(d).rangeOf(r.Span), Kind: kind})
	}
	return out, nil
}
