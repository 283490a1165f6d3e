package lsp_test

import (
	"strings"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/internal/marker"
)

// refactor returns the kind and the title of each refactoring of the literal, and its
// edit when it is resolved, or why it is disabled.
func (x fixture) refactor(n marker.Note) string {
	params := &protocol.CodeActionParams{TextDocument: x.at(n).TextDocument, Range: protocol.Range{Start: x.place(n.Path, n.Span.Start), End: x.place(n.Path, n.Span.End)}}
	params.Context.Only = []protocol.CodeActionKind{protocol.CodeActionKindRefactorRewrite}
	if kind, ok := strings.CutSuffix(x.Name, "_tools"); ok {
		params.Context.Only[0] = protocol.CodeActionKindRefactor + "." + protocol.CodeActionKind(kind)
	}
	var out []string
	for _, a := range x.actions(params) {
		out = append(out, string(*a.Kind)+": "+a.Title)
		if a.Disabled.Reason != "" {
			out = append(out, "cannot: "+a.Disabled.Reason)
			continue
		}
		if a.Edit != nil {
			x.t.Errorf("%s: the edit comes before somebody has asked for it", a.Title)
		}
		if err := x.Call(protocol.MethodCodeActionResolve, &a, &a); err != nil {
			message, _, _ := strings.Cut(err.Error(), "\n")
			out = append(out, "cannot: "+message)
			continue
		}
		out = append(out, x.showEdit(a.Edit))
	}
	if out == nil {
		return nothing
	}
	return strings.Join(out, "\n")
}
