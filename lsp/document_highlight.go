package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

func documentHighlight(_ context.Context, snap *snapshot, params *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	d, offset, ok := snap.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	var out []protocol.DocumentHighlight
	for _, r := range analysis.Highlights(snap.workspace, d.path, offset) {
		kind := protocol.DocumentHighlightKindRead
		if r.Access != model.Reads {
			kind = protocol.DocumentHighlightKindWrite
		}
		out = append(out, protocol.DocumentHighlight{Range: snap.converter(d).rangeOf(r.Span), Kind: kind})
	}
	return out, nil
}
