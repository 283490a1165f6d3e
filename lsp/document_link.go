package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

func documentLink(_ context.Context, snap *snapshot, params *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	d := snap.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	all := []protocol.DocumentLink{}
	for _, l := range analysis.DocumentLinks(snap.workspace, d.path) {
		link := protocol.DocumentLink{Range: snap.converter(d).rangeOf(l.Span), Target: new(snap.uriOf(l.Path))}
		if l.Tooltip != "" {
			link.Tooltip = &l.Tooltip
		}
		all = append(all, link)
	}
	return all, nil
}
