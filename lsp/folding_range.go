package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

func foldingRange(_ context.Context, snap *snapshot, params *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	d := snap.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	all := []protocol.FoldingRange{}
	for _, f := range analysis.FoldingRanges(snap.workspace, d.path) {
		r := snap.converter(d).rangeOf(f.Span)
		fold := protocol.FoldingRange{StartLine: r.Start.Line, EndLine: r.End.Line, Kind: foldKind(f.Kind)}
		if !snap.capabilities.TextDocument.FoldingRange.LineFoldingOnly {
			fold.StartCharacter, fold.EndCharacter = &r.Start.Character, &r.End.Character
			all = append(all, fold)
			continue
		}
		if f.Closed { // the line with the closing bracket stays visible
			fold.EndLine--
		}
		all = appendLines(all, fold)
	}
	return all, nil
}

// appendLines adds a fold for a client that folds whole lines. Of two folds that begin in
// one line, such a client can show only one; the longer one stays.
func appendLines(all []protocol.FoldingRange, fold protocol.FoldingRange) []protocol.FoldingRange {
	last := len(all) - 1
	switch {
	case fold.EndLine <= fold.StartLine:
	case last < 0 || all[last].StartLine != fold.StartLine:
		return append(all, fold)
	case all[last].EndLine < fold.EndLine:
		all[last] = fold
	}
	return all
}

func foldKind(k analysis.FoldKind) protocol.FoldingRangeKind {
	return map[analysis.FoldKind]protocol.FoldingRangeKind{
		analysis.CommentFold: protocol.FoldingRangeKindComment,
		analysis.ImportsFold: protocol.FoldingRangeKindImports,
		analysis.RegionFold:  protocol.FoldingRangeKindRegion,
	}[k]
}
