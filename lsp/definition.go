package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

func definition(ctx context.Context, s *server, snap *snapshot, params *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	plain, links, err := s.definitions(ctx, snap, params.TextDocumentPositionParams)
	switch {
	case err != nil:
		return nil, err
	case len(plain) == 0:
		return nil, nil
	case snap.capabilities.TextDocument.Definition.LinkSupport:
		return protocol.DefinitionLinkSlice(links), nil
	}
	return plain, nil
}

// definitions returns the places where the name at a position is defined, as locations
// and as links. It waits for large folders only if no place is found without them.
func (s *server) definitions(ctx context.Context, snap *snapshot, p protocol.TextDocumentPositionParams) (protocol.LocationSlice, []protocol.DefinitionLink, error) {
	known, err := s.files.withIndexSoon(ctx, snap)
	if err != nil {
		return nil, nil, err
	}
	if plain, links := locationsAt(known, p, analysis.Definition); len(plain) > 0 {
		return plain, links, nil
	}
	whole, err := s.files.withIndex(ctx, snap)
	if err != nil || whole == known {
		return nil, nil, err
	}
	plain, links := locationsAt(whole, p, analysis.Definition)
	return plain, links, nil
}

// locationsAt returns the places that find returns for a position, as locations and as
// links.
func locationsAt(
	snap *snapshot, p protocol.TextDocumentPositionParams, find func(model.Workspace, string, int) []model.Location,
) (plain protocol.LocationSlice, links []protocol.DefinitionLink) {
	d, offset, ok := snap.documentAt(p)
	if !ok {
		return nil, nil
	}
	snap = snap.withRootLibraries(d.path)
	for _, found := range find(snap.workspace, d.path, offset) {
		name, ok := snap.location(found.Path, found.Span)
		if !ok {
			continue
		}
		full, _ := snap.location(found.Path, found.Full)
		plain = append(plain, name)
		links = append(links, protocol.DefinitionLink{
			OriginSelectionRange: new(snap.converter(d).rangeOf(found.From)),
			TargetURI:            name.URI,
			TargetRange:          full.Range,
			TargetSelectionRange: name.Range,
		})
	}
	return plain, links
}
