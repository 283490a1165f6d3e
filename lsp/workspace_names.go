package lsp

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/disk"
)

// workspaceFiles extends snapshots by files of the workspace that are not open. It is
// safe for concurrent use.
type workspaceFiles struct {
	client         *client
	session        *session
	index          *index
	names          workspaceNames
	onNamesChanged func(paths ...string) // is called with the paths of the open documents that use names of other files when these names have changed
}

// workspaceNames is the job that reads which names the files that are not open declare
// for others. It runs when an open document uses such names and the disk has changed.
type workspaceNames struct {
	mu           sync.Mutex    // guards the fields below
	readingEnded chan struct{} // is closed when the current job ends; nil if no job runs

	declaredBefore map[string][]string // the names that each open document declared when it was last checked, by path
}

// setDeclared records the names that an open document declares, or forgets them if it is
// not open. The caller holds mu.
func (n *workspaceNames) setDeclared(path string, names []string, open bool) {
	if n.declaredBefore == nil {
		n.declaredBefore = map[string][]string{}
	}
	if n.declaredBefore[path] = names; !open {
		delete(n.declaredBefore, path)
	}
}

// namesTimeout is how long diagnostics wait for the names of a large workspace. They are
// sent again when the names are known.
const namesTimeout = time.Second

// withNames returns the snapshot with the names of files that are not open, if a document
// at one of the paths uses such names and they are known within namesTimeout. A document
// outside of every workspace also gets the libraries that bind its tools. Profiles in
// other folders are read.
func (w *workspaceFiles) withNames(ctx context.Context, snap *snapshot, paths ...string) *snapshot {
	uses := func(path string) bool { return snap.workspace.Summary(path).UsesWorkspace() }
	if !slices.ContainsFunc(paths, uses) {
		return snap
	}
	next := w.withUnopenedNames(ctx, snap)
	for _, path := range paths {
		next = next.withNamedFiles(path)
	}
	return next
}

// withUnopenedNames returns the snapshot with the names of files that are not open. It
// waits for them up to namesTimeout; after that the snapshot has the names that were
// known before.
func (w *workspaceFiles) withUnopenedNames(ctx context.Context, snap *snapshot) *snapshot {
	if ended := w.startReadingNames(snap); ended != nil {
		select {
		case <-ended:
		case <-time.After(namesTimeout):
		case <-ctx.Done():
		}
	}
	next := *snap
	next.workspace = snap.workspace.WithUnopened(w.session.load().workspace.Unopened())
	return &next
}

// withNamedFiles returns the snapshot with the profiles and the libraries that the file at
// path uses by name, if their paths are known.
func (snap *snapshot) withNamedFiles(path string) *snapshot {
	next := *snap
	next.workspace = model.ReadImports(next.workspace, path, snap.readFile)
	if model.IsAlone(next.workspace, path) && model.NeedsLibraries(next.workspace, path) {
		return next.withLibraries(path)
	}
	return &next
}

// withLibraries returns the snapshot with the libraries of the workspace of the file at
// path, if the file has tools that they may bind. It does not wait for the names of files
// that are not open.
func (snap *snapshot) withLibraries(path string) *snapshot {
	if !model.UsesWorkspace(snap.workspace, path) || model.KnowsWorkspace(snap.workspace, path) {
		return snap
	}
	next := *snap
	next.workspace = disk.ReadWorkspaces(next.workspace, snap.indexFolders(), []string{path}, snap.readFile)
	return &next
}

// withRootLibraries is withLibraries if a file marks the root of the workspace. Otherwise
// it returns the snapshot unchanged: only a folder of the editor bounds such a workspace,
// which may be the whole disk, and its libraries are known when its names are.
func (snap *snapshot) withRootLibraries(path string) *snapshot {
	if root, _ := snap.workspace.WorkspaceRoot(path); root == "" {
		return snap
	}
	return snap.withLibraries(path)
}

// startReadingNames starts to read the names, unless they are being read already, and
// returns a channel that is closed when they are known. It returns nil if they are up to
// date.
func (w *workspaceFiles) startReadingNames(snap *snapshot) <-chan struct{} {
	folders := snap.indexFolders()
	if known, _ := snap.workspace.Unopened(); len(folders) == 0 || w.index.status.isCurrent(folders) && slices.Equal(known, folders) {
		return nil
	}
	w.names.mu.Lock()
	defer w.names.mu.Unlock()
	if w.names.readingEnded == nil {
		ended := make(chan struct{})
		w.names.readingEnded = ended
		w.client.Go("names", func(ctx context.Context) {
			defer func() {
				w.names.mu.Lock()
				defer w.names.mu.Unlock()
				w.names.readingEnded = nil
				close(ended)
			}()
			w.updateNames(ctx)
		})
	}
	return w.names.readingEnded
}

// updateNames reads the names. If they have changed, it has the documents that use some
// checked again.
func (w *workspaceFiles) updateNames(ctx context.Context) {
	folders := w.session.load().indexFolders()
	unopened, err := w.index.update(ctx, folders, w.client.showIndexing)
	if err != nil {
		return
	}
	if !w.index.status.isComplete() {
		unopened = nil
	}
	if w.index.status.shouldWarnOfTooMany() {
		w.client.showWarning("The workspace has more files than are read, so names of other files are not checked: open the folder of the project instead.")
	}
	snap := w.session.load()
	if knownFolders, known := snap.workspace.Unopened(); known == unopened && slices.Equal(knownFolders, folders) {
		return
	}
	snap = w.session.update(func(next *snapshot) {
		next.workspace = next.workspace.WithUnopened(folders, unopened)
	})
	w.onNamesChanged(snap.documentsWith(func(path string) bool { return snap.workspace.Summary(path).UsesWorkspace() })...)
}

// documentsWith returns the sorted paths of the open documents for which holds returns
// true.
func (snap *snapshot) documentsWith(holds func(path string) bool) []string {
	var paths []string
	for path := range snap.documents {
		if holds(path) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// indexFolders returns the folders that the index reads: the editor's folders and, if the
// workspace is trusted, the workspace roots around open documents.
func (snap *snapshot) indexFolders() []string {
	folders := slices.Clone(snap.folders)
	if !orZero(snap.settings.Trusted) {
		return folders
	}
	inFolders := map[string]string{}
	for path := range snap.documents {
		if dir := filepath.Dir(path); inFolders[dir] == "" || path < inFolders[dir] {
			inFolders[dir] = path
		}
	}
	for _, path := range slices.Sorted(maps.Values(inFolders)) {
		root, marked := snap.workspace.WorkspaceRoot(path)
		if marked && !slices.ContainsFunc(folders, func(folder string) bool { return model.IsBelow(folder, root) }) {
			folders = append(folders, root)
		}
	}
	return folders
}

// changedNames returns the names that changed files declare now and did not declare
// before, and those that they no longer declare.
func (w *workspaceFiles) changedNames(snap *snapshot, changed []string) map[string]bool {
	w.names.mu.Lock()
	defer w.names.mu.Unlock()
	names := map[string]bool{}
	for _, path := range changed {
		now := model.PublicNames(snap.workspace, path)
		before, known := w.names.declaredBefore[path]
		if !known {
			before = model.UnopenedNames(snap.workspace, path)
		}
		w.names.setDeclared(path, now, snap.documents[path] != nil)
		if !slices.Equal(before, now) {
			maps.Insert(names, maps.All(setOf(before)))
			maps.Insert(names, maps.All(setOf(now)))
		}
	}
	return names
}
