package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

// declaration is the definition: names of ABL have no other.
func declaration(_ context.Context, at *snapshot, params *protocol.DeclarationParams) (protocol.DeclarationResult, error) {
	plain, links := at.leads(params.TextDocumentPositionParams, analysis.Workspace.Definition)
	switch {
	case len(plain) == 0:
		return nil, nil
	case !at.client.declarationLinks:
		return plain, nil
	}
	out := make(protocol.DeclarationLinkSlice, len(links))
	for i, l := range links {
		out[i] = protocol.DeclarationLink(l)
	}
	return out, nil
}
