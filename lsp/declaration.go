package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// declaration answers as definition does: ABL's names are declared where they are defined.
func declaration(ctx context.Context, s *server, snap *snapshot, params *protocol.DeclarationParams) (protocol.DeclarationResult, error) {
	plain, links, err := s.definitions(ctx, snap, params.TextDocumentPositionParams)
	switch {
	case err != nil:
		return nil, err
	case len(plain) == 0:
		return nil, nil
	case !snap.capabilities.TextDocument.Declaration.LinkSupport:
		return plain, nil
	}
	out := make(protocol.DeclarationLinkSlice, len(links))
	for i, l := range links {
		out[i] = protocol.DeclarationLink(l)
	}
	return out, nil
}
