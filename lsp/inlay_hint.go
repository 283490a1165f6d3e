package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

func inlayHint(_ context.Context, s *server, at *snapshot, params *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	d := at.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	s.diagnostics.hints.replace(d.path, contentID(allHints(at, d)))
	return hintsIn(at, d, at.converter(d).span(params.Range)), nil
}

func allHints(at *snapshot, d *document) []protocol.InlayHint {
	return hintsIn(at, d, text.Span{End: len(d.Text())})
}

func hintsIn(at *snapshot, d *document, within text.Span) []protocol.InlayHint {
	all := []protocol.InlayHint{}
	for _, h := range analysis.InlayHints(at.workspace, d.path, within, at.settings.InlayHints.kinds()...) {
		all = append(all, protocolHint(at, d, h))
	}
	return all
}

// kinds are the hints that are wanted.
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

func protocolHint(at *snapshot, d *document, h analysis.InlayHint) protocol.InlayHint {
	in := at.converter(d)
	tooltip := markup(h.Tooltip, at.capabilities.TextDocument.Hover.ContentFormat)
	part := protocol.InlayHintLabelPart{Value: h.Label, Tooltip: tooltip}
	if l, ok := at.location(h.Path, h.Span); ok {
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

// staleHints reports whether a change elsewhere has altered the hints of a
// document that the client shows.
func (p *publisher) staleHints(at *snapshot, d *document) bool {
	return at.capabilities.Workspace.InlayHint.RefreshSupport && p.hints.has(d.path) && p.hints.replace(d.path, contentID(allHints(at, d)))
}
