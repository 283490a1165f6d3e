package lsp

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/internal/parallel"
)

// index is what the files in the workspace's folders declare. It reads nothing until
// its first update. An update then costs what has changed if the client watches
// files, and a stat of each file if it does not.
type index struct {
	readFile func(path string) (string, model.Absence)
	watched  atomic.Bool // the client tells of all changes

	status indexStatus
	latest atomic.Pointer[indexedSnapshot]

	updateLock  chan struct{} // holds a value during an update, which guards what follows
	folders     []string
	tree        disk.Tree
	stamps      map[string]disk.Stamp
	workspace   *model.Workspace // is replaced when anything in it changes
	seenChanges int              // how many changes the last update knew of; -1 before the first update
	lastPolled  *model.Workspace // workspace at the last poll
	complete    bool             // the folders have no more files than are read
	stopped     bool             // the person does not want the rest read
}

// indexStatus is the part of the index that can be read during an update.
type indexStatus struct {
	mu         sync.Mutex    // guards what follows
	changes    int           // how many changes of the disk were reported
	changed    []string      // the paths of those that no update has taken
	lastUpdate indexUpdate   // the last update
	large      chan struct{} // is closed when the folders turn out to be large
	announced  bool          // the person was told that the folders have too many files
}

// indexUpdate describes an update of the index that has ended.
type indexUpdate struct {
	folders  []string // nil before the first update
	changes  int      // how many changes it knew of
	complete bool     // all files were read
	tooMany  bool     // the folders have more than are read
}

// isCurrent reports whether the last update read these folders and knew of all changes.
func (s *indexStatus) isCurrent(folders []string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lastUpdate.folders != nil && slices.Equal(s.lastUpdate.folders, folders) && s.lastUpdate.changes == s.changes
}

// isComplete reports whether the last update read all files of the folders.
func (s *indexStatus) isComplete() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lastUpdate.complete
}

// shouldWarnOfTooMany reports whether the folders have more files than are read. It reports it
// once.
func (s *indexStatus) shouldWarnOfTooMany() (news bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	news = s.lastUpdate.tooMany && !s.announced
	s.announced = s.announced || news
	return news
}

// setLastUpdate keeps the description of the last update.
func (s *indexStatus) setLastUpdate(l indexUpdate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastUpdate = l
}

// indexedSnapshot is a snapshot with the files of the index, and what it was made of.
type indexedSnapshot struct {
	snap     *snapshot
	unopened *model.Workspace
	result   *snapshot
}

// maxIndexed is how many files of the folders are read.
const maxIndexed = 10_000

// cachedBytes is the size of the texts of those unopened files of which more is kept than the
// summary.
const cachedBytes = 1 << 20

// Folders with more than that are not waited for by requests that can be answered without.
const (
	largeEntries = 5_000 // files and folders
	largeFiles   = 200   // of the language
)

func newIndex() *index {
	x := &index{
		readFile: disk.Read, updateLock: make(chan struct{}, 1), seenChanges: -1,
		status: indexStatus{large: make(chan struct{})}, stamps: map[string]disk.Stamp{},
		workspace: new(model.Workspace{}.Caching(model.NewFileCache(cachedBytes))),
	}
	x.tree.OnListed = func(entries int) {
		if entries > largeEntries {
			x.status.setLarge()
		}
	}
	return x
}

// whenLarge returns a channel that is closed when the folders have turned out to hold much.
func (s *indexStatus) whenLarge() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.large
}

func (s *indexStatus) setLarge() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isClosed(s.large) {
		close(s.large)
	}
}

