package lsp

import (
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/docs"
)

// protocolDiagnostics converts diagnostics of a document to those of the protocol. It
// leaves out the details that the client does not show.
func protocolDiagnostics(snap *snapshot, d *document, found []model.Diagnostic) []protocol.Diagnostic {
	in, all := snap.converter(d), make([]protocol.Diagnostic, 0, len(found))
	shown := snap.capabilities.diagnosticDetails()
	for _, f := range found {
		d := protocol.Diagnostic{
			Range:    in.rangeOf(f.Span),
			Severity: protocol.DiagnosticSeverity(f.Severity),
			Code:     protocol.String(f.Code),
			Source:   protocol.NewOptional("abl"),
			Message:  protocol.String(f.Message),
			Tags:     shown.tags(f.Tags),
		}
		if shown.CodeDescriptionSupport {
			d.CodeDescription.Href = uri.URI(docs.URL(f.Code))
		}
		if shown.RelatedInformation {
			d.RelatedInformation = relatedInformation(snap, f.Related)
		}
		all = append(all, d)
	}
	return all
}

// tags returns the given tags that the client shows.
func (d diagnosticDetails) tags(given []model.Tag) protocol.DiagnosticTags {
	var all []protocol.DiagnosticTag
	for _, t := range given {
		if tag := protocol.DiagnosticTag(t); slices.Contains(d.TagSupport.ValueSet, tag) {
			all = append(all, tag)
		}
	}
	return protocol.NewDiagnosticTags(all...)
}

func relatedInformation(snap *snapshot, given []model.Related) []protocol.DiagnosticRelatedInformation {
	var all []protocol.DiagnosticRelatedInformation
	for _, r := range given {
		if location, ok := snap.location(r.Path, r.Span); ok {
			all = append(all, protocol.DiagnosticRelatedInformation{Location: location, Message: r.Message})
		}
	}
	return all
}
