package lsp

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// refactorKinds returns the protocol's kinds of refactorings, by refactor.RefactorKind.
func refactorKinds() []protocol.CodeActionKind {
	return []protocol.CodeActionKind{
		refactor.RewriteKind: protocol.CodeActionKindRefactorRewrite,
		refactor.ExtractKind: protocol.CodeActionKindRefactorExtract,
		refactor.InlineKind:  protocol.CodeActionKindRefactorInline,
	}
}

// refactorData identifies the refactoring of an action that the client resolves.
type refactorData struct {
	URI   uri.URI        `json:"uri"`
	Sum   uint32         `json:"sum"` // the checksum of the text for which the action was offered
	Range protocol.Range `json:"range"`
	Name  string         `json:"name"`
	Title string         `json:"title"`
}

// addRefactorings adds the refactorings for the range. A client that does not resolve
// edits gets them with their edits, and none for its light bulb.
func (a *actionBuilder) addRefactorings(ctx context.Context, s *server, params *codeActionParams) error {
	if !params.isRequested() && !a.snap.capabilities.supportsResolvedEdits() {
		return nil
	}
	kinds := refactorKinds()
	wants := func(k refactor.RefactorKind) bool { return params.asksForKind(kinds[k]) }
	span := a.snap.converter(a.document).span(params.Range)
	data := refactorData{URI: a.document.uri, Range: params.Range}
	for _, r := range refactor.Refactorings(a.snap.workspace, a.document.path, span, wants) {
		if r.Disabled != "" && (!a.snap.capabilities.TextDocument.CodeAction.DisabledSupport || !params.isRequested()) || !canCreate(a.snap, r.Creates) {
			continue
		}
		if data.Sum == 0 {
			data.Sum = checksum(a.document.Document)
		}
		if err := a.addRefactoring(ctx, s, data, r); err != nil {
			return err
		}
	}
	return nil
}

// addRefactoring adds one refactoring, unless the client cannot apply it.
func (a *actionBuilder) addRefactoring(ctx context.Context, s *server, data refactorData, r refactor.Refactoring) error {
	show, err := showCommandFor(a.snap, r.Opens)
	if err != nil {
		return err
	}
	action := protocol.CodeAction{Title: r.Title, Kind: new(refactorKinds()[r.Kind]), Command: show}
	switch {
	case r.Disabled != "":
		action.Disabled.Reason, action.Command = r.Disabled, protocol.Command{}
	case a.snap.capabilities.supportsResolvedEdits():
		data.Name, data.Title = r.Name, r.Title
		raw, err := protocol.Marshal(data)
		if err != nil {
			return fmt.Errorf("action %q: %w", r.Title, err)
		}
		action.Data = raw
	default:
		whole, err := s.files.withIndex(ctx, a.snap)
		if err != nil {
			return err
		}
		if err := setRefactoringEdit(ctx, whole, a.document, r, &action); err != nil {
			return ctx.Err() // refused refactorings are not shown
		}
	}
	a.all = append(a.all, action)
	return nil
}

// resolveCodeAction adds the edit to an action. An action without data is returned
// unchanged. The error is errModified if the text is not the one for which the action was
// offered, or if the refactoring is not possible any more.
func resolveCodeAction(ctx context.Context, snap *snapshot, action *protocol.CodeAction) (*protocol.CodeAction, error) {
	var data refactorData
	if len(action.Data) == 0 {
		return action, nil
	}
	if err := protocol.Unmarshal(action.Data, &data); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the data of an action that is none of ours: %v", err)
	}
	d := snap.documents[pathOf(data.URI)]
	if d == nil || checksum(d.Document) != data.Sum {
		return nil, errModified
	}
	r, ok := refactor.FindRefactoring(snap.workspace, d.path, snap.converter(d).span(data.Range), data.Name, data.Title)
	if !ok {
		return nil, errModified
	}
	if err := setRefactoringEdit(ctx, snap, d, r, action); err != nil {
		return nil, err
	}
	return action, nil
}

// setRefactoringEdit sets the edit of an action, and the command that shows the file
// which the refactoring creates.
func setRefactoringEdit(ctx context.Context, snap *snapshot, d *document, r refactor.Refactoring, action *protocol.CodeAction) error {
	known := snap.withFiles(r.Reads)
	edits, err := r.Edits(ctx, known.workspace)
	if err != nil {
		return err
	}
	edit, ok := known.workspaceEdit(edits)
	if !ok {
		return errors.New("this needs a file that the editor cannot make or that may not be read")
	}
	action.Edit = withConfirmation(known, edit, d)
	action.Command, err = showCommandFor(snap, r.OpenedFile(edits))
	return err
}

// canCreate reports whether the client can create the file at path, or the file exists. It
// is true for the path "", which means that no file is to be created.
func canCreate(snap *snapshot, path string) bool {
	return path == "" || snap.capabilities.supportsResourceOperation(protocol.ResourceOperationKindCreate) || snap.documents[path] != nil || disk.StampOf(path) != disk.Stamp{}
}

// withFiles returns the snapshot with the files at the paths. It reads those that the
// snapshot does not have. A file that cannot be read is in the workspace as missing.
func (snap *snapshot) withFiles(paths []string) *snapshot {
	next := *snap
	for _, path := range paths {
		if f := next.workspace.File(path); f != nil && f.Doc != nil {
			continue
		}
		if source, absent := next.readFile(path); absent == model.Present {
			next.workspace = next.workspace.With(path, syntax.Parse(source))
		} else {
			next.workspace = next.workspace.WithMissing(path, absent)
		}
	}
	return &next
}

// checksum returns a number that differs for most different texts.
func checksum(doc *syntax.Document) uint32 { return crc32.ChecksumIEEE([]byte(doc.Text())) }
