package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/internal/disk"
)

// readGlobs returns the globs of the files that the server reads from disk.
func readGlobs() []string {
	globs := []string{"**/*.abl", "**/.env"}
	for _, ending := range dialect.Endings() { // abl.yaml among them
		globs = append(globs, "**/*"+ending)
	}
	return globs
}

// fileWatchers returns the watchers of the files whose changes the client is asked to
// report.
func fileWatchers() []protocol.FileSystemWatcher {
	var all []protocol.FileSystemWatcher
	for _, glob := range readGlobs() {
		all = append(all, protocol.FileSystemWatcher{GlobPattern: protocol.Pattern(glob)})
	}
	// Some editors report that a folder was created or deleted, and do not report the
	// files in it.
	return append(all, protocol.FileSystemWatcher{GlobPattern: protocol.Pattern("**"), Kind: protocol.WatchKindCreate | protocol.WatchKindDelete})
}

// fileWatch asks the client to watch the files of the workspace.
type fileWatch struct {
	client   *client
	session  *session
	files    *workspaceFiles
	onChange func(paths ...string)

	mu sync.Mutex // guards id; is held while the client is asked
	id int        // of the current registration, 0 if there is none
}

// register asks the client to report changes in the folders, and then cancels the
// previous registration. The server polls if the client cannot watch.
func (w *fileWatch) register(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	snap := w.session.load()
	watching := snap.capabilities.Workspace.DidChangeWatchedFiles
	if !watching.DynamicRegistration || w.id > 0 && !watching.RelativePatternSupport {
		return // without relative patterns the first registration covers all folders
	}
	options := protocol.DidChangeWatchedFilesRegistrationOptions{Watchers: watchersOf(snap)}
	before := w.id
	if err := w.client.register(ctx, watchID(before+1), protocol.MethodWorkspaceDidChangeWatchedFiles, &options); err != nil {
		w.client.log.Warn("the client does not watch files", zap.Error(err))
		return
	}
	w.id = before + 1
	if before > 0 {
		w.client.unregister(ctx, watchID(before), protocol.MethodWorkspaceDidChangeWatchedFiles)
	}
	w.files.index.watched.Store(true)
	w.onChange() // earlier changes were not reported
}

func watchID(n int) string { return fmt.Sprintf("files %d", n) }

// watchersOf returns the watchers for each folder, or watchers without a folder if the
// client does not support relative patterns.
func watchersOf(snap *snapshot) []protocol.FileSystemWatcher {
	if !snap.capabilities.Workspace.DidChangeWatchedFiles.RelativePatternSupport {
		return fileWatchers()
	}
	all := []protocol.FileSystemWatcher{}
	for _, folder := range snap.folders {
		for _, w := range fileWatchers() {
			pattern, _ := w.GlobPattern.(protocol.Pattern)
			w.GlobPattern = &protocol.RelativePattern{BaseURI: protocol.URI(uriOf(folder)), Pattern: pattern}
			all = append(all, w)
		}
	}
	return all
}

func didChangeWatchedFiles(s *server, params *protocol.DidChangeWatchedFilesParams) error {
	snap := s.session.load()
	var changed []string
	for _, event := range params.Changes {
		path := pathOf(event.URI)
		known := isIndexed(path) || model.IsDotenv(path) || snap.workspace.File(path) != nil
		if known || !isIgnored(path) && (event.Type == protocol.FileChangeTypeDeleted || event.Type == protocol.FileChangeTypeCreated && disk.IsFolder(path)) {
			changed = append(changed, path)
		}
	}
	if len(changed) > 0 {
		s.handleDiskChange(changed...)
	}
	return nil
}

// isIgnored reports whether the server never reads a file with this path.
func isIgnored(path string) bool {
	path = filepath.ToSlash(path)
	return strings.Contains(path, "/node_modules/") || strings.Contains(path, "/.git/")
}

// handleDiskChange refreshes all files from disk and checks all documents again. It reads
// the files at the given paths even if their stamps are the same.
func (s *server) handleDiskChange(paths ...string) {
	s.files.index.status.addChanges(paths...)
	s.session.update(func(next *snapshot) {
		s.session.imported.refresh(next, paths...)
		next.workspace = s.session.servers.Refresh(next.workspace)
	})
	s.diagnostics.diagnoseAll()
}
