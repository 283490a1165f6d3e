package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

func inlayHint(_ context.Context, s *server, snap *snapshot, params *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	d := snap.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	s.diagnostics.hints.replaceID(d.path, contentID(allHints(snap, d)))
	return hintsIn(snap, d, snap.converter(d).span(params.Range)), nil
}

func allHints(snap *snapshot, d *document) []protocol.InlayHint {
	return hintsIn(snap, d, snap.converter(d).positions.All())
}

func hintsIn(snap *snapshot, d *document, within text.Span) []protocol.InlayHint {
	all := []protocol.InlayHint{}
	for _, h := range analysis.InlayHints(snap.workspace, d.path, within, snap.settings.InlayHints.kinds()...) {
		all = append(all, protocolHint(snap, d, h))
	}
	return all
}

// kinds returns the kinds of hints that are shown.
func (s hintSettings) kinds() []analysis.InlayKind {
	var kinds []analysis.InlayKind
	for kind, wanted := range []bool{
		analysis.DefaultHint: s.Defaults, analysis.URLHint: s.URLs, analysis.ParameterHint: s.ParameterNames, analysis.TypeHint: s.Types,
	} {
		if wanted {
			kinds = append(kinds, analysis.InlayKind(kind))
		}
	}
	return kinds
}

func protocolHint(snap *snapshot, d *document, h analysis.InlayHint) protocol.InlayHint {
	in := snap.converter(d)
	tooltip := markup(h.Tooltip, snap.capabilities.TextDocument.Hover.ContentFormat)
	part := protocol.InlayHintLabelPart{Value: h.Label, Tooltip: tooltip}
	if l, ok := snap.location(h.Path, h.Span); ok {
		part.Location = l
	}
	hint := protocol.InlayHint{
		Position:     in.position(h.Offset),
		Label:        protocol.InlayHintLabelPartSlice{part},
		Tooltip:      tooltip,
		PaddingLeft:  new(h.Kind == analysis.DefaultHint || h.Kind == analysis.TypeHint),
		PaddingRight: new(h.Kind == analysis.ParameterHint),
	}
	switch h.Kind {
	case analysis.ParameterHint:
		hint.Kind = protocol.InlayHintKindParameter
	case analysis.TypeHint:
		hint.Kind = protocol.InlayHintKindType
	}
	if h.Insert != "" {
		hint.TextEdits = in.textEdits([]text.Edit{{Span: text.Span{Start: h.Offset, End: h.Offset}, NewText: h.Insert}})
	}
	return hint
}

// staleHints reports whether a change in another file has altered the hints that the
// client shows of a document.
func (p *publisher) staleHints(snap *snapshot, d *document) bool {
	return snap.capabilities.Workspace.InlayHint.RefreshSupport && p.hints.hasID(d.path) && p.hints.replaceID(d.path, contentID(allHints(snap, d)))
}
