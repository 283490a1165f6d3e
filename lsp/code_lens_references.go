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

// lensData is what a lens of references is resolved by.
type lensData struct {
	URI  uri.URI `json:"uri"`
	Tool string  `json:"tool"`
}

// countsReferences reports whether any change may alter the lenses of any file.
func countsReferences(at *snapshot) bool {
	return at.capabilities.Workspace.CodeLens.RefreshSupport && at.settings.CodeLens.References
}

// withReferencesLenses adds the lenses that say how often a tool is named. They are
// counted when the client resolves them.
func withReferencesLenses(at *snapshot, d *document, all []protocol.CodeLens) ([]protocol.CodeLens, error) {
	for _, lens := range analysis.ReferencesLenses(at.workspace, d.path) {
		data, err := protocol.Marshal(lensData{d.uri, lens.Tool})
		if err != nil {
			return nil, fmt.Errorf("lens of %s: %w", lens.Tool, err)
		}
		all = append(all, protocol.CodeLens{Range: at.converter(d).rangeOf(lens.Span), Data: data})
	}
	return all, nil
}

// resolveCodeLens counts what names the lens's tool. Where that is gone, so is
// what the lens says.
func resolveCodeLens(ctx context.Context, at *snapshot, lens *protocol.CodeLens) (*protocol.CodeLens, error) {
	var of lensData
	if len(lens.Data) == 0 {
		return lens, nil
	}
	if err := protocol.Unmarshal(lens.Data, &of); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the data of a lens that is none of ours: %v", err)
	}
	title, uses, ok := analysis.ReferencesOfTool(ctx, at.workspace, pathOf(of.URI), of.Tool)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return lens, nil
	}
	if !slices.Contains(at.settings.ClientCommands, referencesCommand) {
		lens.Command.Title = title
		return lens, nil
	}
	locations := []protocol.Location{}
	for _, u := range uses {
		if l, ok := at.location(u.Path, u.Span); ok {
			locations = append(locations, l)
		}
	}
	var err error
	lens.Command, err = newCommand(title, referencesCommand, map[string]any{"uri": of.URI, "position": lens.Range.Start, "locations": locations})
	return lens, err
}
