package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis"
)

// willRenameFiles answers, before files and folders are renamed, with the edits and
// renames that must be made with them.
func willRenameFiles(ctx context.Context, snap *snapshot, params *protocol.RenameFilesParams) (*protocol.WorkspaceEdit, error) {
	edits, casesMoves := analysis.RenameFiles(ctx, snap.workspace, movesOf(params.Files), snap.listFolder)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !snap.capabilities.supportsResourceOperation(protocol.ResourceOperationKindRename) {
		casesMoves = nil
	}
	if len(edits)+len(casesMoves) == 0 {
		return nil, nil
	}
	edit, _ := snap.workspaceEdit(edits)
	for _, move := range casesMoves {
		edit.DocumentChanges = append(edit.DocumentChanges, renameFile(snap, move.From, move.To))
	}
	return edit, nil
}

// renameEdit returns the edit that gives a file another path and changes nothing else.
func renameEdit(snap *snapshot, from, to string) *protocol.WorkspaceEdit {
	edit := &protocol.WorkspaceEdit{}
	edit.DocumentChanges = append(edit.DocumentChanges, renameFile(snap, from, to))
	return edit
}

func renameFile(snap *snapshot, from, to string) *protocol.RenameFile {
	return &protocol.RenameFile{Kind: string(protocol.ResourceOperationKindRename), OldURI: snap.uriOf(from), NewURI: uriOf(to)}
}

// movesOf returns the moves of renames whose names are URIs of files.
func movesOf(files []protocol.FileRename) []analysis.Move {
	var moves []analysis.Move
	for _, f := range files {
		if paths := pathsOf(f.OldURI, f.NewURI); len(paths) == 2 {
			moves = append(moves, analysis.Move{From: paths[0], To: paths[1]})
		}
	}
	return moves
}

// pathsOf returns the paths of the names that are URIs of files.
func pathsOf(names ...string) []string {
	var paths []string
	for _, name := range names {
		if u, err := uri.Parse(name); err == nil && u.IsFile() {
			paths = append(paths, pathOf(u))
		}
	}
	return paths
}

func didRenameFiles(s *server, params *protocol.RenameFilesParams) error {
	var changed []string
	for _, move := range movesOf(params.Files) {
		changed = append(changed, move.From, move.To)
	}
	s.handleDiskChange(changed...)
	return nil
}

// didCreateOrDeleteFiles handles two notifications, whose parameters are the same.
func didCreateOrDeleteFiles(s *server, params *protocol.DeleteFilesParams) error {
	var changed []string
	for _, f := range params.Files {
		changed = append(changed, pathsOf(f.URI)...)
	}
	s.handleDiskChange(changed...)
	return nil
}

// fileOperations returns the operations on files that the client is asked to report.
func fileOperations(snap *snapshot) *protocol.FileOperationOptions {
	folders := protocol.FileOperationPattern{Glob: "**/*", Matches: protocol.FileOperationPatternKindFolder}
	read := []protocol.FileOperationPattern{folders}
	for _, glob := range readGlobs() {
		read = append(read, protocol.FileOperationPattern{Glob: glob, Matches: protocol.FileOperationPatternKindFile})
	}
	// A rename of any file may matter, since another file may name it.
	all := []protocol.FileOperationPattern{{Glob: "**/*"}}

	supported := snap.capabilities.Workspace.FileOperations
	if supported == (fileOperationSupport{}) {
		return nil
	}
	return &protocol.FileOperationOptions{
		WillRename: registrationOptions(supported.WillRename, all),
		DidRename:  registrationOptions(supported.DidRename, all),
		DidCreate:  registrationOptions(supported.DidCreate, read),
		DidDelete:  registrationOptions(supported.DidDelete, read),
	}
}

func registrationOptions(supported bool, patterns []protocol.FileOperationPattern) (r protocol.FileOperationRegistrationOptions) {
	if !supported {
		return r
	}
	for _, p := range patterns {
		r.Filters = append(r.Filters, protocol.FileOperationFilter{Scheme: new("file"), Pattern: p})
	}
	return r
}
