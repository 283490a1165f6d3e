package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

func references(ctx context.Context, snap *snapshot, params *protocol.ReferenceParams) ([]protocol.Location, error) {
	d, offset, ok := snap.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	var out []protocol.Location
	for _, r := range analysis.References(ctx, snap.workspace, d.path, offset) {
		if r.Access == model.Declares && !params.Context.IncludeDeclaration {
			continue
		}
		if l, ok := snap.location(r.Path, r.Span); ok {
			out = append(out, l)
		}
	}
	return out, ctx.Err()
}
