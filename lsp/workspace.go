package lsp

import (
	"context"
	"path/filepath"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"
)

// folders returns the paths of the workspace's folders, in whichever of its
// three forms the client gives them.
func (p *initializeParams) folders() []string {
	var paths []string
	for _, folder := range p.WorkspaceFolders {
		paths = appendFolder(paths, folder.URI)
	}
	if len(paths) == 0 {
		paths = appendFolder(paths, p.RootURI)
	}
	if len(paths) == 0 && p.RootPath != "" {
		paths = append(paths, filepath.Clean(p.RootPath))
	}
	return paths
}

func appendFolder(paths []string, folder string) []string {
	u, err := uri.Parse(folder)
	if err != nil || folder == "" { // which would be the root of the disk
		return paths
	}
	return append(paths, pathOf(u))
}

func folderPaths(folders []protocol.WorkspaceFolder) []string {
	var paths []string
	for _, f := range folders {
		paths = append(paths, pathOf(f.URI))
	}
	return paths
}

func didChangeWorkspaceFolders(s *server, params *protocol.DidChangeWorkspaceFoldersParams) error {
	removed := folderPaths(params.Event.Removed)
	added := folderPaths(params.Event.Added)
	s.session.update(func(next *snapshot) {
		kept := slices.DeleteFunc(slices.Clone(next.folders), func(path string) bool {
			return slices.Contains(removed, path) || slices.Contains(added, path)
		})
		next.folders = append(kept, added...)
		s.session.files.reset(next)
	})
	s.diagnoseAll()
	return nil
}

func didChangeWatchedFiles(s *server, params *protocol.DidChangeWatchedFilesParams) error {
	var changed []string
	for _, event := range params.Changes {
		changed = append(changed, pathOf(event.URI))
	}
	s.session.update(func(next *snapshot) { s.session.files.refresh(next, changed...) })
	s.diagnoseAll()
	return nil
}

// globsRead are the files that are read though nobody opens them.
func globsRead() []string { return []string{"**/*.abl", "**/abl.yaml", "**/.env", "**/*.cases.yaml"} }

// watchFiles asks the client to tell about changes of the files that documents
// depend on.
func (s *server) watchFiles(ctx context.Context) {
	var options protocol.DidChangeWatchedFilesRegistrationOptions
	for _, glob := range globsRead() {
		options.Watchers = append(options.Watchers, protocol.FileSystemWatcher{GlobPattern: protocol.Pattern(glob)})
	}
	raw, err := protocol.Marshal(&options)
	if err == nil {
		err = s.client.call(ctx, protocol.MethodClientRegisterCapability, &protocol.RegistrationParams{
			Registrations: []protocol.Registration{{
				ID:              "files",
				Method:          protocol.MethodWorkspaceDidChangeWatchedFiles,
				RegisterOptions: raw,
			}},
		}, nil)
	}
	if err != nil && ctx.Err() == nil {
		s.log.Warn("the client does not watch files", zap.Error(err))
	}
}
