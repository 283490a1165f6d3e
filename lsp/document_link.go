package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

func documentLink(_ context.Context, at *snapshot, params *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	d := at.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	all := []protocol.DocumentLink{}
	for _, l := range analysis.DocumentLinks(at.workspace, d.path) {
		link := protocol.DocumentLink{Range: at.converter(d).rangeOf(l.Span), Target: new(at.uriOf(l.Path))}
		if l.Tooltip != "" {
			link.Tooltip = &l.Tooltip
		}
		all = append(all, link)
	}
	return all, nil
}
