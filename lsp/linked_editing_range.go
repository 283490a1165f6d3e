package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

// namePattern matches a name while it is typed.
const namePattern = `[A-Za-z_][A-Za-z0-9_]*`

func linkedEditingRange(_ context.Context, snap *snapshot, params *protocol.LinkedEditingRangeParams) (*protocol.LinkedEditingRanges, error) {
	d, offset, ok := snap.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	var ranges []protocol.Range
	for _, span := range analysis.LinkedEditingRanges(snap.workspace, d.path, offset) {
		ranges = append(ranges, snap.converter(d).rangeOf(span))
	}
	if ranges == nil {
		return nil, nil
	}
	return &protocol.LinkedEditingRanges{Ranges: ranges, WordPattern: new(namePattern)}, nil
}
