package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

func workspaceSymbol(ctx context.Context, snap *snapshot, params *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	out := protocol.SymbolInformationSlice{}
	for _, s := range analysis.WorkspaceSymbols(ctx, snap.workspace, params.Query) {
		var symbol protocol.SymbolInformation
		symbol.Name, symbol.Kind = s.Name, symbolKind(s.Kind)
		if s.Kind == analysis.SectionSymbol {
			symbol.Kind = protocol.SymbolKindClass
		}
		symbol.ContainerName = &s.Container
		if l, ok := snap.location(s.Path, s.Span); ok {
			symbol.Location = l
			out = append(out, symbol)
		}
	}
	return out, ctx.Err()
}
