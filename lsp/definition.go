package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

func definition(_ context.Context, at *snapshot, params *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	plain, links := at.leads(params.TextDocumentPositionParams, analysis.Workspace.Definition)
	switch {
	case len(plain) == 0:
		return nil, nil
	case at.client.definitionLinks:
		return protocol.DefinitionLinkSlice(links), nil
	}
	return plain, nil
}

// leads are the places that the word at a position leads to, in both forms.
func (at *snapshot) leads(
	p protocol.TextDocumentPositionParams, find func(analysis.Workspace, string, int) []analysis.Location,
) (plain protocol.LocationSlice, links []protocol.DefinitionLink) {
	d, offset, ok := at.place(p)
	if !ok {
		return nil, nil
	}
	at = at.withLibraries(d.path)
	for _, found := range find(at.workspace, d.path, offset) {
		name, ok := at.location(found.Path, found.Span)
		if !ok {
			continue
		}
		full, _ := at.location(found.Path, found.Full)
		plain = append(plain, name)
		links = append(links, protocol.DefinitionLink{
			OriginSelectionRange: new(at.in(d).rangeOf(found.From)),
			TargetURI:            name.URI,
			TargetRange:          full.Range,
			TargetSelectionRange: name.Range,
		})
	}
	return plain, links
}
