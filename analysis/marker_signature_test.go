package analysis_test

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/internal/marker"
)

// signature is the signature of what is called, with the active parameter
// between pointed brackets, then what is said of the two.
func signature(f *marker.Fixture, n marker.Note) string {
	s, ok := analysis.SignatureHelp(f.Workspace, n.Path, n.Cursor)
	if !ok {
		return nothing
	}
	label, doc := s.Label, ""
	if s.Active < len(s.Params) {
		p := s.Params[s.Active]
		label = label[:p.Span.Start] + "‹" + label[p.Span.Start:p.Span.End] + "›" + label[p.Span.End:]
		doc = p.Doc
	}
	return strings.Join(strings.Fields(strings.Join([]string{label, s.Doc, doc}, "\n")), " ")
}
