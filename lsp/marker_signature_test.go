package lsp_test

import (
	"strings"
	"unicode/utf16"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/internal/marker"
)

// signature returns the signature of the called tool or function, with the active
// parameter between angle brackets, and then the documentation of both.
func (x fixture) signature(n marker.Note) string {
	var help *protocol.SignatureHelp
	x.ask(protocol.MethodTextDocumentSignatureHelp, &protocol.SignatureHelpParams{TextDocumentPositionParams: x.at(n)}, &help)
	if help == nil {
		return nothing
	}
	s := help.Signatures[*help.ActiveSignature]
	label, doc := s.Label, ""
	active, _ := help.ActiveParameter.Get()
	if int(active) < len(s.Parameters) {
		p := s.Parameters[active]
		at := p.Label.(protocol.ParameterInformationLabelTuple)
		units := utf16.Encode([]rune(label))
		part := func(from, to uint32) string { return string(utf16.Decode(units[from:to])) }
		label = part(0, at[0]) + "‹" + part(at[0], at[1]) + "›" + part(at[1], uint32(len(units)))
		doc = documentation(p.Documentation)
	}
	return strings.Join(strings.Fields(strings.Join([]string{label, documentation(s.Documentation), doc}, "\n")), " ")
}

func documentation(d protocol.InlayHintTooltip) string {
	if markup, ok := d.(*protocol.MarkupContent); ok {
		return markup.Value
	}
	return ""
}
