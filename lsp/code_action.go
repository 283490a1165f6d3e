package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// fixAllKind is the kind of the action that fixes all problems of a file with one obvious
// fix.
const fixAllKind = protocol.CodeActionKindSourceFixAll + ".abl"

// actionKinds returns the kinds of actions that the server offers.
func actionKinds() []protocol.CodeActionKind {
	kinds := []protocol.CodeActionKind{
		protocol.CodeActionKindQuickFix, protocol.CodeActionKindSourceFixAll, fixAllKind, protocol.CodeActionKindSourceOrganizeImports,
		protocol.CodeActionKindRefactor,
	}
	return append(kinds, refactorKinds()[1:]...)
}

// codeActionParams are the parameters of the request that the server reads.
type codeActionParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
	Range        protocol.Range                  `json:"range"`
	Context      struct {
		Diagnostics []struct {
			Range protocol.Range  `json:"range"`
			Code  protocol.LSPAny `json:"code"`
		} `json:"diagnostics"`
		Only        []protocol.CodeActionKind      `json:"only"`
		TriggerKind protocol.CodeActionTriggerKind `json:"triggerKind"`
	} `json:"context"`
}

// asksForKind reports whether the client asks for actions of kind. It does if it names
// kind or a kind above it, such as "refactor" for "refactor.extract", or if it names no
// kind at all.
func (p *codeActionParams) asksForKind(kind protocol.CodeActionKind) bool {
	return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only protocol.CodeActionKind) bool {
		return only == "" || only == kind || strings.HasPrefix(string(kind), string(only)+".")
	})
}

// isRequested reports whether the person wants to see the actions, or the client asks for
// kinds. Otherwise the client only decides whether to show a light bulb.
func (p *codeActionParams) isRequested() bool {
	return p.Context.TriggerKind != protocol.CodeActionTriggerKindAutomatic || len(p.Context.Only) > 0
}

// includesDiagnostic reports whether actions are asked for a diagnostic: it touches the
// range, or the client names it.
func (p *codeActionParams) includesDiagnostic(in converter, d model.Diagnostic) bool {
	span := in.span(p.Range)
	if d.Span.Start <= span.End && span.Start <= d.Span.End {
		return true
	}
	at, code := in.rangeOf(d.Span), `"`+d.Code+`"`
	for _, named := range p.Context.Diagnostics {
		if named.Range == at && string(named.Code) == code {
			return true
		}
	}
	return false
}

// mayNeedUnopenedLibrary reports whether actions are asked for a diagnostic that a
// library which is not open may fix.
func (p *codeActionParams) mayNeedUnopenedLibrary(in converter, found []model.Diagnostic) bool {
	return slices.ContainsFunc(found, func(d model.Diagnostic) bool {
		return (d.Code == "undefined-tool" || d.Code == "unresolved-import") && p.includesDiagnostic(in, d)
	})
}

func codeAction(ctx context.Context, s *server, snap *snapshot, params *codeActionParams) ([]protocol.CodeAction, error) {
	d := snap.documents[pathOf(params.TextDocument.URI)]
	if d == nil || snap.capabilities.TextDocument.CodeAction.CodeActionLiteralSupport == nil {
		return nil, nil
	}
	found := s.check(ctx, snap, d.path)
	if params.isRequested() && params.mayNeedUnopenedLibrary(snap.converter(d), found) {
		whole, err := s.files.withIndex(ctx, snap)
		if err != nil {
			return nil, err
		}
		snap, found = whole, s.check(ctx, whole, d.path)
	}
	a := actionBuilder{snap: snap, document: d}
	if params.asksForKind(protocol.CodeActionKindQuickFix) {
		a.addQuickFixes(params, found)
	}
	if params.asksForKind(protocol.CodeActionKindQuickFix) && params.isRequested() && s.opts.Executor != nil {
		if err := a.addRefresh(params); err != nil {
			return nil, err
		}
	}
	if err := a.addRefactorings(ctx, s, params); err != nil {
		return nil, err
	}
	if params.asksForKind(fixAllKind) && params.isRequested() {
		if err := a.addFixAll(ctx, s); err != nil {
			return nil, err
		}
	}
	if params.asksForKind(protocol.CodeActionKindSourceOrganizeImports) && params.isRequested() {
		a.addOrganizeImports(found)
	}
	return a.all, ctx.Err()
}

