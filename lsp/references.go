package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

func references(ctx context.Context, at *snapshot, params *protocol.ReferenceParams) ([]protocol.Location, error) {
	d, offset, ok := at.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	var out []protocol.Location
	for _, r := range analysis.References(ctx, at.workspace, d.path, offset) {
		if r.Access == model.Declares && !params.Context.IncludeDeclaration {
			continue
		}
		if l, ok := at.location(r.Path, r.Span); ok {
			out = append(out, l)
		}
	}
	return out, ctx.Err()
}
