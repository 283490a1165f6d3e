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

// index holds what the files in the workspace's folders declare. It reads nothing until
// its first update. Later updates cost as much as has changed if the client watches
// files, and one stat for each file if it does not.
type index struct {
	readFile func(path string) (string, model.Absence)
	watched  atomic.Bool // the client reports all changes on disk

	status indexStatus
	latest atomic.Pointer[indexedSnapshot]

	updateLock  chan struct{} // a lock: holds a value during an update; guards the fields below
	folders     []string
	tree        disk.Tree
	stamps      map[string]disk.Stamp
	workspace   *model.Workspace // is replaced by a new one when anything in it changes
	seenChanges int              // the number of reported changes at the last update; -1 before the first update
	lastPolled  *model.Workspace // the value of workspace at the last poll
	complete    bool             // all files of the folders are read
	stopped     bool             // the person has cancelled the reading of the rest
}

// indexStatus is the part of an index that can be read while an update runs. It is safe
// for concurrent use.
type indexStatus struct {
	mu         sync.Mutex // guards the fields below
	changes    int        // how many changes on disk have been reported
	changed    []string   // the paths of the changes since the last update
	lastUpdate indexUpdate
	large      chan struct{} // is closed once the folders turn out to be large
	announced  bool          // the person has been told that the folders have too many files
}

// indexUpdate is the result of the last update of the index: the folders that were read,
// and whether all of their files were. It is zero before the first update.
type indexUpdate struct {
	folders  []string // nil before the first update
	changes  int      // the number of reported changes when it began
	complete bool     // all files were read
	tooMany  bool     // the folders have more files than are read
}

// isCurrent reports whether the last update read these folders and no change was reported
// since.
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

// shouldWarnOfTooMany reports whether the folders have more files than are read. It
// returns true once only, so that the person is warned once.
func (s *indexStatus) shouldWarnOfTooMany() (news bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	news = s.lastUpdate.tooMany && !s.announced
	s.announced = s.announced || news
	return news
}

// setLastUpdate records the result of an update.
func (s *indexStatus) setLastUpdate(l indexUpdate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastUpdate = l
}

// indexedSnapshot is a snapshot that was extended by the files of the index, with the
// arguments that it was made from.
type indexedSnapshot struct {
	snap     *snapshot
	unopened *model.Workspace
	result   *snapshot
}

// maxIndexed is how many files of the folders are read at most.
const maxIndexed = 10_000

// cachedBytes bounds the files that are not open and are kept in full, by the size of
// their texts. Of all others the index keeps only the text, what the parser found, and a
// summary.
const cachedBytes = 1 << 20

// Folders with more than this are large: requests that can be answered without their
// files do not wait for them.
const (
	largeEntries = 5_000 // files and folders
	largeFiles   = 200   // of the language
)

// newIndex returns an index that has read nothing.
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

// whenLarge returns a channel that is closed once the folders turn out to be large.
func (s *indexStatus) whenLarge() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.large
}

// setLarge notes that the folders are large.
func (s *indexStatus) setLarge() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isClosed(s.large) {
		close(s.large)
	}
}

// resetLarge notes that the size of the folders is not known. It is called when other
// folders are read.
func (s *indexStatus) resetLarge() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if isClosed(s.large) {
		s.large = make(chan struct{})
	}
}

// isClosed reports whether a channel on which nothing is sent is closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// addChanges notes that files of the folders have changed. The files at the paths are
// read again even if their stamps are the same.
func (s *indexStatus) addChanges(paths ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes++
	s.changed = append(s.changed, paths...)
}

// drainChanges returns how many changes have been reported so far, and the paths that
// were added since the last call.
func (s *indexStatus) drainChanges() (changes int, paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	paths, s.changed = s.changed, nil
	return s.changes, paths
}

// withIndex returns the snapshot with the files of the folders that are not open, as they
// are on disk now. It returns the same snapshot until something changes.
func (w *workspaceFiles) withIndex(ctx context.Context, snap *snapshot) (*snapshot, error) {
	unopened, err := w.index.update(ctx, snap.indexFolders(), w.client.showIndexing)
	if err != nil {
		return nil, err
	}
	return w.withUnopenedFiles(snap, unopened), nil
}

// withUnopenedFiles returns the snapshot with files that are not open. For the same
// arguments as in the last call it returns the same snapshot.
func (w *workspaceFiles) withUnopenedFiles(snap *snapshot, unopened *model.Workspace) *snapshot {
	last := w.index.latest.Load()
	if last == nil || last.snap != snap || last.unopened != unopened {
		last = &indexedSnapshot{snap, unopened, w.mergeUnopened(snap, *unopened)}
		w.index.latest.Store(last)
	}
	return last.result
}

// withIndexSoon is withIndex if the folders are small, or have not changed since they
// were read. Otherwise it does not wait: while large folders are read, the snapshot has
// the files that were known before.
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

// mergeUnopened returns the snapshot with files that are not open. Open documents take
// precedence over them.
func (w *workspaceFiles) mergeUnopened(snap *snapshot, unopened model.Workspace) *snapshot {
	next := *snap
	next.workspace = next.workspace.MergedOver(unopened, func(path string) bool { return snap.documents[path] != nil }).
		WithUnopened(snap.indexFolders(), new(model.Workspace))
	next.workspace = w.session.servers.Extend(next.workspace, slices.DeleteFunc(unopened.Paths(), func(path string) bool { return !model.IsProjectFile(path) })...)
	return &next
}

// update reads what has changed and returns what the files of the folders declare. If
// these folders have not been read yet, it calls show, which shows the progress to the
// person, who can cancel the reading. If the person does, the index stays incomplete,
// which is no error. update returns an error if ctx is done first.
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

// recordUpdate records how complete the index is. changes is the number of reported
// changes that it includes.
func (x *index) recordUpdate(changes int) {
	x.status.setLastUpdate(indexUpdate{x.folders, changes, !x.stopped && x.complete, !x.stopped && !x.complete})
}

// hasChanged reports whether the disk has changed since the last call. It is false before
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

// refresh reads the files that are new or have changed, and forgets those that are gone.
// If ctx is done first, it keeps what it has read so far and returns the error of ctx.
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

// fileRefresh is the result of refreshFile. Its zero value says that the file has not
// changed.
type fileRefresh struct {
	stampChanged bool // the file may differ from the one that was read last
	readable     bool // the file could be read
	stamp        disk.Stamp
	changed      *model.Handle // nil if the text is the one that was read last
}

// refreshFile reads a file again if its stamp has changed.
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

// forgetMissing forgets all files that are not among the paths or could not be read.
func (x *index) forgetMissing(paths []string) {
	there := setOf(paths)
	maps.DeleteFunc(x.stamps, func(path string, _ disk.Stamp) bool { return !there[path] })
	gone := slices.DeleteFunc(x.workspace.Paths(), func(path string) bool { _, kept := x.stamps[path]; return kept })
	if len(gone) > 0 {
		x.workspace = new(x.workspace.Without(gone...))
	}
}

// isIndexed reports whether the index reads a file with this path.
func isIndexed(path string) bool {
	return model.HasPublicNames(path) || model.IsCases(path)
}
