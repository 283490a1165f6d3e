package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

func definition(_ context.Context, at *snapshot, params *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	d, offset, ok := at.place(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	var plain protocol.LocationSlice
	var links protocol.DefinitionLinkSlice
	for _, found := range at.workspace.Definition(d.path, offset) {
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
	switch {
	case len(plain) == 0:
		return nil, nil
	case at.client.definitionLinks:
		return links, nil
	}
	return plain, nil
}
