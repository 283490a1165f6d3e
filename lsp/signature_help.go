package lsp

import (
	"context"
	"unicode/utf16"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
)

// signatureTriggers are the characters after which a client asks by itself.
const signatureTriggers = "(,:"

// signatureHelp reads only the position of the parameters. VS Code's client sends -1 in
// the others where the server's last answer had null, and the protocol allows no -1.
func signatureHelp(_ context.Context, snap *snapshot, params *protocol.TextDocumentPositionParams) (*protocol.SignatureHelp, error) {
	d, offset, ok := snap.documentAt(*params)
	if !ok {
		return nil, nil
	}
	s, ok := analysis.SignatureHelp(snap.workspace, d.path, offset)
	if !ok {
		return nil, nil
	}
	client := snap.capabilities.TextDocument.SignatureHelp.SignatureInformation
	info := protocol.SignatureInformation{Label: s.Label, Parameters: []protocol.ParameterInformation{}}
	if s.Doc != "" {
		info.Documentation = markup(s.Doc, client.DocumentationFormat)
	}
	for _, p := range s.Params {
		info.Parameters = append(info.Parameters, signatureParameter(snap, s, p))
	}
	help := &protocol.SignatureHelp{ActiveSignature: new(uint32)}
	switch {
	case s.Active < len(s.Params):
		help.ActiveParameter = protocol.NewNullable(uint32(s.Active))
	case client.NoActiveParameterSupport:
		help.ActiveParameter = protocol.NullNullable[uint32]()
	default: // most clients highlight nothing then
		help.ActiveParameter = protocol.NewNullable(uint32(len(s.Params)))
	}
	help.Signatures = []protocol.SignatureInformation{info}
	return help, nil
}

// signatureParameter returns a parameter of a signature. Its offsets in the label are in
// UTF-16 whatever the encoding of positions is, as the protocol requires.
func signatureParameter(snap *snapshot, s analysis.Signature, p analysis.SignatureParam) protocol.ParameterInformation {
	client := snap.capabilities.TextDocument.SignatureHelp.SignatureInformation
	var info protocol.ParameterInformation
	label := s.Label[p.Span.Start:p.Span.End]
	info.Label = protocol.String(label)
	if client.ParameterInformation.LabelOffsetSupport {
		start := utf16Length(s.Label[:p.Span.Start])
		info.Label = protocol.ParameterInformationLabelTuple{start, start + utf16Length(label)}
	}
	if p.Doc != "" {
		info.Documentation = markup(p.Doc, client.DocumentationFormat)
	}
	return info
}

func utf16Length(s string) uint32 { return uint32(len(utf16.Encode([]rune(s)))) }