// actionBuilder collects the actions for one document.
type actionBuilder struct {
	snap     *snapshot
	document *document
	all      []protocol.CodeAction
}

// addQuickFixes adds the fixes of the diagnostics that are asked for. If the person
// requests actions, it then adds the comments that suppress these diagnostics.
func (a *actionBuilder) addQuickFixes(params *codeActionParams, found []model.Diagnostic) {
	in := a.snap.converter(a.document)
	included := slices.DeleteFunc(slices.Clone(found), func(d model.Diagnostic) bool { return !params.includesDiagnostic(in, d) })
	for _, d := range included {
		for _, f := range d.Fixes {
			a.addQuickFix(params, d, f)
		}
	}
	if len(included) == 0 || !params.isRequested() {
		return
	}
	suppressing := check.NewSuppressor(a.snap.workspace.File(a.document.path))
	for _, d := range included {
		if f, ok := suppressing.Fix(d); ok {
			a.addQuickFix(params, d, f)
		}
	}
}

func (a *actionBuilder) addQuickFix(params *codeActionParams, d model.Diagnostic, f model.Fix) {
	action := protocol.CodeAction{
		Title:       f.Title,
		Kind:        new(protocol.CodeActionKindQuickFix),
		Diagnostics: protocolDiagnostics(a.snap, a.document, []model.Diagnostic{d}),
	}
	var err error
	switch {
	case f.Accept != nil:
		action.Command, err = newCommand(f.Title, acceptCommand, acceptArgument(*f.Accept))
	case f.Rename != "":
		if !a.snap.capabilities.supportsResourceOperation(protocol.ResourceOperationKindRename) {
			return
		}
		action.Edit = renameEdit(a.snap, a.document.path, f.Rename)
	case f.LineEnds && slices.Contains(a.snap.settings.ClientCommands, lineEndsCommand):
		action.Command, err = newCommand(f.Title, lineEndsCommand, map[string]any{"uri": params.TextDocument.URI})
	default:
		edit, ok := a.snap.workspaceEdit(model.Edits(a.snap.workspace, a.document.path, f))
		if !ok {
			return
		}
		action.Edit = withConfirmation(a.snap, edit, a.document)
		if f.Best {
			action.IsPreferred = new(true)
		}
	}
	if err == nil {
		a.all = append(a.all, action)
	}
}

// lineEndsCommand is the client's command that changes the line ends of a document to
//
// . Editors that store line ends apart from the text would undo an edit of them.
const lineEndsCommand = "abl.lineEnds"

// addFixAll adds the action that fixes the whole document, if there is something to fix.
func (a *actionBuilder) addFixAll(ctx context.Context, s *server) error {
	edits, err := refactor.FixAll(a.snap.workspace, a.document.path, func(w model.Workspace) []model.Diagnostic {
		next := *a.snap
		next.workspace = w
		return s.check(ctx, &next, a.document.path)
	})
	if err != nil || len(edits) == 0 {
		return err
	}
	a.addSourceAction("Fix all that has one obvious answer", fixAllKind, edits)
	return nil
}

// addOrganizeImports adds the action that sorts imports, if they are not sorted.
func (a *actionBuilder) addOrganizeImports(found []model.Diagnostic) {
	edits := refactor.OrganizeImports(a.snap.workspace, a.document.path, found)
	if len(edits) > 0 {
		a.addSourceAction("Organize imports", protocol.CodeActionKindSourceOrganizeImports, edits)
	}
}

// addSourceAction adds an action on the document as a whole.
func (a *actionBuilder) addSourceAction(title string, kind protocol.CodeActionKind, edits []text.Edit) {
	edit, _ := a.snap.workspaceEdit(model.EditsIn(a.document.path, edits...))
	a.all = append(a.all, protocol.CodeAction{Title: title, Kind: new(kind), Edit: edit})
}
