package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

func typeDefinition(_ context.Context, snap *snapshot, params *protocol.TypeDefinitionParams) (protocol.TypeDefinitionResult, error) {
	plain, links := locationsAt(snap, params.TextDocumentPositionParams, analysis.TypeDefinition)
	switch {
	case len(plain) == 0:
		return nil, nil
	case snap.capabilities.TextDocument.TypeDefinition.LinkSupport:
		return protocol.DefinitionLinkSlice(links), nil
	}
	return plain, nil
}
