package lsp

import "go.lsp.dev/protocol"

// otherFilesAnnotation identifies the annotation of edits of other files.
const otherFilesAnnotation protocol.ChangeAnnotationIdentifier = "elsewhere"

// withConfirmation marks the edits of files other than the document, so that the client
// asks the person to confirm them. It does not mark new files, which the person has asked
// for.
func withConfirmation(snap *snapshot, edit *protocol.WorkspaceEdit, d *document) *protocol.WorkspaceEdit {
	if snap.capabilities.Workspace.WorkspaceEdit.ChangeAnnotationSupport == nil {
		return edit
	}
	for _, change := range edit.DocumentChanges {
		edits, ok := change.(*protocol.TextDocumentEdit)
		if !ok || edits.TextDocument.URI == d.uri || createsFile(snap, edits) {
			continue
		}
		for i, e := range edits.Edits {
			if plain, ok := e.(*protocol.TextEdit); ok {
				edits.Edits[i] = &protocol.AnnotatedTextEdit{TextEdit: *plain, AnnotationID: otherFilesAnnotation}
				edit.ChangeAnnotations = map[protocol.ChangeAnnotationIdentifier]protocol.ChangeAnnotation{
					otherFilesAnnotation: {Label: "In other files", NeedsConfirmation: new(true)},
				}
			}
		}
	}
	return edit
}

// createsFile reports whether the file that edits change does not exist yet, so that they
// create it.
func createsFile(snap *snapshot, edits *protocol.TextDocumentEdit) bool {
	f := snap.workspace.File(pathOf(edits.TextDocument.URI))
	return f == nil || f.Doc == nil
}
