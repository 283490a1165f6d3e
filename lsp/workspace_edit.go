package lsp

import (
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// fileEdits are the edits of one file.
type fileEdits struct {
	path      string
	positions text.Positions // in the current text
	isNew     bool           // the file does not exist yet
	edits     []text.Edit
}

// workspaceEdit converts edits to a protocol.WorkspaceEdit that the client supports. ok is
// false if the client cannot create a file that is needed, or if the text of a file is not
// known.
func (snap *snapshot) workspaceEdit(edits []model.FileEdit) (edit *protocol.WorkspaceEdit, ok bool) {
	edit = &protocol.WorkspaceEdit{}
	for _, f := range groupByFile(edits) {
		known := snap.workspace.File(f.path)
		switch {
		case known != nil && known.Doc != nil:
			f.positions = known.Positions()
		case known != nil && known.Absent == model.NotFound && snap.capabilities.supportsResourceOperation(protocol.ResourceOperationKindCreate):
			f.positions, f.isNew = text.NewLines("").Positions(), true
		default:
			return nil, false
		}
		addFileEdits(snap, edit, f)
	}
	return edit, true
}

// groupByFile groups edits by file. Files are in the order in which they first appear.
func groupByFile(edits []model.FileEdit) []fileEdits {
	var files []fileEdits
	for _, e := range edits {
		i := slices.IndexFunc(files, func(f fileEdits) bool { return f.path == e.Path })
		if i < 0 {
			i = len(files)
			files = append(files, fileEdits{path: e.Path})
		}
		files[i].edits = append(files[i].edits, e.Edit)
	}
	return files
}

// addFileEdits adds the edits of the file f to edit: to its DocumentChanges, if the client
// supports these, otherwise to its Changes. A new file is created first.
func addFileEdits(snap *snapshot, edit *protocol.WorkspaceEdit, f fileEdits) {
	name := snap.uriOf(f.path)
	edits := converter{f.positions, snap.encoding}.textEdits(f.edits)
	if !snap.capabilities.Workspace.WorkspaceEdit.DocumentChanges {
		if edit.Changes == nil {
			edit.Changes = map[uri.URI][]protocol.TextEdit{}
		}
		edit.Changes[name] = edits
		return
	}
	if f.isNew {
		edit.DocumentChanges = append(edit.DocumentChanges, &protocol.CreateFile{Kind: "create", URI: name})
	}
	change := &protocol.TextDocumentEdit{}
	change.TextDocument.URI = name
	if open := snap.documents[f.path]; open != nil {
		change.TextDocument.Version = &open.version
	}
	for i := range edits {
		change.Edits = append(change.Edits, &edits[i])
	}
	edit.DocumentChanges = append(edit.DocumentChanges, change)
}
