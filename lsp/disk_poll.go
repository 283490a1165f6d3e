package lsp

import (
	"context"
	"slices"
	"time"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/disk"
)

// diskPoll checks from time to time whether the files have changed whose changes the
// client does not report. It checks soon after a message of the client, then less and
// less often, and stops until the next message.
type diskPoll struct {
	session  *session
	files    *workspaceFiles
	onChange func(paths ...string)

	wakeups chan struct{} // has a value if a message has arrived
	after   func(time.Duration) <-chan time.Time
}

// How long the poll waits before its first and before its last check.
const (
	firstWait = time.Second
	lastWait  = 32 * time.Second
)

// wake notes that a message has arrived.
func (p *diskPoll) wake() {
	select {
	case p.wakeups <- struct{}{}:
	default: // it is noted already
	}
}

// run polls until ctx is done.
func (p *diskPoll) run(ctx context.Context) {
	for {
		select {
		case <-p.wakeups:
			p.pollUntilIdle(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// pollUntilIdle checks less and less often, until there is nothing to check or the client
// has sent nothing for long.
func (p *diskPoll) pollUntilIdle(ctx context.Context) {
	for wait := firstWait; wait <= lastWait && p.isNeeded(); wait *= 2 {
		awake := p.wakeups
		if wait == firstWait {
			awake = nil // the next check is soon
		}
		select {
		case <-p.after(wait):
		case <-awake:
			wait = firstWait / 2
			continue
		case <-ctx.Done():
			return
		}
		if p.hasChanged(ctx) {
			p.onChange()
			wait = firstWait / 2
		}
	}
}

// isNeeded reports whether an open document depends on files whose changes the client
// does not report.
func (p *diskPoll) isNeeded() bool {
	return len(p.session.load().documents) > 0 && (!p.files.index.watched.Load() || len(p.unwatchedFiles()) > 0)
}

// hasChanged reports whether a file on disk differs from what the server knows.
func (p *diskPoll) hasChanged(ctx context.Context) bool {
	for path, then := range p.unwatchedFiles() {
		if !then.IsUnchanged(disk.StampOf(path)) {
			return true
		}
	}
	return !p.files.index.watched.Load() && p.files.index.hasChanged(ctx)
}

// unwatchedFiles returns the imported files whose changes the client does not report.
func (p *diskPoll) unwatchedFiles() importedFiles {
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	snap, out := p.session.load(), importedFiles{}
	for path, stamp := range p.session.imported {
		contains := func(folder string) bool { return model.IsBelow(folder, path) }
		if !p.files.index.watched.Load() || !slices.ContainsFunc(snap.folders, contains) {
			out[path] = stamp
		}
	}
	return out
}