// resetLarge is called when other folders are read.
func (s *indexStatus) resetLarge() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if isClosed(s.large) {
		s.large = make(chan struct{})
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// addChanges notes that files of the folders have changed. Those at the paths are read
// again even if they look the same.
func (s *indexStatus) addChanges(paths ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes++
	s.changed = append(s.changed, paths...)
}

// drainChanges returns how many changes there were so far, and the files of those that
// nobody has taken yet.
func (s *indexStatus) drainChanges() (changes int, paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	paths, s.changed = s.changed, nil
	return s.changes, paths
}

// withIndex returns the snapshot with the unopened files of the folders, as they are on
// disk now. It returns the same one until something changes.
func (w *workspaceFiles) withIndex(ctx context.Context, snap *snapshot) (*snapshot, error) {
	unopened, err := w.index.update(ctx, snap.indexFolders(), w.client.showIndexing)
	if err != nil {
		return nil, err
	}
	return w.withUnopenedFiles(snap, unopened), nil
}

// withUnopenedFiles returns the snapshot with unopened files. It returns the same one
// for the same arguments.
func (w *workspaceFiles) withUnopenedFiles(snap *snapshot, unopened *model.Workspace) *snapshot {
	last := w.index.latest.Load()
	if last == nil || last.snap != snap || last.unopened != unopened {
		last = &indexedSnapshot{snap, unopened, w.mergeUnopened(snap, *unopened)}
		w.index.latest.Store(last)
	}
	return last.result
}

// withIndexSoon is withIndex if the folders are small, or have not changed since they were
// read. While large folders are read, the snapshot has what was known before.
func (w *workspaceFiles) withIndexSoon(ctx context.Context, snap *snapshot) (*snapshot, error) {
	large := w.index.status.whenLarge()
	ended := w.startReadingNames(snap)
	if ended == nil && (w.index.watched.Load() || !isClosed(large)) {
		return w.withIndex(ctx, snap)
	}
	if ended != nil {
		select {
		case <-ended:
			return w.withIndex(ctx, snap)
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-large:
		}
	}
	folders, unopened := w.session.load().workspace.Unopened()
	if unopened != nil && slices.Equal(folders, snap.indexFolders()) {
		return w.withUnopenedFiles(snap, unopened), nil
	}
	next := *snap
	next.workspace = snap.workspace.WithUnopened(snap.indexFolders(), nil)
	return &next, nil
}

// mergeUnopened returns the snapshot with unopened files merged under the open ones.
func (w *workspaceFiles) mergeUnopened(snap *snapshot, unopened model.Workspace) *snapshot {
	next := *snap
	next.workspace = next.workspace.MergedOver(unopened, func(path string) bool { return snap.documents[path] != nil }).
		WithUnopened(snap.indexFolders(), new(model.Workspace))
	next.workspace = w.session.servers.Extend(next.workspace, slices.DeleteFunc(unopened.Paths(), func(path string) bool { return !model.IsProjectFile(path) })...)
	return &next
}

// update reads what has changed and returns what the files of the folders declare. The
// first time it shows the person its progress, which can be stopped.
func (x *index) update(ctx context.Context, folders []string, show func(context.Context) (context.Context, *indexProgress)) (*model.Workspace, error) {
	select {
	case x.updateLock <- struct{}{}:
		defer func() { <-x.updateLock }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if !slices.Equal(folders, x.folders) {
		x.folders, x.seenChanges, x.stopped = slices.Clone(folders), -1, false
		x.status.resetLarge()
	}
	now, changed := x.status.drainChanges()
	for _, path := range changed {
		delete(x.stamps, path)
	}
	if x.stopped || x.watched.Load() && x.seenChanges == now {
		x.recordUpdate(now)
		return x.workspace, nil
	}
	var shown *indexProgress
	if x.seenChanges < 0 && len(folders) > 0 {
		ctx, shown = show(ctx)
		defer shown.end()
	}
	if err := x.refresh(ctx, shown); err != nil {
		x.stopped = errors.Is(context.Cause(ctx), errStopped)
		if !x.stopped {
			return nil, err
		}
	}
	if x.seenChanges < 0 {
		x.lastPolled = x.workspace
	}
	x.seenChanges = now
	x.recordUpdate(now)
	return x.workspace, nil
}

// recordUpdate notes how far the index is, after so many changes.
func (x *index) recordUpdate(changes int) {
	x.status.setLastUpdate(indexUpdate{x.folders, changes, !x.stopped && x.complete, !x.stopped && !x.complete})
}

// hasChanged reports whether the disk has changed since the last poll. It is false before
// the first update.
func (x *index) hasChanged(ctx context.Context) bool {
	select {
	case x.updateLock <- struct{}{}:
		defer func() { <-x.updateLock }()
	case <-ctx.Done():
		return false
	}
	if x.seenChanges < 0 || x.stopped || x.refresh(ctx, nil) != nil {
		return false
	}
	before := x.lastPolled
	x.lastPolled = x.workspace
	return before != x.workspace
}

// refresh reads what is new or has changed, and forgets what is gone. If ctx is done
// first, it keeps what it has read so far.
func (x *index) refresh(ctx context.Context, shown *indexProgress) error {
	paths := x.tree.Files(ctx, x.folders, isIndexed)
	x.complete = len(paths) <= maxIndexed && !x.tree.IsTruncated() && ctx.Err() == nil
	if len(paths) > largeFiles {
		x.status.setLarge()
	}
	paths = paths[:min(len(paths), maxIndexed)]
	refreshes := make([]fileRefresh, len(paths))
	var done atomic.Int64
	parallel.Each(ctx, len(paths), func(i int) {
		refreshes[i] = x.refreshFile(paths[i])
		shown.report(int(done.Add(1)), len(paths))
	})
	var changed []*model.Handle
	for i, path := range paths {
		if refreshes[i].stampChanged {
			delete(x.stamps, path)
		}
		if refreshes[i].readable {
			x.stamps[path] = refreshes[i].stamp
		}
		if refreshes[i].changed != nil {
			changed = append(changed, refreshes[i].changed)
		}
	}
	if len(changed) > 0 {
		x.workspace = new(x.workspace.WithHandles(changed...))
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	x.forgetMissing(paths)
	return nil
}

// fileRefresh is what the disk has of a file. Its zero value says that nothing is new.
type fileRefresh struct {
	stampChanged bool // it may not be what was read last
	readable     bool // it could be read
	stamp        disk.Stamp
	changed      *model.Handle // nil where the text is the one that was read last
}

// refreshFile reads a file again if its stamp is another one.
func (x *index) refreshFile(path string) fileRefresh {
	now := disk.StampOf(path)
	if then, known := x.stamps[path]; known && then.IsUnchanged(now) {
		return fileRefresh{}
	}
	text, absent := x.readFile(path)
	r := fileRefresh{stampChanged: true, readable: absent == model.Present, stamp: now}
	if r.readable && !x.workspace.Handle(path).SourceEquals(text) {
		r.changed = x.workspace.NewHandle(path, text)
	}
	return r
}

// forgetMissing forgets all that is not among the paths or could not be read.
func (x *index) forgetMissing(paths []string) {
	there := setOf(paths)
	maps.DeleteFunc(x.stamps, func(path string, _ disk.Stamp) bool { return !there[path] })
	gone := slices.DeleteFunc(x.workspace.Paths(), func(path string) bool { _, kept := x.stamps[path]; return kept })
	if len(gone) > 0 {
		x.workspace = new(x.workspace.Without(gone...))
	}
}

// isIndexed reports whether the index reads a file.
func isIndexed(path string) bool {
	return model.HasPublicNames(path) || model.IsCases(path)
}
