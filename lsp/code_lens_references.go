package lsp

import (
	"context"
	"fmt"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis"
)

// lensData identifies the tool of a lens that the client resolves.
type lensData struct {
	URI  uri.URI `json:"uri"`
	Tool string  `json:"tool"`
}

// countsReferences reports whether lenses show how often tools are used, so that any
// change may alter the lenses of any file.
func countsReferences(snap *snapshot) bool {
	return snap.capabilities.Workspace.CodeLens.RefreshSupport && snap.settings.CodeLens.References
}

// withReferencesLenses adds the lenses that show how often a tool is used. The uses are
// counted when the client resolves them.
func withReferencesLenses(snap *snapshot, d *document, all []protocol.CodeLens) ([]protocol.CodeLens, error) {
	for _, lens := range analysis.ReferencesLenses(snap.workspace, d.path) {
		data, err := protocol.Marshal(lensData{d.uri, lens.Tool})
		if err != nil {
			return nil, fmt.Errorf("lens of %s: %w", lens.Tool, err)
		}
		all = append(all, protocol.CodeLens{Range: snap.converter(d).rangeOf(lens.Span), Data: data})
	}
	return all, nil
}

// resolveCodeLens counts the uses of the lens's tool. If the tool does not exist any
// more, it returns the lens unchanged.
func resolveCodeLens(ctx context.Context, snap *snapshot, lens *protocol.CodeLens) (*protocol.CodeLens, error) {
	var of lensData
	if len(lens.Data) == 0 {
		return lens, nil
	}
	if err := protocol.Unmarshal(lens.Data, &of); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the data of a lens that is none of ours: %v", err)
	}
	title, uses, ok := analysis.ReferencesOfTool(ctx, snap.workspace, pathOf(of.URI), of.Tool)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return lens, nil
	}
	if !slices.Contains(snap.settings.ClientCommands, referencesCommand) {
		lens.Command.Title = title
		return lens, nil
	}
	locations := []protocol.Location{}
	for _, u := range uses {
		if l, ok := snap.location(u.Path, u.Span); ok {
			locations = append(locations, l)
		}
	}
	var err error
	lens.Command, err = newCommand(title, referencesCommand, map[string]any{"uri": of.URI, "position": lens.Range.Start, "locations": locations})
	return lens, err
}
