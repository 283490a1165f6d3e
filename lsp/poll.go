package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/disk"
)

// diskPoll looks from time to time at those files whose changes the client does
// not report: soon after a message of the client, then ever more rarely, and then no
// more until the next message.
type diskPoll struct {
	session   *session
	workspace *workspaceFiles
	onChange  func(paths ...string)

	awake chan struct{} // holds that a message has arrived
	after func(time.Duration) <-chan time.Time
}

// How long to wait before a look, and the one after which nobody looks again.
const (
	firstLook = time.Second
	lastLook  = 32 * time.Second
)

// wake notes that a message has arrived.
func (p *diskPoll) wake() {
	select {
	case p.awake <- struct{}{}:
	default: // it is known already
	}
}

// run looks until the session ends.
func (p *diskPoll) run(ctx context.Context) {
	for {
		select {
		case <-p.awake:
			p.lookAgain(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// lookAgain looks ever more rarely, until there is nothing to look at or the
// client has said nothing for long.
func (p *diskPoll) lookAgain(ctx context.Context) {
	for wait := firstLook; wait <= lastLook && p.isNeeded(); wait *= 2 {
		awake := p.awake
		if wait == firstLook {
			awake = nil // a look is near
		}
		select {
		case <-p.after(wait):
		case <-awake:
			wait = firstLook / 2
			continue
		case <-ctx.Done():
			return
		}
		if p.differs(ctx) {
			p.onChange()
			wait = firstLook / 2
		}
	}
}

// isNeeded reports whether there is something to look at: a document is open
// that depends on files of whose changes nobody tells.
func (p *diskPoll) isNeeded() bool {
	return len(p.session.load().documents) > 0 && (!p.workspace.index.watched.Load() || len(p.unwatched()) > 0)
}

// differs reports whether the disk has something else than what the server knows.
func (p *diskPoll) differs(ctx context.Context) bool {
	for path, then := range p.unwatched() {
		if !then.Still(disk.StampOf(path)) {
			return true
		}
	}
	return !p.workspace.index.watched.Load() && p.workspace.index.differs(ctx)
}

// unwatched are the files that were read, as far as the client does not tell of
// their changes.
func (p *diskPoll) unwatched() files {
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	at, out := p.session.load(), files{}
	for path, stamp := range p.session.files {
		below := func(folder string) bool { return strings.HasPrefix(path, folder+string(filepath.Separator)) }
		if !p.workspace.index.watched.Load() || !slices.ContainsFunc(at.folders, below) {
			out[path] = stamp
		}
	}
	return out
}
