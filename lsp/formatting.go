package lsp

import (
	"context"
	"errors"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/format"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// formattingParams are the parameters of formatting requests that the server reads. The
// canonical form has two spaces a level, whatever the options say. The options apply only
// to a line that is not finished.
type formattingParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
	Range        protocol.Range                  `json:"range"`
	Ranges       []protocol.Range                `json:"ranges"`
	Position     protocol.Position               `json:"position"`
	Options      struct {
		TabSize      uint32 `json:"tabSize"`
		InsertSpaces bool   `json:"insertSpaces"`
	} `json:"options"`
}

// indentUnit returns the indentation of one level that the client asks for.
func (p *formattingParams) indentUnit() string {
	const widest = 16
	if !p.Options.InsertSpaces {
		return "\t"
	}
	return strings.Repeat(" ", int(min(max(1, p.Options.TabSize), widest)))
}

func formatting(ctx context.Context, s *server, snap *snapshot, params *formattingParams) ([]protocol.TextEdit, error) {
	return s.formatDocument(ctx, snap, params, format.Format)
}

func rangeFormatting(ctx context.Context, s *server, snap *snapshot, params *formattingParams) ([]protocol.TextEdit, error) {
	params.Ranges = []protocol.Range{params.Range}
	return rangesFormatting(ctx, s, snap, params)
}

func rangesFormatting(ctx context.Context, s *server, snap *snapshot, params *formattingParams) ([]protocol.TextEdit, error) {
	return s.formatDocument(ctx, snap, params, func(doc *syntax.Document, found []model.Diagnostic) ([]text.Edit, error) {
		in := converter{doc.Lines().Positions(), snap.encoding}
		var spans []text.Span
		for _, r := range params.Ranges {
			spans = append(spans, in.span(r))
		}
		return format.FormatRanges(doc, found, spans...)
	})
}

// formatDocument answers with the edits that make a document canonical. For one that
// cannot be formatted there are none, and the log says why: an error would appear with
// every save.
func (s *server) formatDocument(ctx context.Context, snap *snapshot, params *formattingParams, layOut formatFunc) ([]protocol.TextEdit, error) {
	d := snap.documents[pathOf(params.TextDocument.URI)]
	if d == nil || !canFormat(snap, d.path) {
		return nil, nil
	}
	var found []model.Diagnostic
	if !check.HasForm(ctx, snap.workspace.File(d.path)) {
		found = s.checkAll(ctx, snap, d.path)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	edits, err := layOut(d.Document, found)
	if refused, ok := errors.AsType[*format.FormatError](err); ok {
		s.client.logWarning("%s is not formatted: %v", d.path, refused)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return snap.converter(d).textEdits(edits), nil
}

// formatFunc returns the edits that format a document, given its diagnostics.
type formatFunc func(doc *syntax.Document, found []model.Diagnostic) ([]text.Edit, error)

// canFormat reports whether the formatter supports the document at path: analysis reads
// it, and it is not in the YAML dialect.
func canFormat(snap *snapshot, path string) bool {
	f := snap.workspace.File(path)
	return f != nil && f.Kind != model.YAML && !f.IsYAMLAgent()
}

// onTypeTrigger is the character after which a line is indented.
const onTypeTrigger = "\n"

func onTypeFormatting(_ context.Context, snap *snapshot, params *formattingParams) ([]protocol.TextEdit, error) {
	d := snap.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	in := snap.converter(d)
	edit, ok := format.Indent(snap.workspace, d.path, in.offset(params.Position), params.indentUnit())
	if !ok {
		return nil, nil
	}
	return in.textEdits([]text.Edit{edit}), nil
}
