package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

func selectionRange(_ context.Context, snap *snapshot, params *protocol.SelectionRangeParams) ([]protocol.SelectionRange, error) {
	d := snap.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	all := make([]protocol.SelectionRange, len(params.Positions))
	for i, p := range params.Positions {
		all[i] = selectionAt(snap, d, p)
	}
	return all, nil
}

// selectionAt returns the chain of ranges around a position, from the inside out. If
// analysis has no ranges there, the chain is the empty range at the position.
func selectionAt(snap *snapshot, d *document, p protocol.Position) protocol.SelectionRange {
	in := snap.converter(d)
	inner := protocol.SelectionRange{Range: protocol.Range{Start: p, End: p}}
	last := &inner
	for i, span := range analysis.SelectionRanges(snap.workspace, d.path, in.offset(p)) {
		if i > 0 {
			last.Parent = &protocol.SelectionRange{}
			last = last.Parent
		}
		last.Range = in.rangeOf(span)
	}
	return inner
}
