package lsp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

func TestDiagnostics(t *testing.T) {
	snap := &snapshot{encoding: text.UTF16}
	shown := &snap.capabilities.TextDocument.PublishDiagnostics
	shown.CodeDescriptionSupport, shown.RelatedInformation = true, true
	shown.TagSupport.ValueSet = []protocol.DiagnosticTag{protocol.DiagnosticTagUnnecessary}
	d := &document{Document: syntax.Parse("# 😀\nTOOLS:\n"), uri: testFile, path: pathOf(testFile)}
	snap.setDocument(d)
	snap.workspace = snap.workspace.With("/w/b c.tools.abl", syntax.Parse("TOOLS:\n")).WithMissing("/w/none.abl", model.NotFound)
	got := protocolDiagnostics(snap, d, []model.Diagnostic{{
		Span:     text.Span{Start: 2, End: 6},
		Severity: model.Warning,
		Code:     "unused-import",
		Message:  "nobody needs it",
		Tags:     []model.Tag{model.Unnecessary},
		Related: []model.Related{
			{Path: "/w/b c.tools.abl", Span: text.Span{Start: 0, End: 5}, Message: "there"},
			{Path: "/w/none.abl", Message: "a file without a text has no places"},
		},
	}})
	raw, err := protocol.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"range":{"start":{"line":0,"character":2},"end":{"line":0,"character":4}},"severity":2,"code":"unused-import",` +
		`"codeDescription":{"href":"https://github.com/abl-lsp/abl-lsp/blob/main/docs/diagnostics/unused-import.md"},` +
		`"source":"abl","message":"nobody needs it","tags":[1],"relatedInformation":[{"location":{"uri":"file:///w/b%20c.tools.abl",` +
		`"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":5}}},"message":"there"}]}]`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
}
