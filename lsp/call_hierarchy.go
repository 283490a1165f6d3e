package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

func prepareCallHierarchy(_ context.Context, snap *snapshot, params *protocol.CallHierarchyPrepareParams) ([]protocol.CallHierarchyItem, error) {
	d, offset, ok := snap.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	c, ok := analysis.CallerAt(snap.workspace, d.path, offset)
	if !ok {
		return nil, nil
	}
	return []protocol.CallHierarchyItem{callItem(snap, c)}, nil
}

func incomingCalls(ctx context.Context, snap *snapshot, params *protocol.CallHierarchyIncomingCallsParams) ([]protocol.CallHierarchyIncomingCall, error) {
	c, ok := callerOf(snap, &params.Item)
	if !ok {
		return nil, nil
	}
	var out []protocol.CallHierarchyIncomingCall
	for _, e := range analysis.IncomingCalls(ctx, snap.workspace, c) {
		out = append(out, protocol.CallHierarchyIncomingCall{From: callItem(snap, e.Other), FromRanges: snap.ranges(e.Other.Path, e.From)})
	}
	return out, ctx.Err()
}

func outgoingCalls(ctx context.Context, snap *snapshot, params *protocol.CallHierarchyOutgoingCallsParams) ([]protocol.CallHierarchyOutgoingCall, error) {
	c, ok := callerOf(snap, &params.Item)
	if !ok {
		return nil, nil
	}
	var out []protocol.CallHierarchyOutgoingCall
	for _, e := range analysis.OutgoingCalls(ctx, snap.workspace, c) {
		out = append(out, protocol.CallHierarchyOutgoingCall{To: callItem(snap, e.Other), FromRanges: snap.ranges(c.Path, e.From)})
	}
	return out, ctx.Err()
}

// callData identifies an item when the client sends it back, perhaps after an edit.
type callData struct {
	Kind analysis.CallerKind `json:"kind"`
	Name string              `json:"name"`
}

// callItem converts a tool, step or agent to an item.
func callItem(snap *snapshot, c analysis.Caller) protocol.CallHierarchyItem {
	item := protocol.CallHierarchyItem{
		Name: c.Name,
		URI:  snap.uriOf(c.Path),
		Kind: map[analysis.CallerKind]protocol.SymbolKind{
			analysis.ToolCaller:  protocol.SymbolKindFunction,
			analysis.StepCaller:  protocol.SymbolKindEvent,
			analysis.AgentCaller: protocol.SymbolKindClass,
		}[c.Kind],
	}
	if c.Detail != "" {
		item.Detail = &c.Detail
	}
	places := snap.ranges(c.Path, []text.Span{c.Span, c.NameSpan})
	item.Range, item.SelectionRange = places[0], places[1]
	item.Data, _ = json.Marshal(callData{c.Kind, c.Name})
	return item
}

// callerOf returns the tool, step or agent of an item that the client sends back. The
// second result is false if the document does not have it any more.
func callerOf(snap *snapshot, item *protocol.CallHierarchyItem) (analysis.Caller, bool) {
	var data callData
	if json.Unmarshal(item.Data, &data) != nil {
		return analysis.Caller{}, false
	}
	return analysis.CallerNamed(snap.workspace, pathOf(item.URI), data.Kind, data.Name)
}

// ranges converts spans of a file whose text is known.
func (snap *snapshot) ranges(path string, spans []text.Span) []protocol.Range {
	in := converter{snap.workspace.File(path).Positions(), snap.encoding}
	out := make([]protocol.Range, len(spans))
	for i, s := range spans {
		out[i] = in.rangeOf(s)
	}
	return out
}
