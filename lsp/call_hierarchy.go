package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

func prepareCallHierarchy(_ context.Context, at *snapshot, params *protocol.CallHierarchyPrepareParams) ([]protocol.CallHierarchyItem, error) {
	d, offset, ok := at.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	c, ok := analysis.CallerAt(at.workspace, d.path, offset)
	if !ok {
		return nil, nil
	}
	return []protocol.CallHierarchyItem{callItem(at, c)}, nil
}

func incomingCalls(ctx context.Context, at *snapshot, params *protocol.CallHierarchyIncomingCallsParams) ([]protocol.CallHierarchyIncomingCall, error) {
	c, ok := callerOf(at, &params.Item)
	if !ok {
		return nil, nil
	}
	var out []protocol.CallHierarchyIncomingCall
	for _, e := range analysis.IncomingCalls(ctx, at.workspace, c) {
		out = append(out, protocol.CallHierarchyIncomingCall{From: callItem(at, e.Other), FromRanges: at.ranges(e.Other.Path, e.From)})
	}
	return out, ctx.Err()
}

func outgoingCalls(ctx context.Context, at *snapshot, params *protocol.CallHierarchyOutgoingCallsParams) ([]protocol.CallHierarchyOutgoingCall, error) {
	c, ok := callerOf(at, &params.Item)
	if !ok {
		return nil, nil
	}
	var out []protocol.CallHierarchyOutgoingCall
	for _, e := range analysis.OutgoingCalls(ctx, at.workspace, c) {
		out = append(out, protocol.CallHierarchyOutgoingCall{To: callItem(at, e.Other), FromRanges: at.ranges(c.Path, e.From)})
	}
	return out, ctx.Err()
}

// callData tells an item when the client sends it back, perhaps after an edit.
type callData struct {
	Kind analysis.CallerKind `json:"kind"`
	Name string              `json:"name"`
}

func callItem(at *snapshot, c analysis.Caller) protocol.CallHierarchyItem {
	item := protocol.CallHierarchyItem{
		Name: c.Name,
		URI:  at.uriOf(c.Path),
		Kind: map[analysis.CallerKind]protocol.SymbolKind{
			analysis.ToolCaller:  protocol.SymbolKindFunction,
			analysis.StepCaller:  protocol.SymbolKindEvent,
			analysis.AgentCaller: protocol.SymbolKindClass,
		}[c.Kind],
	}
	if c.Detail != "" {
		item.Detail = &c.Detail
	}
	places := at.ranges(c.Path, []text.Span{c.Span, c.NameSpan})
	item.Range, item.SelectionRange = places[0], places[1]
	item.Data, _ = json.Marshal(callData{c.Kind, c.Name})
	return item
}

func callerOf(at *snapshot, item *protocol.CallHierarchyItem) (analysis.Caller, bool) {
	var data callData
	if json.Unmarshal(item.Data, &data) != nil {
		return analysis.Caller{}, false
	}
	return analysis.CallerNamed(at.workspace, pathOf(item.URI), data.Kind, data.Name)
}

// ranges are places in a file that has a text.
func (at *snapshot) ranges(path string, spans []text.Span) []protocol.Range {
	in := converter{at.workspace.File(path).Doc.Lines(), at.encoding}
	out := make([]protocol.Range, len(spans))
	for i, s := range spans {
		out[i] = in.rangeOf(s)
	}
	return out
}
