package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

func documentSymbol(_ context.Context, snap *snapshot, params *protocol.DocumentSymbolParams) (protocol.DocumentSymbolResult, error) {
	d := snap.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	symbols := analysis.DocumentSymbols(snap.workspace, d.path)
	if snap.capabilities.TextDocument.DocumentSymbol.HierarchicalDocumentSymbolSupport {
		return protocol.DocumentSymbolSlice(symbolTree(snap.converter(d), symbols)), nil
	}
	return flatSymbols(d, snap.converter(d), symbols, ""), nil
}

func symbolTree(in converter, symbols []analysis.Symbol) []protocol.DocumentSymbol {
	tree := make([]protocol.DocumentSymbol, 0, len(symbols))
	for _, s := range symbols {
		tree = append(tree, protocol.DocumentSymbol{
			Name:           s.Name,
			Detail:         &s.Detail,
			Kind:           symbolKind(s.Kind),
			Range:          in.rangeOf(s.Span),
			SelectionRange: in.rangeOf(s.NameSpan),
			Children:       symbolTree(in, s.Children),
		})
	}
	return tree
}

// flatSymbols returns the outline as a list, for a client that does not support trees.
func flatSymbols(d *document, in converter, symbols []analysis.Symbol, container string) protocol.SymbolInformationSlice {
	var flat protocol.SymbolInformationSlice
	for _, s := range symbols {
		var symbol protocol.SymbolInformation
		symbol.Name, symbol.Kind = s.Name, symbolKind(s.Kind)
		symbol.Location = protocol.Location{URI: d.uri, Range: in.rangeOf(s.Span)}
		if container != "" {
			symbol.ContainerName = &container
		}
		flat = append(flat, symbol)
		flat = append(flat, flatSymbols(d, in, s.Children, s.Name)...)
	}
	return flat
}

func symbolKind(k analysis.SymbolKind) protocol.SymbolKind {
	return map[analysis.SymbolKind]protocol.SymbolKind{
		analysis.SectionSymbol:   protocol.SymbolKindNamespace,
		analysis.ToolSymbol:      protocol.SymbolKindFunction,
		analysis.ParameterSymbol: protocol.SymbolKindVariable,
		analysis.ImportSymbol:    protocol.SymbolKindModule,
		analysis.BlockSymbol:     protocol.SymbolKindStruct,
		analysis.ItemSymbol:      protocol.SymbolKindEnumMember,
		analysis.ValueSymbol:     protocol.SymbolKindConstant,
	}[k]
}
