package lsp

import (
	"context"
	"path/filepath"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// folders returns the paths of the workspace's folders: those in workspaceFolders,
// otherwise the one in rootUri, otherwise the one in rootPath. It leaves out URIs that are
// invalid, and returns nil if the client has opened no folder.
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
	if err != nil || folder == "" { // an empty one would be the root of the disk
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

// didChangeWorkspaceFolders changes the folders of the session. All imports are read
// again, and trust is asked for again unless the client's settings decide it.
func didChangeWorkspaceFolders(s *server, params *protocol.DidChangeWorkspaceFoldersParams) error {
	removed := folderPaths(params.Event.Removed)
	added := folderPaths(params.Event.Added)
	s.session.update(func(next *snapshot) {
		kept := slices.DeleteFunc(slices.Clone(next.folders), func(path string) bool {
			return slices.Contains(removed, path) || slices.Contains(added, path)
		})
		next.folders = append(kept, added...)
		if next.trustAnswered { // the answer was about other folders
			next.settings.Trusted = nil
		}
		s.session.imported.forgetAll(next)
	})
	s.trust.restoreStored(context.Background())
	s.client.Go("watch files", s.watch.register)
	s.handleSettingsChange()
	return nil
}

// folderOf returns the session's folder of the first path that is in one, or "" if none
// of the paths is.
func (snap *snapshot) folderOf(paths ...string) string {
	for _, path := range paths {
		if folder := innermostFolder(snap.folders, path); folder != "" {
			return folder
		}
	}
	return ""
}

// innermostFolder returns the innermost of the folders that contain a path, or "" if none
// does.
func innermostFolder(folders []string, path string) string {
	longest := ""
	for _, folder := range folders {
		if path != "" && isWithin(folder, path) && len(folder) > len(longest) {
			longest = folder
		}
	}
	return longest
}
